/** The shaper as a whole: report, observers, abort, concurrency. */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  type Chunk,
  createShaper,
  type Embedder,
  type Eviction,
  estimateTokens,
  type ShapingOptions,
  type ShapingReport,
  type StageEvent,
} from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { fakeEmbedder } from 'context-shaping/testing';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import type * as z from 'zod';
import type { reportSchema } from '../scripts/report-schema.js';
import { type optionsSchema, sealReport } from '../src/internal.js';
import { chunk, deepFreeze, ids, options, pool, timeless } from './support.js';
import { cpuMilliseconds } from './time.js';

const chunks: Chunk[] = [
  chunk('a', 'The bridge was opened to traffic on 4 May 1932 after seven years of work.', {
    score: 0.9,
    metadata: { source: 'one.md', position: 3 },
  }),
  chunk('b', 'THE BRIDGE was opened to traffic on 4 May 1932, after seven years of work!', {
    score: 0.8,
    metadata: { source: 'two.md' },
  }),
  chunk('c', 'The bridge was opened to traffic on 4 May 1933 after seven years of work.', { score: 0.7 }),
  chunk('d', 'Cats sleep for most of the day and hunt at dusk, as their owners know.', { score: 0.6 }),
  chunk('e', 'The harbour tunnel, by contrast, took only four years to build.', { score: 0.5 }),
];
const query = 'When was the bridge opened?';

