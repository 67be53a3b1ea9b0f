/** Stages of users in the pipeline: their allowed places and results, and their part of the report. */
import {
  ContextShapingError,
  createShaper,
  type ShapingOptions,
  type Stage,
  type StageInput,
  type StageOutput,
  withRelevance,
} from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../scripts/report-schema.js';
import { logOddsOf } from '../../src/relevance/model.js';
import { stageContract } from '../contract/stage-contract.js';
import { chunks, question } from '../pool.js';
import { ids, ledger } from '../support.js';

const stage = (run: (input: StageInput) => StageOutput | Promise<StageOutput>, name = 'own'): Stage => ({
  specificationVersion: 'v1',
  name,
  run,
});
const keepAll = stage(({ candidates }) => ({ kept: candidates }));
const dropOdd = stage(({ candidates }) => ({
  kept: candidates.filter(({ index }) => index % 2 === 0),
  evicted: candidates
    .filter(({ index }) => index % 2 === 1)
    .map((candidate) => ({ candidate, evidence: { index: candidate.index, odd: true }, margin: 1 })),
}));
const raise = stage(({ candidates }) => ({
  kept: candidates.map((each) =>
    withRelevance(each, each.index % 2 === 0 ? 1 : 0.5 * (each.signals.relevance ?? 0)),
  ),
}));

const before =
  (name: string, own: Stage): NonNullable<ShapingOptions['stages']> =>
  (defaults) =>
    defaults.flatMap((each) => (each.name === name ? [own, each] : [each]));
const shapeWith = (own: Stage, options: ShapingOptions = {}, name = 'cluster') =>
  createShaper({ ...options, stages: before(name, own) }).shape({ query: question, chunks });
const failure = (run: () => unknown): Promise<ContextShapingError> =>
  Promise.resolve()
    .then(run)
    .then(
      () => expect.unreachable('nothing was thrown'),
      (error) => (ContextShapingError.isInstance(error) ? error : expect.unreachable(String(error))),
    );

describe.each([
  ['keeps all', keepAll],
  ['drops every second', dropOdd],
  [
    'changes the relevance, and the order',
    stage((input) => {
      const { kept } = raise.run(input) as StageOutput;
      return { kept: kept.toReversed() };
    }),
  ],
  [
    'takes its time',
    stage(async ({ candidates, pacer }) => {
      await pacer.pause();
      return { kept: candidates, evicted: [], degradations: ['It took its time.'] };
    }),
  ],
])('a stage that %s', (_, own) => {
  test.each(stageContract(() => own))('$name', ({ run }) => run());
});

describe('the contract tells', () => {
  const failing = async (own: () => Stage) => {
    const failed: string[] = [];
    for (const { name, run } of stageContract(own)) await run().catch(() => failed.push(name));
    return failed;
  };
  test('a stage that loses a candidate', async () => {
    expect(await failing(() => stage(({ candidates }) => ({ kept: candidates.slice(1) })))).toContain(
      'returns every candidate once, wherever it stands, changes no vector, and keeps the limits',
    );
  });
  test('a stage that remembers', async () => {
    let calls = 0;
    const own = () =>
      stage(({ candidates }) => {
        const gone = calls++ % 3;
        return {
          kept: candidates.filter(({ index }) => index !== gone),
          evicted: candidates
            .filter(({ index }) => index === gone)
            .map((candidate) => ({ candidate, evidence: {} })),
        };
      });
    expect(await failing(own)).toContain(
      'gives the same for the same input: again, in another order, at the same time, by another instance',
    );
  });
  test('a stage that writes into metadata', async () => {
    const own = () =>
      stage(({ candidates }) => {
        for (const { metadata } of candidates) Object.assign(metadata?.nested ?? {}, { seen: true });
        return { kept: candidates };
      });
    expect(await failing(own)).not.toEqual([]);
  });
  test('a stage that writes into vectors', async () => {
    const own = () =>
      stage(({ candidates }) => {
        for (const { vector } of candidates) vector?.fill(1);
        return { kept: candidates };
      });
    expect(await failing(own)).toContain(
      'returns every candidate once, wherever it stands, changes no vector, and keeps the limits',
    );
  });
  test('a stage of another version', async () => {
    expect(await failing(() => ({ ...keepAll, specificationVersion: 'v2' as 'v1' }))).toHaveLength(2);
  });
});

