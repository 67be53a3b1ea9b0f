/** The options and services of the operator, and the rights of callers over them. */
import type { ShapingReport } from 'context-shaping';
import { createService, type Service, type ServiceOptions, type Setup } from 'context-shaping-server';
import { afterEach, expect, test } from 'vitest';
import { ask } from './support.js';

let one: Service;

/** @returns asks, with these options of the caller. */
async function serving(options: ServiceOptions) {
  one = await createService({ workers: 0, logger: false, ...options });
  const body = ask('What does it cost?', 'It costs 5 euros.', 'It is red.', 'It costs nothing to look.');
  return async (caller: object) => {
    const payload = { ...body, options: caller };
    const answer = await one.app.inject({ method: 'POST', url: '/v1/shape', payload });
    return { status: answer.statusCode, text: answer.body, ...answer.json() };
  };
}

afterEach(() => one.close());

test('options of the operator are defaults of each request; what a caller gives goes over them', async () => {
  const setup: Setup = { options: { k: 1, budget: { maxTokens: 100, reserve: 10 } } };
  const shape = await serving({ setup });
  const plain = await shape({});
  expect(plain.chunks).toHaveLength(1);
  expect(plain.report.tokens.budget).toBe(90);
  const own = await shape({ k: 2, budget: { maxTokens: 50 } });
  expect(own.chunks).toHaveLength(2);
  expect(own.report.tokens.budget).toBe(40);
  expect((await shape({})).chunks).toHaveLength(1);
});

test('a token counter of its that answers with no number is not the fault of the caller', async () => {
  const shape = await serving({ setup: { options: { tokenizer: () => Number.NaN } } });
  const { status, text } = await shape({});
  expect([status, text.includes('tokenizer')]).toEqual([500, false]);
  expect((await shape({ tokenizer: 'estimate' })).status).toBe(200);
  expect((await shape({ tokenizer: 5 })).status).toBe(422);
});

test('its embedder gives vectors, and its observers are called', async () => {
  const reports: ShapingReport[] = [];
  const stages: string[] = [];
  const embed = async (texts: readonly string[]) => texts.map((text) => [1, text.length]);
  const setup: Setup = {
    embedder: { embed },
    options: {
      onReport: (report) => void reports.push(report),
      onStage: ({ name }) => void stages.push(name),
    },
  };
  const shape = await serving({ setup });
  const { report } = await shape({});
  expect(report.kept[0].features).toHaveProperty('cosine');
  expect(reports).toHaveLength(1);
  expect(reports[0]?.digest).toBe(report.digest);
  expect(stages).toEqual(report.stages.map(({ name }: { name: string }) => name));
});

test.each([
  { embedder: { address: 'http://elsewhere' } },
  { embedder: null },
  { ecs: { model: { baseUrl: 'http://elsewhere' } } },
  { ecs: { prompt: 'x' } },
  { onReport: 'x' },
  { onStage: {} },
  { telemetry: { provider: 'mine' } },
])('a caller cannot change a service or a function: %j', async (options) => {
  const shape = await serving({ setup: { embedder: { embed: async (texts) => texts.map(() => [1]) } } });
  expect(await shape(options)).toMatchObject({
    status: 422,
    detail: expect.stringMatching(/cannot be set in a request/),
  });
});

test.each([null, 1e9])(
  'a caller cannot wait longer for services than the operator: %s',
  async (deadlineMs) => {
    const embed = () => new Promise<never>(() => {});
    const setup: Setup = { embedder: { embed }, options: { deadlineMs: 50 } };
    const shape = await serving({ setup, timeLimitMs: 5000 });
    const { report } = await shape({ deadlineMs });
    expect(report.degradations).toMatchObject([{ code: 'embedder-failed' }]);
  },
);