/** Schemas cannot tell an absent property from one that is undefined; JSON has only the former. */
type Loose<T> = T extends object
  ? { [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
  : T;
const tight = { budget: { maxTokens: 60, reserve: 2 }, tokenizer: 'o200k_base' } as const;

describe('the report', () => {
  test('tells what happened to every chunk', async () => {
    const { report } = await createShaper({ ...tight, k: 3 }).shape({ query, chunks });
    expect(report.input).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(ids(report.kept)).toEqual(['a', 'c', 'd']);
    expect(report.evicted.map(({ id, stage, reason }) => [id, stage, reason])).toEqual([
      ['b', 'exact-dedup', 'exact-duplicate'],
      ['e', 'select', 'outranked'],
    ]);
    expect(report.kept[0]?.sources.map(({ source }) => source)).toEqual(['one.md', 'two.md']);
    expect(report.conflicts).toMatchObject([{ level: 'sure', sides: [{ ids: ['a'] }, { ids: ['c'] }] }]);
    expect(report.tokens.budget).toBe(58);
    expect(report.stages.map(({ name }) => name)).toEqual(createShaper({ ...tight, k: 3 }).stages);
    for (const stage of report.stages) expect(stage.input).toBe(stage.kept + stage.evicted);
  });

  test('the digest is that of all but the timings', async () => {
    const shaper = createShaper(tight);
    const [one, two] = [await shaper.shape({ query, chunks }), await shaper.shape({ query, chunks })];
    expect(one.report.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(two.report.digest).toBe(one.report.digest);
    const other = await shaper.shape({ query: `${query} `, chunks });
    expect(other.report.digest).not.toBe(one.report.digest);
    const { digest, ...rest } = timeless(one.report) as ShapingReport;
    const bytes = new TextEncoder().encode(JSON.stringify(rest));
    expect(Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')).toBe(digest);
  });

  test('follows its published schema, with all options', async () => {
    const validate = new Ajv2020({ strict: true }).compile(
      JSON.parse(readFileSync('report.schema.json', 'utf8')),
    );
    await fc.assert(
      fc.asyncProperty(pool(10), options, async (given, settings) => {
        const { report } = await createShaper(settings as never).shape({ query, chunks: given });
        const plain = JSON.parse(JSON.stringify(report));
        expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
        expect(plain).toEqual(report);
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  test('its type and its schema are one', () => {
    expectTypeOf<ShapingReport>().toExtend<z.input<typeof reportSchema>>();
    expectTypeOf<z.output<typeof reportSchema>>().toExtend<Loose<ShapingReport>>();
  });

  test('shows services and functions as custom, services with a name by it, and no text of a chunk', async () => {
    const { embed } = fakeEmbedder();
    const named = await createShaper({ ...tight, embedder: fakeEmbedder() }).shape({ query, chunks });
    expect(named.report.options.embedder).toBe('context-shaping/fake-embedder-64');
    const settings = { ...tight, embedder: { embed }, pin: () => false, onReport: () => {} };
    const { report } = await createShaper(settings).shape({ query, chunks });
    expect(report.options).toMatchObject({
      embedder: 'custom',
      pin: 'custom',
      onReport: 'custom',
      select: { lambda: 0.9 },
    });
    expect(JSON.stringify(report)).not.toContain('sleep for most');
  });

  test('without times, equal calls give equal tables', async () => {
    const shapeAgain = () => createShaper({ ...tight, k: 3 }).shape({ query, chunks });
    const { report } = await shapeAgain();
    const table = formatReport(report, { timings: false });
    expect(table).toMatch(/^5 chunks in, 3 kept, 2 evicted · 90 → 55 tokens of 58 allowed \(−39 %\)\n/);
    expect(table).toContain('Conflicts');
    expect(table).not.toMatch(/\bms\b|Stages/);
    expect(formatReport((await shapeAgain()).report, { timings: false })).toBe(table);
  });

  test('a foreign id cannot drive the terminal', async () => {
    const { report } = await createShaper().shape({ query, chunks: [chunk('a\u001b[2J\nb', 'one')] });
    expect(formatReport(report)).not.toContain('\u001b');
    expect(formatReport(report)).toContain('a [2J b');
  });

  test('a foreign id cannot turn the text of a line around', async () => {
    const { report } = await createShaper().shape({ query, chunks: [chunk('a\u202egpj.exe\u2066', 'one')] });
    expect(formatReport(report)).toContain(String.raw`a\u{202E}gpj.exe\u{2066}`);
    expect(formatReport(report)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('a table of very many rows', async () => {
    const { report } = await createShaper().shape({ query, chunks });
    const rows = (count: number): ShapingReport => ({
      ...report,
      degradations: Array.from({ length: count }, (_, at) => ({
        stage: 'a',
        code: 'cut-to-fit',
        message: `${at}`,
      })),
    });
    expect(formatReport(rows(130_000)).split('\n').length).toBeGreaterThan(130_000);
    const tested = vi.spyOn(RegExp.prototype, 'test');
    const testsFor = (count: number) => {
      const before = tested.mock.calls.length;
      formatReport(rows(count));
      return tested.mock.calls.length - before;
    };
    try {
      expect(testsFor(400)).toBeLessThan(testsFor(200) * 2.5);
    } finally {
      tested.mockRestore();
    }
  });

  test('as JSON lines: every entry, each with the digest', async () => {
    const { report } = await createShaper({ ...tight, k: 3 }).shape({ query, chunks });
    const lines = reportLines(report).map((line) => JSON.parse(line));
    expect(lines.map(({ event }) => event)).toEqual([
      'shaped',
      'kept',
      'kept',
      'kept',
      'evicted',
      'evicted',
      'conflict',
    ]);
    expect(new Set(lines.map(({ digest }) => digest))).toEqual(new Set([report.digest]));
  });
});

describe('observers', () => {
  test('get every eviction, then the report', async () => {
    const told: string[] = [];
    const onEvict = ({ id }: Eviction) => {
      told.push(id);
    };
    const { report } = await createShaper({
      ...tight,
      k: 3,
      onEvict,
      onReport: ({ digest }) => {
        told.push(digest);
      },
    }).shape({ query, chunks });
    expect(told).toEqual(['b', 'e', report.digest]);
  });

  test('one that throws at every eviction is reported in one go, not by a report sealed anew each time', async () => {
    const many = Array.from({ length: 500 }, (_, at) => chunk(`${at}`, 'Always the same text.'));
    const createHash = vi.spyOn(crypto, 'createHash');
    const onEvict = ({ id }: Eviction) => Promise.reject(new Error(`cannot write ${id}`));
    try {
      const { report } = await createShaper({ onEvict, errorMessages: true }).shape({ query, chunks: many });
      expect(report.evicted).toHaveLength(499);
      expect(report.degradations.map(({ message }) => message)).toEqual(
        report.evicted.map(({ id }) => `onEvict threw: cannot write ${id}`),
      );
      const { digest: _, ...rest } = report;
      expect(createHash.mock.calls.length).toBeLessThan(5);
      expect(sealReport(rest).digest).toBe(report.digest);
    } finally {
      createHash.mockRestore();
    }
  });

  test('one that never answers holds nothing up beyond the deadline; all are called', async () => {
    const told: string[] = [];
    const never = (name: string) => () => {
      told.push(name);
      return new Promise<void>(() => {});
    };
    const shaper = createShaper({
      ...tight,
      k: 3,
      deadlineMs: 20,
      onEvict: never('eviction'),
      onReport: never('report'),
      onStage: never('stage'),
    });
    const { chunks: kept, report } = await shaper.shape({ query, chunks });
    expect(kept).toHaveLength(3);
    expect(told).toEqual([...shaper.stages.map(() => 'stage'), 'eviction', 'eviction', 'report']);
    const failed = report.degradations.filter(({ code }) => code === 'observer-failed');
    expect(failed).toHaveLength(told.length);
    expect(failed[0]?.message).toContain('No answer within 20 ms.');
  });

  test('the time of services is not that of observers', async () => {
    const shaper = createShaper({
      ...tight,
      deadlineMs: 30,
      embedder: { embed: () => new Promise(() => {}) },
      onReport: async () => void (await Promise.resolve()),
    });
    const { report } = await shaper.shape({ query, chunks });
    expect(report.degradations.map(({ code }) => code)).toEqual(['embedder-failed']);
  });

  test('a thrown value may be anything', async () => {
    const unreadable = {
      get message(): never {
        throw new Error('no message');
      },
      get constructor(): never {
        throw new Error('no constructor');
      },
      get is_bubble_up(): never {
        throw new Error('no mark');
      },
    };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [unreadable, revoked]) {
      const onReport = () => Promise.reject(thrown);
      const { report } = await createShaper({ ...tight, onReport, errorMessages: true }).shape({
        query,
        chunks,
      });
      expect(report.degradations).toMatchObject([
        { code: 'observer-failed', message: 'onReport threw: object' },
      ]);
    }
  });

  test('an interrupt on its way up a graph passes', async () => {
    const interrupt = Object.assign(new Error('interrupt'), { is_bubble_up: true });
    const shaper = createShaper({
      ...tight,
      onReport: () => {
        throw interrupt;
      },
    });
    await expect(shaper.shape({ query, chunks })).rejects.toBe(interrupt);
    const embedder = { embed: () => Promise.reject(interrupt) };
    await expect(createShaper({ embedder }).shape({ query, chunks })).rejects.toBe(interrupt);
  });
});

describe('onStage', () => {
  const settings = { ...tight, k: 3, embedder: fakeEmbedder() };

  /** Every field of every event, as the observer got it. */
  async function staged(over: ShapingOptions = {}) {
    const events: StageEvent[] = [];
    const onStage = (event: StageEvent) => void events.push(event);
    const result = await createShaper({ ...settings, onStage, ...over }).shape({ query, chunks });
    return { ...result, events };
  }

  test('gets every stage, in order; all of it together is the report', async () => {
    const embedder = { embed: () => Promise.reject(new Error('no network')) };
    const { report, events } = await staged({ embedder });
    const counted = events.map(({ conflicts: _, degradations: __, flagged: ___, ...event }) => event);
    expect(counted.map((event) => ({ ...event, evicted: event.evicted.length }))).toEqual(report.stages);
    expect(events.flatMap(({ evicted }) => evicted)).toEqual(report.evicted);
    expect(events.flatMap(({ conflicts }) => conflicts)).toEqual(report.conflicts);
    expect(events.flatMap(({ degradations }) => degradations)).toEqual(report.degradations);
    for (const told of [report.evicted, report.conflicts, report.degradations]) expect(told).not.toEqual([]);
  });

  test('the next stage waits for it', async () => {
    const steps: string[] = [];
    const embedder: Embedder = {
      embed: (...request) => {
        steps.push('embedding');
        return fakeEmbedder().embed(...request);
      },
    };
    const onStage = async ({ name }: StageEvent) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      steps.push(name);
    };
    const { report } = await createShaper({ ...settings, embedder, onStage }).shape({ query, chunks });
    const names = report.stages.map(({ name }) => name);
    expect(steps).toEqual(names.flatMap((name) => (name === 'embed' ? ['embedding', name] : [name])));
  });

  test('one that throws costs no chunk, and the report says at which stages', async () => {
    const onStage = ({ name }: StageEvent) => {
      if (name === 'select') throw new Error('reader gone');
    };
    const { chunks: kept, report } = await staged({ onStage, errorMessages: true });
    expect(ids(kept)).toEqual(ids((await staged()).chunks));
    expect(report.degradations).toEqual([
      { stage: 'select', code: 'observer-failed', message: 'onStage threw: reader gone' },
    ]);
    const later = await staged({ onStage: () => Promise.reject(new Error('reader gone')) });
    expect(later.report.degradations.map(({ stage }) => stage)).toEqual(
      later.report.stages.map(({ name }) => name),
    );
  });

  test('changes to its event stay there', async () => {
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const each of Object.values(value)) spoil(each);
      for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
      if (Array.isArray(value)) value.length = 0;
    };
    const untouched = await staged();
    const spoiled = await staged({ onStage: spoil });
    expect(untouched.report.evicted.some(({ features }) => features !== undefined)).toBe(true);
    expect(spoiled.chunks).toEqual(untouched.chunks);
    expect(timeless(spoiled.report)).toEqual(timeless(untouched.report));
  });

  test('an interrupt and an abort pass, and no later stage is reported', async () => {
    const told: string[] = [];
    const interrupt = Object.assign(new Error('interrupt'), { is_bubble_up: true });
    const throwing = (event: StageEvent) => {
      told.push(event.name);
      throw interrupt;
    };
    await expect(staged({ onStage: throwing })).rejects.toBe(interrupt);
    for (const waiting of [Promise.resolve(), new Promise<void>(() => {})]) {
      const controller = new AbortController();
      const onStage = (event: StageEvent) => {
        told.push(event.name);
        controller.abort(new Error('gone'));
        return waiting;
      };
      const shaper = createShaper({ ...settings, onStage });
      await expect(shaper.shape({ query, chunks, signal: controller.signal })).rejects.toThrow('gone');
    }
    expect(told).toEqual(['flag', 'flag', 'flag']);
  });
});

describe('abort', () => {
  test('before the call', async () => {
    const signal = AbortSignal.abort(new Error('changed my mind'));
    await expect(createShaper().shape({ query, chunks, signal })).rejects.toThrow('changed my mind');
  });

  test('while the embedder is at work, even if it does not listen', async () => {
    const controller = new AbortController();
    const embedder = {
      embed: vi.fn(() => {
        setTimeout(() => controller.abort(new Error('gone')), 5);
        return new Promise<never>(() => {});
      }),
    };
    await expect(
      createShaper({ embedder }).shape({ query, chunks, signal: controller.signal }),
    ).rejects.toThrow('gone');
    expect(embedder.embed).toHaveBeenCalledOnce();
  });

  test('inside a long computation', async () => {
    const many = Array.from({ length: 1500 }, (_, i) =>
      chunk(`c${i}`, Array.from({ length: 60 }, (_, j) => `word${(i * 31 + j * j) % 900}`).join(' ')),
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('too slow')), 20);
    const shape = (signal?: AbortSignal) =>
      createShaper({ budget: { maxTokens: 100 } }).shape({ query, chunks: many, signal });
    const aborted = await cpuMilliseconds(() => expect(shape(controller.signal)).rejects.toThrow('too slow'));
    const whole = await cpuMilliseconds(() => shape());
    expect(aborted).toBeLessThan(whole / 2);
  });

  test('while an observer is at work, and at the last moment', async () => {
    const controller = new AbortController();
    const onReport = () => {
      setTimeout(() => controller.abort(new Error('gone')), 5);
      return new Promise<void>(() => {});
    };
    const { signal } = controller;
    await expect(createShaper({ onReport }).shape({ query, chunks, signal })).rejects.toThrow('gone');
    const last = new AbortController();
    const shaper = createShaper({ onReport: () => last.abort(new Error('too late')) });
    await expect(shaper.shape({ query, chunks, signal: last.signal })).rejects.toThrow('too late');
  });

  test('leaves no listeners behind', async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await createShaper({ embedder: fakeEmbedder() }).shape({ query, chunks, signal });
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

test('a hundred calls at once on one shaper give what each gives alone', async () => {
  const shaper = createShaper({ ...tight, embedder: fakeEmbedder() });
  const inputs = Array.from({ length: 100 }, (_, i) =>
    deepFreeze({ query: i % 2 ? query : 'Who sleeps?', chunks: chunks.slice(i % 3) }),
  );
  const together = await Promise.all(inputs.map((input) => shaper.shape(input)));
  for (const [i, input] of inputs.entries()) {
    expect(together[i]?.report.digest).toBe((await shaper.shape(input)).report.digest);
  }
});

test('no chunks, no result, and no complaint', async () => {
  const { chunks: kept, report } = await createShaper({ ...tight, embedder: fakeEmbedder() }).shape({
    query,
    chunks: [],
  });
  expect(kept).toEqual([]);
  expect(report).toMatchObject({
    input: [],
    kept: [],
    evicted: [],
    degradations: [],
    tokens: { input: 0, output: 0 },
  });
});

test('a chunk of the result is the caller’s chunk with the measurements of shaping', async () => {
  const given = chunk('a', 'one', {
    score: 2,
    embedding: new Float32Array([1, 2]),
    metadata: { deep: { er: 1 } },
  });
  const {
    chunks: [kept],
  } = await createShaper().shape({ query: '', chunks: [given] });
  expect(kept).toEqual({ ...given, index: 0, tokens: expect.any(Number), sources: [{ id: 'a' }] });
  expect(kept?.metadata).toBe(given.metadata);
});

test('the interface of options and their schema are one', () => {
  const written: z.input<ReturnType<typeof optionsSchema>> = {} as ShapingOptions;
  const checked: ShapingOptions = written;
  expect(checked).toEqual({});
});

test('chunks keep the type that the caller gave them', async () => {
  interface Page {
    page: number;
  }
  const metadata: Page = { page: 3 };
  const { chunks: kept } = await createShaper().shape({
    query: '',
    chunks: [{ id: 'a', text: 'one', metadata, mine: 7 }],
  });
  expectTypeOf(kept[0]!.metadata).toEqualTypeOf<Page>();
  expectTypeOf(kept[0]!.mine).toEqualTypeOf<number>();
  expect(kept[0]).toMatchObject({ mine: 7, metadata });
});

test('what the caller does with the chunks meanwhile changes nothing', async () => {
  const given = [chunk('a', 'hello world'), chunk('b', 'other')];
  const embedder = {
    async embed(texts: readonly string[]) {
      given.reverse();
      given.length = 1;
      given[0]!.text = 'changed';
      return texts.map((_, i) => [1, i]);
    },
  };
  const { chunks: kept } = await createShaper({ embedder }).shape({ query: '', chunks: given });
  expect(kept.map(({ id, text }) => [id, text])).toEqual([
    ['a', 'hello world'],
    ['b', 'other'],
  ]);
});

test('options cannot be changed behind the shaper’s back', () => {
  const { options: resolved } = createShaper({ budget: { maxTokens: 9 } });
  expect(() => Object.assign(resolved.budget, { maxTokens: 99 })).toThrow(TypeError);
});

describe('with derives a shaper', () => {
  const embedder = { embed: async (texts: readonly string[]) => texts.map(() => [1]) };
  const model = { identify: async () => 'm', score: async () => ({}), nextTokens: async () => ({}) } as never;
  const groups: fc.Arbitrary<ShapingOptions> = fc.record(
    {
      k: fc.constantFrom(3, undefined),
      budget: fc.record(
        {
          maxTokens: fc.constantFrom(50, 90, null),
          reserve: fc.constantFrom(0, 9),
          perSource: fc.constant(40),
        },
        { requiredKeys: [] },
      ),
      embedder: fc.constantFrom(embedder, { ...embedder, other: true }, undefined),
      ecs: fc.constantFrom<ShapingOptions['ecs'][]>(false, { model, rounds: 3 }, { model, share: 0.5 }),
      pin: fc.constantFrom(['a'], ['b', 'c'], () => true),
      cluster: fc.constantFrom<ShapingOptions['cluster'][]>(
        false,
        {},
        { maxDistance: 0.3 },
        { linkage: 'single' as const },
      ),
      relevance: fc.constantFrom({}, { floor: 0.1 }, { weights: { bm25: 2 } }, { weights: { place: 0 } }),
      onReport: fc.constantFrom(undefined, () => {}),
    },
    { requiredKeys: [] },
  );

  test('as createShaper makes of both options together, with the same services', () => {
    fc.assert(
      fc.property(groups, groups, (given, overrides) => {
        const { budget, relevance, cluster, ecs, ...rest } = overrides;
        const together = {
          ...given,
          ...Object.fromEntries(Object.entries(rest).filter(([, each]) => each !== undefined)),
        };
        const both = <T extends object>(one: T | false | undefined, other: T | false | undefined) =>
          one && other ? { ...one, ...other } : (other ?? one);
        const weights = [given.relevance, relevance].map((each) => (each ? each.weights : undefined));
        const expected = createShaper({
          ...together,
          budget: both(given.budget, budget) as never,
          cluster: both(given.cluster, cluster) as never,
          ecs: both(given.ecs, ecs) as never,
          relevance: {
            ...(both(given.relevance, relevance) as object),
            weights: { ...weights[0], ...weights[1] },
          },
        });
        const derived = createShaper(given).with(overrides);
        expect(derived.options).toEqual(expected.options);
        expect(derived.options.embedder).toBe(overrides.embedder ?? given.embedder);
        expect(derived.stages).toEqual(expected.stages);
      }),
    );
  });

  test('null returns an option to its default, undefined leaves it, and the first shaper stays as it is', () => {
    const given = { k: 4, order: 'input' as const, pin: ['a'], onReport: () => {}, budget: { maxTokens: 9 } };
    const own = { ...given, pin: [...given.pin], budget: { ...given.budget } };
    const shaper = createShaper(own);
    own.pin.push('b');
    own.budget.maxTokens = 8;
    const derived = shaper.with({ k: undefined, order: null, onReport: null, embedder });
    expect(derived.options).toMatchObject({ k: 4, order: 'relevance', pin: ['a'], budget: { maxTokens: 9 } });
    expect(derived.options.onReport).toBeUndefined();
    expect(shaper.options).toMatchObject(given);
    expect(shaper.options.embedder).toBeUndefined();
  });

  test('a wrong override is named', () => {
    const shaper = createShaper({ budget: { reserve: 9 } });
    expect(() => shaper.with({ budget: { maxTokens: 5 } })).toThrow('budget.reserve must be less than');
    expect(() => shaper.with({ lambda: 1 } as never)).toThrow('Did you mean select.lambda?');
    expect(() => shaper.with(null as never)).toThrow('overrides must be an object');
    expect(() => shaper.with({ ['__proto__']: 1 } as never)).toThrow('__proto__ is not an option');
  });
});

test('a deadline may be any number of milliseconds, and keeps the process alive', async () => {
  const embedder = { embed: () => new Promise<never>(() => {}) };
  const { report } = await createShaper({ embedder, deadlineMs: 10.5 }).shape({ query, chunks });
  expect(report.degradations).toMatchObject([
    { code: 'embedder-failed', message: expect.stringContaining('No answer within 10.5 ms') },
  ]);
});

test('a cut text fits as the model will see it, under a counter that does not add up', async () => {
  // Like many counters, the estimate is no sum over parts.
  for (let maxTokens = 5; maxTokens < 60; maxTokens++) {
    const text =
      'Quarterly Zürich figures rose 4 %. Ōsaka followed with 7,5 %, Kraków lagged behind at 1/3. ';
    const rendered = `file_name: Ergebnisübersicht.pdf\npage_label: 17\n\n${text}`;
    const { chunks: kept } = await createShaper({ budget: { maxTokens } }).shape({
      query: '',
      chunks: [chunk('a', text, { rendered })],
    });
    for (const each of kept)
      expect(estimateTokens(rendered.replace(text, each.text))).toBeLessThanOrEqual(maxTokens);
  }
});

test('null is absent', async () => {
  const { report } = await createShaper({ k: null, budget: { maxTokens: null } } as never).shape({
    query: { text: 'q', embedding: null } as never,
    chunks: [{ id: 'a', text: 'one', score: null, embedding: null, metadata: null, rendered: null }],
  });
  expect(report.kept).toHaveLength(1);
});

test('stages that are off do not run', async () => {
  const off = createShaper({
    flag: false,
    annotate: false,
    exactDedup: false,
    semanticDedup: false,
    relevance: false,
    cluster: false,
    select: false,
    extract: false,
    order: false,
  });
  expect(off.stages).toEqual(['annotate', 'embed', 'budget']);
  const { chunks: kept } = await off.shape({ query, chunks });
  expect(ids(kept)).toEqual(['a', 'b', 'c', 'd', 'e']);
});
