/** No text of the input leaves by accident: every port fails, with its whole input in the message of the error. */
import { TextNode } from '@llamaindex/core/schema';
import {
  type Chunk,
  createShaper,
  type ShapingOptions,
  type ShapingReport,
  type Stage,
} from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { type CragOptions, createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import { createConversationShaper } from 'context-shaping-agents';
import { openLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { said } from '../packages/agents/test/conversation/support.js';
import { sdk } from './adapters/telemetry/sdk.js';

/** Words that occur once each, in every field of the input. */
const QUESTION = 'zqquestionsecret';
const HISTORY = 'zqhistorysecret';
const REPLY = 'zqreplysecret';
const ANSWER = 'zqanswersecret';
const TEXT = 'zqtextsecret';
const TAG = 'zqtagsecret';
const METADATA = 'zqmetadatasecret';
const RENDERED = 'zqrenderedsecret';
const SECRETS = [QUESTION, HISTORY, REPLY, ANSWER, TEXT, TAG, METADATA, RENDERED];
/** Ids, sources and titles name documents: reports have them, but no error may quote them. */
const NAMES = { id: 'zqidname', source: 'zqsourcename', title: 'zqtitlename', pin: 'zqpinname' };
/** It is in the message of every error. */
const QUOTE = 'zqquotedinput';

const query = {
  text: `When did ${QUESTION} open?`,
  history: [
    { role: 'user' as const, text: `Where is ${HISTORY}?` },
    { role: 'assistant' as const, text: `It is near ${REPLY}.` },
  ],
};
const chunks: Chunk[] = Array.from({ length: 8 }, (_, at) => ({
  id: `${NAMES.id}${at}`,
  text: `Bridge ${at} of ${TEXT} opened in 19${at}2. It has ${at} lanes and ${TEXT} rails.`,
  rendered: `${RENDERED}: Bridge ${at} of ${TEXT} opened in 19${at}2. It has ${at} lanes and ${TEXT} rails.`,
  metadata: {
    source: NAMES.source,
    title: `${NAMES.title} ${at}`,
    tags: [TAG],
    [METADATA]: METADATA,
    note: METADATA,
  },
}));
const inputs = { plain: { query, chunks }, withAnswer: { query: { ...query, answer: ANSWER }, chunks } };

class Quoting extends Error {}
/** Fails as services do: a refusal that quotes the request, with the request in its causes too. */
function fail(...given: unknown[]): never {
  const message = `${QUOTE} ${SECRETS.join(' ')}: ${JSON.stringify(given)}`;
  throw Object.assign(new Quoting(message, { cause: new Error(message) }), { name: message, code: message });
}
const rejects = async (...given: unknown[]): Promise<never> => fail(...given);
const failures = async (requests: readonly unknown[]) => ({
  results: requests.map((each) => ({ failure: `${QUOTE} ${JSON.stringify(each)}` })),
  usage: { requests: 1 },
});
const identify = async () => 'model';
const trusted = { trust: 'always' } as const;
const ecs = (service: object) => ({ ecs: { ...trusted, rounds: 2, ...service } });
const failing: Stage = { specificationVersion: 'v1', name: 'failing', run: fail };

/** Each port, failing. */
const PORTS: Record<string, object> = {
  'embedder, all texts': { embedder: { embed: rejects } },
  'embedder, at once': { embedder: { embed: fail } },
  'embedder, a value that is no error': { embedder: { embed: () => Promise.reject(`${QUOTE} ${TEXT}`) } },
  'embedder, malformed': { embedder: { embed: async (texts: string[]) => texts } },
  'model, score': ecs({ model: { ...fakeLogprobModel(), score: rejects } }),
  'model, failures': ecs({ model: { ...fakeLogprobModel(), score: failures, nextTokens: failures } }),
  'model, next tokens': ecs({ model: { ...fakeLogprobModel(), nextTokens: rejects } }),
  'model, malformed': ecs({ model: { ...fakeLogprobModel(), score: async () => ({ results: TEXT }) } }),
  'ecs.prompt': ecs({ model: fakeLogprobModel(), prompt: fail }),
  judge: ecs({ judge: { identify, judge: rejects } }),
  'judge, failures': ecs({ judge: { identify, judge: failures } }),
  'judge, some failures': ecs({
    judge: {
      identify,
      judge: async (all: readonly unknown[]) => {
        const { results, usage } = await failures(all);
        return { usage, results: results.map((each, at) => (at === 1 ? each : { yes: 0.5 })) };
      },
    },
  }),
  tokenizer: { tokenizer: fail },
  'a stage': { stages: (all: readonly Stage[]) => [...all.slice(0, 5), failing, ...all.slice(5)] },
  onEvict: { onEvict: fail },
  'onEvict, later': { onEvict: rejects },
  onReport: { onReport: rejects },
  onStage: { onStage: rejects },
  pin: { pin: fail },
};

/** All strings of a value, by path. */
function* placesIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    yield [`${path}, a key`, key];
    yield* placesIn(each, `${path}.${key}`);
  }
}

/** Fields of reports that have the question, as the documents say. */
const HAS_QUESTION = /\.query$|\.crag\.searches\.\d+\.query$/;
let places = 0;
function expectNothing(told: unknown): void {
  for (const [path, text] of placesIn(told)) {
    places++;
    const secrets = SECRETS.filter((each) => !(each === QUESTION && HAS_QUESTION.test(path)));
    expect([path, ...[QUOTE, ...secrets].filter((each) => text.includes(each))]).toEqual([path]);
  }
}