describe('the report', () => {
  test('names the stage, its reason and its margin', async () => {
    const { report } = await shapeWith(dropOdd);
    const own = report.evicted.filter((each) => each.stage === 'own');
    expect(own.length).toBeGreaterThan(3);
    expect(own[0]).toMatchObject({
      reason: 'custom',
      evidence: { odd: true },
      margin: 1,
      tokens: expect.any(Number),
    });
    expect(report.stages.map(({ name }) => name)).toContain('own');
    expect(report.options.stages).toBe('custom');
    expect(ledger(report)).toEqual([...chunks.keys()]);
    expect(reportSchema.safeParse(report).error).toBeUndefined();
    expect(formatReport(report)).toMatch(/own +\d+ +0\.\d\d +\S+ +index \d+, odd true, short by 1/);
  });

  test('shows relevance with its parts, in which the stage has its own', async () => {
    const { report } = await shapeWith(raise);
    for (const { relevance = 0, features } of report.kept) {
      if (features === undefined) {
        expect(relevance).toBe(0);
        continue;
      }
      expect(Object.values(features).reduce((sum, part) => sum + part, 0)).toBeCloseTo(
        logOddsOf(relevance),
        9,
      );
      expect(Math.sign(features.own as number)).toBe(relevance === 1 ? 1 : -1);
    }
    expect(report.kept.filter(({ relevance }) => relevance === 1).length).toBeGreaterThan(2);
    expect(reportSchema.safeParse(report).error).toBeUndefined();
  });

  test('says what a stage did without', async () => {
    const own = stage(({ candidates }) => ({
      kept: candidates,
      degradations: ['The list of authors was not read.'],
    }));
    const { report } = await shapeWith(own);
    expect(report.degradations).toEqual([
      { stage: 'own', code: 'stage-degraded', message: 'The list of authors was not read.' },
    ]);
    expect(reportSchema.safeParse(report).error).toBeUndefined();
  });

  test('tells onStage', async () => {
    const told: unknown[] = [];
    await shapeWith(dropOdd, { onStage: ({ name, evicted }) => void told.push([name, evicted[0]?.reason]) });
    expect(told).toContainEqual(['own', 'custom']);
  });
});

describe('what a stage is given', () => {
  test('is frozen, and has the metadata, but not the private fields', async () => {
    let given: StageInput | undefined;
    const own = stage((input) => {
      given = input;
      return { kept: input.candidates };
    });
    await shapeWith(own, {}, 'budget');
    expect(Object.keys(given as StageInput).sort()).toEqual(['candidates', 'evicted', 'pacer', 'query']);
    const { candidates, evicted, query } = given as StageInput;
    for (const each of [given, query, candidates, evicted, ...candidates, ...evicted]) {
      expect(Object.isFrozen(each)).toBe(true);
    }
    expect(candidates[0]?.metadata).toMatchObject({ source: expect.any(String) });
    expect(Object.isFrozen(candidates[0]?.metadata)).toBe(true);
  });

  test('has the signal of the caller, and that of services', async () => {
    const { signal } = new AbortController();
    let given: StageInput | undefined;
    const own = stage((input) => {
      given = input;
      return { kept: input.candidates };
    });
    await createShaper({ stages: before('budget', own), deadlineMs: 1000 }).shape({
      query: '',
      chunks,
      signal,
    });
    expect(given?.signal).toBe(signal);
    expect(given?.serviceSignal).toBeInstanceOf(AbortSignal);
  });
});

test('k holds if a stage moves chunks that did not fit ahead of the selected ones', async () => {
  const from = (id: string, tokens: number, source: string) => ({
    id,
    text: `${id} `.repeat(tokens),
    metadata: { source },
  });
  const given = [from('a', 30, 's'), from('b', 20, 's'), from('c', 20, 's'), from('d', 5, 't')];
  const options: ShapingOptions = {
    k: 2,
    budget: { maxTokens: 100, perSource: 40 },
    tokenizer: (text) => text.split(' ').length - 1,
    semanticDedup: false,
    extract: false,
    ranked: true,
    order: false,
  };
  const input = { query: '', chunks: given };
  const plain = await createShaper(options).shape(input);
  expect(ids(plain.chunks)).toEqual(['a', 'd']);
  const reversed = stage(({ candidates }) => ({ kept: candidates.toReversed() }));
  const { chunks: kept, report } = await createShaper({
    ...options,
    stages: before('budget', reversed),
  }).shape(input);
  expect(ids(kept)).toEqual(['d', 'c']);
  expect(report.evicted).toMatchObject([
    { id: 'b', stage: 'budget', reason: 'outranked', k: 2, margin: 0 },
    { id: 'a', stage: 'budget', reason: 'outranked', k: 2, margin: 0 },
  ]);
});

