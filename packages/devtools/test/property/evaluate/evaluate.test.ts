import { createShaper, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import {
  compareEvaluations,
  evaluate,
  formatEvaluation,
  parseEvaluation,
} from 'context-shaping-devtools/evaluate';
import { evaluationPage } from 'context-shaping-devtools/inspector';
import { describe, expect, test } from 'vitest';
import { parseEvaluationCase } from '../../../src/evaluate/case.js';
import { measureCase, shapersOf } from '../../../src/evaluate/measure.js';
import { bridgeCase } from '../../evaluate/cases.js';

const cases = Array.from({ length: 6 }, (_, at) => bridgeCase(at + 1));
const budgets = [20, 60, 400];
const withVectors = (...vectors: number[][]) => ({
  query: 'When did it open?',
  chunks: vectors.map((embedding, at) => ({ id: `${at}`, text: `It opened in 19${at}.`, embedding })),
  evidence: { answers: ['190'] },
});
const withoutTimes = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'milliseconds' ? 0 : inner)));

describe('evaluate', () => {
  test('shaping keeps the answers under a budget that holds one chunk, and chance does not', async () => {
    const given = structuredClone(cases);
    const result = await evaluate({ cases, budgets });
    expect(cases).toEqual(given);
    const [shaping, ...controls] = result.methods;
    expect(shaping).toMatchObject({ name: 'shaping', kind: 'options' });
    expect(controls.map(({ name }) => name).join()).toBe('sentence BM25,top k,head and tail,random chunks');
    expect(result.cases).toEqual({ all: 6, measured: 6, groups: 6 });
    expect(result.pool).toMatchObject({ chunks: 13, found: 1 });
    expect(shaping?.budgets.map(({ evidence }) => evidence.mean)).toEqual([1, 1, 1]);
    expect(shaping?.least[0]).toMatchObject({ target: 0.95, budget: 20, low: 20, high: 20 });
    const { tokensPerThousand = 0 } = shaping?.least[0] ?? {};
    expect(tokensPerThousand).toBeCloseTo(1000 * (shaping?.budgets[0]?.tokens as number));
    expect(result.budget).toBe(20);
    const random = controls.at(-1);
    expect(random?.budgets[0]?.evidence.mean).toBeLessThan(0.5);
    expect(random?.budgets[0]?.tokens).toBeLessThanOrEqual((shaping?.budgets[0]?.tokens as number) + 1e-9);
    for (const { budgets: figures } of result.methods)
      for (const { budget, tokens } of figures) expect(tokens).toBeLessThanOrEqual(budget);
    expect(result.lost).toEqual({ cases: 0, explained: [] });
    expect(result.results[2]).toMatchObject({ id: 'bridge-3', group: 'bridge-3', units: 1, inPool: 1 });
    expect(parseEvaluation(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });

  test('the same is kept as shape keeps, under each budget', async () => {
    const options: ShapingOptions[] = [
      {},
      { k: 2 },
      { extract: false },
      { budget: { reserve: 7, perSource: 30 } },
    ];
    const given = parseEvaluationCase(bridgeCase(4));
    const every = [8, 15, 22, 35, 50, 80, 200, 700];
    const plan = {
      methods: options.map((each, at) => ({ name: `${at}`, options: each })),
      budgets: every,
    };
    const { methods } = await measureCase(given, 1, plan, shapersOf(plan));
    for (const [at, each] of options.entries()) {
      for (const [place, maxTokens] of every.entries()) {
        const shaper = createShaper({ ...each, budget: { ...each.budget, maxTokens } });
        const { chunks, report } = await shaper.shape(given);
        const kept = chunks.some(({ text }) => text.includes('1804'));
        expect(methods[at]?.kept[place], `${at}, ${maxTokens}`).toBe(Number(kept));
        expect(methods[at]?.tokens[place], `${at}, ${maxTokens}`).toBe(report.tokens.output);
      }
    }
  });

  test('the same data gives the same result', async () => {
    const [one, same] = await Promise.all([1, 2].map(() => evaluate({ cases, budgets })));
    expect(withoutTimes(same)).toEqual(withoutTimes(one));
  });

  test('lost evidence has its chunk, a reason and changes that were run', async () => {
    const far = { ...bridgeCase(1), evidence: { ids: ['other-3'] } };
    const { lost, budget } = await evaluate({ cases: [far, bridgeCase(2)], budgets, budget: 60 });
    expect(budget).toBe(60);
    expect(lost.cases).toBe(1);
    const [unit] = lost.explained;
    expect(unit).toMatchObject({ case: 'bridge-1', form: 'ids', unit: 'other-3', chunks: ['other-3'] });
    expect(unit?.why).toMatch(/^"other-3" \(chunk \d+\) was evicted: [a-z-]+, /);
    expect(unit?.why).not.toContain('may come back');
    expect(unit?.remedies.at(-1)).toBe('budget.maxTokens: 400');
    expect(unit?.remedies).toContain('a pin');
    const { chunks } = await createShaper({ budget: { maxTokens: 60 }, pin: ['other-3'] }).shape({ ...far });
    expect(chunks.find(({ id }) => id === 'other-3')?.excerpts).toBeUndefined();
    expect(chunks.map(({ id }) => id)).toContain('other-3');
    const none = await evaluate({ cases: [far], budgets, budget: 60, explained: 0 });
    expect(none.lost).toEqual({ cases: 1, explained: [] });
  });

  test('the reason of a loss is that of the chunk that stays, not that of its copy', async () => {
    const given = bridgeCase(1);
    const [first] = given.chunks.filter(({ id }) => id === 'answer');
    const copy = { id: 'copy', text: first?.text as string };
    const evidence = { passages: ['Ferries went out of service then.'] };
    const copied = { ...given, chunks: [copy, ...given.chunks], evidence };
    // The pinned chunk stays, although its copy comes first.
    const methods = [{ name: 'pinned', options: { pin: ['answer'] } }];
    const { lost } = await evaluate({ cases: [copied], methods, budgets: [10], budget: 10 });
    expect(lost.explained[0]).toMatchObject({
      chunks: ['answer', 'copy'],
      why: expect.stringContaining('is kept, but cut'),
    });
  });

  test('pools without evidence do not count, and the share that pools hold says so', async () => {
    const without = { ...bridgeCase(9), evidence: { answers: ['1700', '1809'] } };
    const nothing = { ...bridgeCase(8), chunks: [], evidence: { ids: ['not-retrieved'] } };
    const { cases: counts, pool, methods, results } = await evaluate({ cases: [without, nothing], budgets });
    expect(counts).toEqual({ all: 2, measured: 1, groups: 1 });
    expect(pool.found).toBe(0.25);
    expect(methods[0]?.budgets[0]?.evidence.mean).toBe(1);
    expect(results.map(({ inPool, kept }) => [inPool, kept.length])).toEqual([
      [1, 5],
      [0, 0],
    ]);
  });

  test('ids: the share of the text of the chunk', async () => {
    const named = cases.map((each) => ({ ...each, evidence: { ids: ['answer'] } }));
    const { methods, notes, lost } = await evaluate({ cases: named, budgets, budget: 20 });
    const shares = methods[0]?.budgets.map(({ evidence }) => evidence.mean) as number[];
    expect(shares[0]).toBeLessThan(1);
    expect(shares[0]).toBeGreaterThan(0.2);
    expect(shares[2]).toBe(1);
    expect(notes.join()).toContain('Chunks that ids name count by the share of their text');
    expect(lost.explained[0]).toMatchObject({
      unit: 'answer',
      why: expect.stringContaining('is kept, but cut'),
      remedies: ['budget.maxTokens: 60'],
    });
  });

  test('several options are compared with each other and with the controls', async () => {
    const methods = [
      { name: 'two', options: { k: 2 } },
      { name: 'words', options: { extract: false as const } },
    ];
    const { differences, methods: all } = await evaluate({ cases, budgets, methods });
    expect(differences.map(({ method, baseline }) => `${method} ${baseline}`)).toEqual([
      ...['two words', 'two sentence BM25', 'two top k', 'two head and tail', 'two random chunks'],
      ...['words sentence BM25', 'words top k', 'words head and tail', 'words random chunks'],
    ]);
    const [first] = differences;
    const means = all.map(({ budgets: figures }) => figures[0]?.evidence.mean as number);
    expect(first?.budgets[0]?.difference.mean).toBeCloseTo((means[0] as number) - (means[1] as number));
  });

  test('the budget of the options is the one to report on, and is measured', async () => {
    const methods = [{ name: 'mine', options: { budget: { maxTokens: 45 } } }];
    const { budget, budgets: all } = await evaluate({ cases, budgets, methods });
    expect(budget).toBe(45);
    expect(all).toEqual([20, 45, 60, 400]);
  });

  test('a budget that the cases chose is said to be, and methods are compared at fixed shares of a pool too', async () => {
    const measured = [20, 40, 100, 200, 400];
    const chosen = await evaluate({ cases, budgets: measured });
    expect(Math.round(chosen.pool.tokens)).toBe(382);
    const note = '20 tokens are the least budget at which shaping keeps 95 % of these same cases';
    const text = formatEvaluation(chosen);
    expect(text).toContain(note);
    for (const share of ['200 tokens (about half', '100 tokens (about a quarter', '40 tokens (about a tenth'])
      expect(text).toMatch(new RegExp(`top k +${share.replace('(', '\\(')} of a pool`));
    const page = evaluationPage(chosen);
    for (const each of [note, '<td>20 tokens</td>', '<td>40 tokens (about a tenth of a pool)</td>'])
      expect(page).toContain(each);

    const given = formatEvaluation(await evaluate({ cases, budgets: [20, 1000], budget: 20 }));
    expect(given).not.toContain('these same cases');
    expect(given).not.toContain('of a pool)');
    const none = await evaluate({ cases, budgets: [1, 2] });
    expect(none.notes.at(-1)).toMatch(/^No measured budget keeps 95 %/);
  });

  test('an embedder is asked once for each case, for any number of budgets', async () => {
    const embedder = fakeEmbedder();
    await evaluate({
      cases: cases.slice(0, 1),
      budgets,
      methods: [{ name: 'vectors', options: { embedder } }],
    });
    const texts = embedder.calls.flat();
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('cases are read as a stream, no further than they are measured', async () => {
    let read = 0;
    let most = 0;
    let pass = 0;
    const open = async function* () {
      pass += 1;
      for (const each of cases) {
        read += 1;
        yield each;
      }
    };
    await evaluate({
      cases: open,
      budgets,
      onProgress: (done, total) => {
        expect(total).toBe(cases.length);
        most = Math.max(most, read - cases.length - done);
      },
    });
    expect(pass).toBe(2);
    expect(most).toBeLessThanOrEqual(1);
  });

  test('an abort ends it with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const onProgress = () => controller.abort(reason);
    await expect(evaluate({ cases, budgets, onProgress, signal: controller.signal })).rejects.toBe(reason);
  });

  test.each([
    [{ cases: 'file' }, 'invalid-options', 'cases'],
    [{ cases, budgets: [] }, 'invalid-options', 'budgets'],
    [{ cases, budgets: [0] }, 'invalid-options', 'budgets.0'],
    [{ cases, methods: [] }, 'invalid-options', 'methods'],
    [{ cases, methods: [{ name: 'a', options: { k: 0 } }] }, 'invalid-options', 'methods.0.options.k'],
    [{ cases, methods: [{ name: 'a' }, { name: 'a' }] }, 'invalid-options', 'methods.1.name'],
    [{ cases, methods: [{ name: 'top k' }] }, 'invalid-options', 'methods.0.name'],
    [
      { cases, budgets: [50], methods: [{ name: 'a', options: { budget: { reserve: 60 } } }] },
      'invalid-options',
      'methods.0.options.budget.reserve',
    ],
    [{ cases, thread: 1 }, 'invalid-options', 'thread'],
    [{ cases: [cases[0], { ...cases[1], query: '' }] }, 'invalid-input', 'cases[1].query'],
    [{ cases: [cases[0], cases[0]] }, 'invalid-input', 'cases[1].id'],
    [{ cases: [cases[0], withVectors([1, 0], [1])] }, 'invalid-input', 'cases[1].chunks[1].embedding'],
    [{ cases: [{ ...cases[0], evidence: { ids: ['none'] } }] }, 'invalid-input', 'cases'],
    [{ cases: [] }, 'invalid-input', 'cases'],
  ])('%#: a mistake has a field', async (options, kind, field) => {
    await expect(evaluate(options as never)).rejects.toMatchObject({ kind, field });
  });
});

describe('compareEvaluations', () => {
  const many = Array.from({ length: 12 }, (_, at) => bridgeCase(at + 1));
  const at = (options: ShapingOptions) =>
    evaluate({
      cases: many,
      budgets: [12, 60],
      budget: 12,
      methods: [{ name: 'mine', options }],
      explained: 0,
    });

  test('a change that loses evidence is worse, and no change is not', async () => {
    const before = await at({});
    // The pinned chunk takes all of the budget.
    const now = await at({ pin: ['other-0'] });
    expect(compareEvaluations(before, before)).toMatchObject({ budget: 12, cases: 12, isWorse: false });
    const { difference, isWorse } = compareEvaluations(now, before);
    expect(difference.mean).toBeLessThan(-0.5);
    expect(isWorse).toBe(true);
    expect(compareEvaluations(before, now).isWorse).toBe(false);
  });

  test('another budget, other cases and other files are errors', async () => {
    const before = await at({});
    expect(() => compareEvaluations({ ...before, budgets: [60] }, before)).toThrow('add 12 to the budgets');
    expect(() => compareEvaluations({ ...before, results: [] }, before)).toThrow('no measured case');
    expect(() => compareEvaluations(before, {} as never)).toThrow('no result of an evaluation');
  });
});

test('the text has the tables and the lost cases', async () => {
  const far = { ...bridgeCase(1), evidence: { answers: ['summer', '1801'] } };
  const result = await evaluate({ cases: [far, ...cases.slice(1)], budgets, budget: 20 });
  const text = formatEvaluation(result);
  expect(text).toContain('6 cases; the pools of 6 hold evidence.');
  expect(text).toMatch(/^shaping +\d+\.\d \(.*–.*\)/m);
  expect(text).toMatch(/^whole pool +[\d,]+$/m);
  expect(text).toMatch(/^20 +\d+\.\d( +\d+\.\d){4}$/m);
  expect(text).toContain('lost: summer (answers; in ');
});