/** All that a process writes. */
function listening() {
  const written: unknown[] = [];
  const write = (...given: unknown[]) => written.push(given.map(String)) > 0;
  for (const name of ['log', 'warn', 'error', 'info', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation(write);
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(write);
  return written;
}
afterEach(() => void vi.restoreAllMocks());

const spansOf = (kit: ReturnType<typeof sdk>) =>
  kit.spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
function forms(report: ShapingReport) {
  const { crag } = report;
  const searches = crag?.searches.map((search) => ({ ...search, query: '' }));
  const without = { ...report, query: '', ...(crag && searches && { crag: { ...crag, searches } }) };
  const tables = [100, 40].map((width) => formatReport(without, { width }));
  return { report, tables, lines: reportLines(without) };
}

describe('every port fails with its input in the message', () => {
  test.each(Object.entries(PORTS))('%s', async (_, port) => {
    for (const input of Object.values(inputs)) {
      const kit = sdk();
      const written = listening();
      const events: unknown[] = [];
      const tell = (event: unknown) => void events.push(structuredClone(event));
      const options = { k: 5, pin: [NAMES.pin], fields: { title: 'title' }, telemetry: kit.telemetry };
      const shaper = createShaper({
        ...{ onEvict: tell, onReport: tell, onStage: tell, ...options },
        ...(port as ShapingOptions),
      });
      const result = await shaper.shape(input).catch(() => undefined);
      expect(kit.spans()).toHaveLength(1);
      if (result === undefined) expect(kit.spans()[0]?.events.map(({ name }) => name)).toContain('exception');
      expectNothing({ spans: spansOf(kit), metrics: await kit.metrics(), events, written });
      if (result === undefined) continue;
      expectNothing(forms(result.report));
      const { report, answers } = await recordContext(result);
      // A lockfile has the texts and the answers elsewhere.
      expectNothing({ report, failures: Object.values(answers.failures) });
    }
  });

  const grader = { name: 'fixed', grade: async (all: readonly unknown[]) => all.map(() => ({ grade: 0.5 })) };
  const CRAG: Record<string, CragOptions> = {
    grader: { grader: { name: 'failing', grade: rejects } },
    'grader, failures': {
      grader: { name: 'failing', grade: async (all) => (await failures(all)).results },
    },
    rewrite: { grader, rewrite: rejects, webSearch: async () => [] },
    'web search': { grader, webSearch: rejects },
  };
  test.each(Object.entries(CRAG))('corrective retrieval, %s', async (_, options) => {
    const kit = sdk();
    const written = listening();
    const graph = createCragGraph({ ...options, shaper: { k: 3, telemetry: kit.telemetry } });
    const documents = chunks.map(({ id, text, metadata }) => ({
      id,
      pageContent: text,
      metadata: metadata ?? {},
    }));
    const { report } = await graph.invoke({ query: query.text, documents });
    expect(report.degradations.map(({ code }) => code)).toContainEqual(expect.stringContaining('failed'));
    expectNothing({ ...forms(report), spans: spansOf(kit), written });
  });

  test('LlamaIndex and conversations', async () => {
    const written = listening();
    const nodes = chunks.map(({ id, text }) => ({ node: new TextNode({ id_: id, text }), score: 1 }));
    const { report } = await new ContextShapingPostprocessor({
      embedder: { embed: rejects },
      onReport: fail,
    }).shape(nodes, query.text);
    expect(report.degradations).toHaveLength(2);
    const shaper = createConversationShaper({
      ...{ maxToolTokens: 100, store: { get: rejects, set: rejects }, onRequest: rejects },
      handleKey: 'a key of the tests',
    });
    const content = [{ type: 'text' as const, text: chunks.map(({ text }) => text).join('\n\n') }];
    const request = await shaper.shapeRequest({
      thread: 'one',
      messages: [
        said('user', query.text),
        { role: 'assistant', parts: [{ type: 'call', id: 'c', tool: 'search', input: { query: QUESTION } }] },
        { role: 'tool', parts: [{ type: 'result', id: 'c', tool: 'search', content }] },
      ],
    });
    expect(request.report.degradations).toHaveLength(2);
    expectNothing({ ...forms(report), request: request.report, written });
  });

  test('a telemetry', async () => {
    const written = listening();
    for (const part of ['begin', 'stage', 'end']) {
      const span = { within: (run: () => Promise<unknown>) => run(), stage: () => {}, end: () => {} };
      const telemetry = {
        begin: () => ({ ...span, [part]: fail }),
        ...(part === 'begin' && { begin: fail }),
      };
      const { report } = await createShaper({ telemetry: telemetry as never }).shape(inputs.plain);
      expect(report.degradations.map(({ code }) => code)).toContain('observer-failed');
      expectNothing({ ...forms(report), written });
    }
  });

  test('at many places', () => {
    expect(places).toBeGreaterThan(10_000);
  });
});

test('the option errorMessages brings the messages back, also when a lockfile is opened', async () => {
  const shape = (options: ShapingOptions) =>
    createShaper({ embedder: { ...fakeEmbedder(), embed: rejects }, ...options }).shape(inputs.plain);
  const [told, whole] = [await shape({}), await shape({ errorMessages: true })];
  expect(told.report.degradations.at(0)?.message).toBe(
    'The embedder failed; chunks were compared by words instead. Quoting. The option errorMessages shows its message.',
  );
  expect(whole.report.degradations.at(0)?.message).toContain(`${QUOTE} ${QUESTION}`);
  expect(whole.report.options).toMatchObject({ errorMessages: true });
  for (const result of [told, whole]) {
    const session = openLockfile(await recordContext(result));
    expect((await session.at()).report.digest).toBe(result.report.digest);
  }
});
