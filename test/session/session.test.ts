/** One input, shaped again and again: the same bits as full runs, with services asked once. */
import {
  type Chunk,
  createShaper,
  type Embedder,
  type Judge,
  type SessionOverrides,
  type ShapingOptions,
} from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { insideOf, sessionOf } from '../../src/internal.js';
import { chunks, embed, question } from '../pool.js';
import { timeless } from '../support.js';

const input = { query: question, chunks };

describe('services', () => {
  const counting = () => {
    const asked: string[][] = [];
    const embedder: Embedder = {
      provider: 'test',
      modelId: 'letters',
      embed: async (texts) => {
        asked.push([...texts]);
        return texts.map(embed);
      },
    };
    return { asked, embedder };
  };

  test('each text is embedded once, also if a pin changes the candidates', async () => {
    const { asked, embedder } = counting();
    const session = createShaper({ embedder, budget: { maxTokens: 100 } }).session(input);
    const { report } = await session.at();
    await session.at({ budget: { maxTokens: 50 } });
    await session.at({ pin: [chunks[5]?.id as string] });
    await session.at({ semanticDedup: { maxDistance: 0.2 } });
    expect(asked).toHaveLength(1);
    expect(report.options.embedder).toBe('test/letters');
    const full = await createShaper({ embedder, budget: { maxTokens: 50 } }).shape(input);
    expect((await session.at({ budget: { maxTokens: 50 } })).report.digest).toBe(full.report.digest);
  });

  test('another service gives its own answers, and the first one keeps those that it gave', async () => {
    const judge = (word: string): Judge => ({
      identify: async () => word,
      judge: async (requests) => ({
        results: requests.map(({ passage }) => ({ yes: passage.includes(word) ? 0.9 : 0.1 })),
        usage: { requests: 1 },
      }),
    });
    const options: ShapingOptions = { k: 2, ranked: false, ecs: { judge: judge('opened'), trust: 'always' } };
    const other: ShapingOptions = { ecs: { judge: judge('built') } };
    const shaper = createShaper(options);
    const session = shaper.session(input);
    for (const step of [{}, other, {}, other]) {
      const full = await shaper.with(step).shape(input);
      expect((await session.at(step)).report.digest).toBe(full.report.digest);
    }
    expect((await session.at(other)).report.digest).not.toBe((await session.at()).report.digest);
  });

  test('an outcome asks no service: it is unknown if an answer is missing, and that is not kept', async () => {
    const { asked, embedder } = counting();
    const session = createShaper({ embedder, budget: { maxTokens: 100 } }).session(input);
    const inside = insideOf(session);
    expect((await inside?.outcome({}))?.isUnknown).toBe(true);
    expect(asked).toEqual([]);
    const { report } = await session.at();
    expect(report.degradations.filter(({ stage }) => stage === 'embed')).toEqual([]);
    const known = await inside?.outcome({});
    expect(known?.isUnknown).toBe(false);
    expect([...(known?.kept.keys() ?? [])]).toEqual(report.kept.map(({ index }) => index));
  });
});

test('a service that fails, or answers malformed, fails with the words of a full run at each step', async () => {
  const answer = (texts: readonly string[]) => texts.map((_, at) => [at + 1, 2]);
  const faults: Record<string, Embedder['embed']> = {
    throws: () => {
      throw new Error('down');
    },
    'quotes its input': (texts, { queryIndex }) =>
      Promise.reject(new Error(`${queryIndex} ${texts.join('|')}`)),
    'leaves one out': async (texts) => answer(texts).slice(1),
    'is null': async () => null as never,
    'has no number at the end': async (texts) => answer(texts).with(-1, [Number.NaN, 1]),
    'has another dimension at the end': async (texts) => answer(texts).with(-1, [1]),
    'has holes': async (texts) => Object.assign(new Array(texts.length), { 0: [1, 2] }),
  };
  const steps: SessionOverrides[] = [
    {},
    { annotate: { minEntropy: 0.8 } },
    { exactDedup: false },
    { sanitise: 'escape' },
    { pin: [chunks[5]?.id as string] },
  ];
  for (const [fault, embed] of Object.entries(faults)) {
    const shaper = createShaper({ embedder: { embed }, k: 4 });
    const session = shaper.session(input);
    for (const step of [...steps, ...steps.toReversed()]) {
      const full = await shaper.with(step).shape(input);
      const { report } = await session.at(step);
      expect(timeless(report), fault).toEqual(timeless(full.report));
      expect(report.degradations.map(({ code }) => code)).toContain('embedder-failed');
      const outcome = await insideOf(session)?.outcome({ overrides: step });
      expect([...(outcome?.kept.keys() ?? [])]).toEqual(full.report.kept.map(({ index }) => index));
      expect(outcome?.isUnknown).toBe(false);
    }
  }
});

test('observers are not called, and the report is the same as with them', async () => {
  const told: unknown[] = [];
  const observed: ShapingOptions = {
    k: 3,
    onReport: (report) => void told.push(report),
    onEvict: (eviction) => void told.push(eviction),
    onStage: (event) => void told.push(event),
  };
  const shaper = createShaper(observed);
  const { report } = await shaper.session(input).at();
  expect(told).toEqual([]);
  expect(report.digest).toBe((await shaper.shape(input)).report.digest);
  expect(told.length).toBeGreaterThan(0);
});

test('a result leads back to its session, also that of another step; a copy does not', async () => {
  const result = await createShaper({ k: 4 }).shape(input);
  const session = sessionOf(result);
  expect((await session?.at())?.report.digest).toBe(result.report.digest);
  const other = await session?.at({ k: 2 });
  expect((await sessionOf(other as object)?.at())?.report.digest).toBe(other?.report.digest);
  expect(sessionOf({ ...result })).toBeUndefined();
});

test('the input is copied: chunks that the caller changes later keep their first text', async () => {
  const own: Chunk[] = chunks.map((each) => ({ ...each }));
  const shaper = createShaper({ k: 4 });
  const session = shaper.session({ query: question, chunks: own });
  const before = await shaper.shape({ query: question, chunks: own });
  for (const each of own) each.text = 'changed';
  own.length = 3;
  expect((await session.at()).report.digest).toBe(before.report.digest);
});

test('steps may overlap; an abort ends its own step only', async () => {
  const shaper = createShaper({ budget: { maxTokens: 90 } });
  const session = shaper.session(input);
  const aborted = AbortSignal.abort(new Error('enough'));
  const [one, two, three] = await Promise.allSettled([
    session.at({ k: 3 }),
    session.at({ k: 4 }, { signal: aborted }),
    session.at({ k: 5 }),
  ]);
  expect(two).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
  for (const [k, step] of [
    [3, one],
    [5, three],
  ] as const) {
    const full = await shaper.with({ k }).shape(input);
    expect(step).toMatchObject({ status: 'fulfilled', value: { report: { digest: full.report.digest } } });
  }
});

test('lambda is short for select.lambda; both at once are an error, as are wrong options and inputs', async () => {
  const session = createShaper().session(input);
  await expect(session.at({ lambda: 0.4, select: { lambda: 0.5 } })).rejects.toMatchObject({
    kind: 'invalid-options',
    field: 'lambda',
  });
  await expect(session.at({ k: 0 })).rejects.toMatchObject({ kind: 'invalid-options', field: 'k' });
  const wrong = createShaper().session({ query: question, chunks: 'none' as never });
  await expect(wrong.at()).rejects.toMatchObject({ kind: 'invalid-input', field: 'chunks' });
});