describe('what a stage must not return', () => {
  const cases: [name: string, output: (input: StageInput) => unknown, field: RegExp, kind?: string][] = [
    ['nothing', () => undefined, /^stage own$/],
    ['an unknown field', ({ candidates }) => ({ kept: candidates, evictions: [] }), /^stage own$/],
    ['no list', () => ({ kept: 7 }), /kept/],
    ['no candidate', ({ candidates }) => ({ kept: [...candidates, null] }), /kept\[\d+\]/],
    [
      'a candidate twice',
      ({ candidates }) => ({ kept: [...candidates, candidates[0]] }),
      /candidate/,
      'conservation',
    ],
    ['less', ({ candidates }) => ({ kept: candidates.slice(2) }), /candidate/, 'conservation'],
    [
      'a stranger',
      ({ candidates }) => ({ kept: [...candidates, { ...candidates[0], index: 999 }] }),
      /candidate/,
      'conservation',
    ],
    [
      'another text',
      ({ candidates }) => ({ kept: candidates.map((each) => ({ ...each, text: 'new' })) }),
      /candidate ".*"/,
    ],
    [
      'another pin',
      ({ candidates }) => ({ kept: candidates.map((each) => ({ ...each, pinned: true })) }),
      /candidate ".*"/,
    ],
    [
      'fewer tokens',
      ({ candidates }) => ({
        kept: candidates.map((each) => ({ ...each, signals: { ...each.signals, tokens: 0 } })),
      }),
      /candidate ".*"/,
    ],
    [
      'no signals',
      ({ candidates }) => ({ kept: candidates.map(({ signals: _, ...each }) => each) }),
      /candidate ".*"/,
    ],
    [
      'relevance above 1',
      ({ candidates }) => ({ kept: candidates.map((each) => withRelevance(each, 2)) }),
      /relevance/,
    ],
    [
      'relevance that is no number',
      ({ candidates }) => ({ kept: candidates.map((each) => withRelevance(each, Number.NaN)) }),
      /relevance/,
    ],
    [
      'no evidence',
      ({ candidates }) => ({ kept: [], evicted: candidates.map((candidate) => ({ candidate })) }),
      /evidence/,
    ],
    [
      'evidence that is no JSON',
      ({ candidates }) => ({
        kept: [],
        evicted: candidates.map((candidate) => ({ candidate, evidence: { now: Number.NaN } })),
      }),
      /evidence/,
    ],
    [
      'a set as evidence',
      ({ candidates }) => ({
        kept: [],
        evicted: candidates.map((candidate) => ({ candidate, evidence: { allowed: new Set(['en']) } })),
      }),
      /evicted\[0\]\.evidence\.allowed$/,
    ],
    [
      'evidence that knows itself',
      ({ candidates }) => {
        const evidence: Record<string, unknown> = {};
        evidence.evidence = evidence;
        return { kept: [], evicted: candidates.map((candidate) => ({ candidate, evidence })) };
      },
      /evidence/,
    ],
    [
      'texts as evidence',
      ({ candidates }) => ({
        kept: [],
        evicted: candidates.map((candidate) => ({ candidate, evidence: { text: 'word '.repeat(500) } })),
      }),
      /evidence/,
    ],
    [
      'a margin below 0',
      ({ candidates }) => ({
        kept: [],
        evicted: candidates.map((candidate) => ({ candidate, evidence: {}, margin: -1 })),
      }),
      /margin/,
    ],
    [
      'a blank degradation',
      ({ candidates }) => ({ kept: candidates, degradations: [' '] }),
      /degradations\[0\]/,
    ],
  ];
  test.each(cases)('%s', async (_, output, field, kind = 'stage') => {
    const error = await failure(() => shapeWith(stage(output as Stage['run'])));
    expect([error.kind, error.message]).toEqual([kind, expect.stringContaining('stage own')]);
    expect(error.field).toMatch(field);
    expect(error.remedy).not.toBe('');
  });

  test('an error: it is named, and kept as the cause', async () => {
    const cause = new Error('the index is gone');
    const error = await failure(() => shapeWith(stage(async () => Promise.reject(cause))));
    expect(error).toMatchObject({ kind: 'stage', field: 'stage own', cause });
    expect(error.message).toContain('the index is gone');
  });

  test('aborts and interrupts pass', async () => {
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const aborting = stage(() => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    const shaper = createShaper({ stages: before('select', aborting) });
    await expect(shaper.shape({ query: question, chunks, signal: controller.signal })).rejects.toBe(reason);
    const interrupt = Object.assign(new Error('ask a person'), { is_bubble_up: true });
    await expect(shapeWith(stage(() => Promise.reject(interrupt)))).rejects.toBe(interrupt);
  });

  test('too late: the call ends; a stage that heeds the signal may fall back', async () => {
    const error = await failure(() =>
      shapeWith(
        stage(() => new Promise(() => {})),
        { deadlineMs: 20 },
      ),
    );
    expect(error).toMatchObject({ kind: 'stage', field: 'stage own' });
    expect(error.message).toContain('No answer within 40 ms');
    const patient = stage(async ({ candidates, serviceSignal }) => {
      await new Promise((resolve) => serviceSignal?.addEventListener('abort', resolve));
      return { kept: candidates, degradations: ['The service was late.'] };
    });
    // As long again is left for the fallback, also on a busy machine.
    const { report } = await shapeWith(patient, { deadlineMs: 500 });
    expect(report.degradations).toMatchObject([{ code: 'stage-degraded', message: 'The service was late.' }]);
  });
});

describe('which stages run', () => {
  const stagesOf = (stages: ShapingOptions['stages'], options: ShapingOptions = {}) =>
    createShaper({ ...options, stages }).stages;

  test('the defaults, by name', () => {
    const names: string[] = [];
    const shaper = createShaper({
      stages(defaults) {
        names.push(...defaults.map(({ name }) => name));
        return defaults;
      },
    });
    expect(shaper.stages).toEqual(createShaper().stages);
    expect(names).toEqual(createShaper().stages);
    // All names are reserved, those of stages that are off as well.
    for (const name of [...createShaper().stages, 'ecs', 'title', 'utility', 'base']) {
      expect(() => stagesOf((defaults) => [...defaults, { ...keepAll, name }])).toThrow(
        /default stage or feature/,
      );
    }
  });

  test('a stage that is left out is off', async () => {
    const stages = (defaults: readonly { name: string }[]) =>
      defaults.filter(({ name }) => name !== 'cluster' && name !== 'extract') as never;
    const shaper = createShaper({ budget: { maxTokens: 80 }, stages });
    const { stages: _, ...options } = shaper.options;
    const off = createShaper({ budget: { maxTokens: 80 }, cluster: false, extract: false });
    expect(options).toEqual(off.options);
    const [one, other] = [
      await shaper.shape({ query: question, chunks }),
      await off.shape({ query: question, chunks }),
    ];
    expect(ids(one.chunks)).toEqual(ids(other.chunks));
    expect(() => stagesOf((defaults) => defaults.filter(({ name }) => name !== 'select'), { k: 3 })).toThrow(
      'k has no effect with select: false',
    );
  });

  test('a derived shaper asks again', () => {
    const shaper = createShaper({ stages: before('budget', keepAll) });
    expect(shaper.with({ cluster: false }).stages).toEqual(
      shaper.stages.filter((name) => name !== 'cluster'),
    );
    expect(shaper.with({ stages: null }).stages).not.toContain('own');
  });

  const wrong: [string, NonNullable<ShapingOptions['stages']>, string, RegExp][] = [
    ['no array', () => 7 as never, 'stages', /must return an array/],
    ['nothing', () => [], 'stages', /must have annotate/],
    ['no stage', (all) => [...all, { name: 'own' } as never], 'stages[11]', /is not a stage/],
    ['null', (all) => [...all, null as never], 'stages[11]', /is not a stage/],
    [
      'another version',
      (all) => [...all, { ...keepAll, specificationVersion: 'v9' as 'v1' }],
      'stages[11].specificationVersion',
      /must be 'v1'/,
    ],
    [
      'no version',
      (all) => [...all, { name: 'own', run: keepAll.run } as never],
      'stages[11].specificationVersion',
      /must be 'v1'/,
    ],
    ['a bad name', (all) => [...all, { ...keepAll, name: 'My Stage' }], 'stages[11].name', /must be a name/],
    ['one twice', (all) => [...all, keepAll, keepAll], 'stages[12]', /is there twice/],
    [
      'without the budget',
      (all) => all.filter(({ name }) => name !== 'budget'),
      'stages',
      /must have budget/,
    ],
    ['in another order', (all) => all.toReversed(), 'stages', /in their order/],
    ['too early', (all) => [keepAll, ...all], 'stages[0]', /before annotate/],
  ];
  test.each(wrong)('%s is refused', async (_, stages, field, message) => {
    const error = await failure(() => createShaper({ stages }));
    expect(error).toMatchObject({ kind: 'invalid-options', field });
    expect(error.message).toMatch(message);
  });

  test('something that is no function is refused', async () => {
    expect(await failure(() => createShaper({ stages: [keepAll] as never }))).toMatchObject({
      field: 'stages',
    });
  });
});
