import { readFileSync } from 'node:fs';
import { createShaper, type EcsMethod } from 'context-shaping';
import { calibrate, ggufModel, type LabelledQuestion } from 'context-shaping/logprobs';
import { describe, expect, test } from 'vitest';
import { areaUnderCurve, f1AtK, intervalOf } from '../../../adapters/logprobs/calibrate/statistics.js';
import { brokenModel, knownJudge, knownModel } from '../../ecs/models.js';
import { brokenTinyModel } from './broken-model.js';
import { items, areaUnderCurve as naiveArea, tinyModel } from './items.js';

const labelled: LabelledQuestion[] = readFileSync(
  new URL('../../fixtures/ecs-tiny/labelled.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const made = (count: number, change: Partial<LabelledQuestion> = {}): LabelledQuestion[] =>
  Array.from({ length: count }, (_, n) => ({
    question: `Where is tower ${n}?`,
    answer: 'Paris',
    passages: [
      { text: `Tower ${n} was painted brown.`, relevant: false },
      { text: `It stands in Paris, number ${n}.`, relevant: true },
      { text: 'Cats sleep all day.', relevant: false },
    ],
    ...change,
  }));
const knows = knownModel((context) => (context.some((line) => line.includes('Paris')) ? 0.9 : 0.1));

test('the labelled questions are the items, each with one passage that answers', () => {
  expect(labelled).toEqual(
    items.map(({ question, answer, base, candidates }) => {
      const spare = candidates.filter(({ kind }) => kind === 'answer').slice(1);
      return {
        question,
        answer,
        context: base,
        passages: candidates
          .filter((each) => !spare.includes(each))
          .map(({ kind, text }) => ({ text, relevant: kind === 'answer' })),
      };
    }),
  );
});

describe('statistics', () => {
  const scored = (...pairs: [number, boolean][]) => pairs.map(([score, relevant]) => ({ score, relevant }));

  test('area under the curve: pairs that are in order, ties half', () => {
    expect(areaUnderCurve(scored([3, true], [2, false], [1, false]))).toBe(1);
    expect(areaUnderCurve(scored([1, true], [2, false], [1, false]))).toBe(0.25);
    const pairs = scored([0.3, true], [0.3, false], [0.9, true], [0.1, true], [0.4, false], [0.2, false]);
    const of = (relevant: boolean) =>
      pairs.filter((each) => each.relevant === relevant).map(({ score }) => score);
    expect(areaUnderCurve(pairs)).toBeCloseTo(naiveArea(of(true), of(false)), 12);
  });

  test('F1 at k: as many as are relevant are taken; of equals, any', () => {
    expect(f1AtK(scored([3, true], [2, false], [1, true]))).toBe(0.5);
    expect(f1AtK(scored([1, true], [1, false], [1, false], [1, false]))).toBe(0.25);
    expect(f1AtK(scored([2, true], [1, true], [1, false]))).toBe(0.75);
  });

  test('the interval of a mean', () => {
    // s = √(2/3), n = 4.
    const half = (1.96 * Math.sqrt(2 / 3)) / 2;
    expect(intervalOf([0, 1, 1, 2])).toEqual({
      mean: 1,
      low: expect.closeTo(1 - half, 12),
      high: expect.closeTo(1 + half, 12),
    });
    expect(intervalOf([2, 2])).toEqual({ mean: 2, low: 2, high: 2 });
  });
});

describe('calibrate', () => {
  test('the small model earns trust with the answer, and not without', async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(tinyModel()) },
      methods: ['answer', 'trajectory'],
    });
    const { answer, trajectory } = profile.methods;
    console.log(
      JSON.stringify(profile.methods, (_, value) =>
        typeof value === 'number' ? Number(value.toFixed(3)) : value,
      ),
    );
    expect(profile).toMatchObject({
      version: 1,
      questions: 60,
      passages: 420,
      model: expect.stringMatching(/^gguf:sha256:/),
    });
    expect(answer).toMatchObject({ wins: true, failed: 0 });
    expect(answer?.ecs.auc).toBeGreaterThan(0.99);
    expect(answer?.relevance.auc).toBeLessThan(0.97);
    expect(answer?.gainOverRelevance.low).toBeGreaterThan(0.02);
    expect(trajectory?.wins).toBe(false);
  }, 300_000);

  test('a broken one does not', async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(brokenTinyModel()) },
      methods: ['answer'],
    });
    console.log(
      JSON.stringify(profile.methods, (_, value) =>
        typeof value === 'number' ? Number(value.toFixed(3)) : value,
      ),
    );
    expect(profile.methods.answer).toMatchObject({ wins: false, failed: 0 });
  }, 300_000);

  test('the stage trusts the profile, of that model and that method', async () => {
    const profile = JSON.parse(
      JSON.stringify(await calibrate({ data: made(20), ecs: { model: knows }, methods: ['answer'] })),
    );
    expect(profile.methods.answer.wins).toBe(true);
    const input = {
      query: { text: 'Where?', answer: 'Paris' },
      chunks: [
        { id: 'a', text: 'one' },
        { id: 'b', text: 'Paris' },
      ],
    };
    const { report } = await createShaper({ ecs: { model: knows, profile } }).shape(input);
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'answer' });
    const other = knownModel(() => 0.5, undefined, 'another');
    const { report: refused } = await createShaper({ ecs: { model: other, profile } }).shape(input);
    expect(refused.ecs?.trust).toBe('none');
    const { report: unknown } = await createShaper({ ecs: { model: knows, profile } }).shape({
      ...input,
      query: 'Where?',
    });
    expect(unknown.degradations[0]?.message).toContain('expected-utility');
  });

  test('twice is the same, whatever the order of the passages', async () => {
    const once = await calibrate({ data: made(20), ecs: { model: knows }, methods: ['answer'] });
    expect(await calibrate({ data: made(20), ecs: { model: knows }, methods: ['answer'] })).toEqual(once);
    const turned = made(20).map((question) => ({ ...question, passages: question.passages.toReversed() }));
    const other = await calibrate({ data: turned, ecs: { model: knows }, methods: ['answer'] });
    expect(other.methods.answer?.relevance.auc).toBeCloseTo(once.methods.answer?.relevance.auc as number, 12);
    expect(other.methods.answer?.ecs.auc).toBe(1);
  });

  test('what wins by chance does not win', async () => {
    // Right for eleven of twenty questions, wrong for nine.
    const unsure = knownModel((context, _, question) => {
      const isRight = Number(/\d+/.exec(question)?.[0]) < 11;
      return context.some((line) => line.includes('Paris') === isRight) ? 0.9 : 0.1;
    });
    const { methods } = await calibrate({
      data: made(20),
      ecs: { model: unsure, share: 1 },
      methods: ['answer'],
    });
    expect(methods.answer?.gainOverRelevance.low).toBeLessThan(0);
    expect(methods.answer?.wins).toBe(false);
  });

  test('methods: all that model and data allow, or those that are named', async () => {
    const measured = async (options: Partial<Parameters<typeof calibrate>[0]>) =>
      Object.keys((await calibrate({ data: made(20), ecs: { model: knows }, ...options })).methods);
    const talks = knownModel(
      () => 0.5,
      () => ' Paris',
    );
    expect(await measured({ ecs: { model: talks } })).toEqual([
      'answer',
      'expected-utility',
      'trajectory',
      'judge',
    ]);
    expect(await measured({ ecs: { judge: knownJudge(() => 0.5) } })).toEqual(['judge']);
    expect(await measured({ data: made(20, { answer: undefined }), ecs: { model: talks } })).not.toContain(
      'answer',
    );
    expect(await measured({ methods: ['answer', 'answer'] })).toEqual(['answer']);
  });

  test('progress is told after each question', async () => {
    const told: [number, number][] = [];
    await calibrate({
      data: made(20),
      ecs: { model: knows },
      methods: ['answer'],
      onProgress: (...each) => told.push(each),
    });
    expect(told).toHaveLength(20);
    expect(told.at(-1)).toEqual([20, 20]);
  });

  test('questions that the service fails on are ranked by relevance, and counted', async () => {
    let calls = 0;
    const model = brokenModel(knows, (whole) => {
      if (calls++ % 4 === 0) throw new Error('down');
      return whole;
    });
    const { methods } = await calibrate({ data: made(20), ecs: { model, rounds: 1 }, methods: ['answer'] });
    expect(methods.answer?.failed).toBe(5);
  });

  test('a service that fails on all is an error', async () => {
    const model = brokenModel(knows, () => Promise.reject(new Error('down')));
    await expect(calibrate({ data: made(20), ecs: { model } })).rejects.toMatchObject({
      kind: 'service',
      remedy: expect.stringContaining('down'),
    });
  });

  test('an abort passes', async () => {
    const controller = new AbortController();
    const calibrating = calibrate({
      data: made(20),
      ecs: { model: knows },
      onProgress: () => controller.abort(new Error('enough')),
      signal: controller.signal,
    });
    await expect(calibrating).rejects.toThrow('enough');
  });

  const [first] = made(1) as [LabelledQuestion];
  test.each<[string, object, string, string]>([
    ['too few questions', { data: made(19) }, 'invalid-input', 'data'],
    ['no text', { data: [{ ...first, question: '' }] }, 'invalid-input', 'data[0].question'],
    [
      'no relevant passage',
      { data: [first, { ...first, passages: [{ text: 'a', relevant: false }] }] },
      'invalid-input',
      'data[1].passages',
    ],
    [
      'only relevant passages',
      { data: [{ ...first, passages: [{ text: 'a', relevant: true }] }] },
      'invalid-input',
      'data[0].passages',
    ],
    [
      'a label that is none',
      { data: [{ ...first, passages: [{ text: 'a', relevant: 1 }] }] },
      'invalid-input',
      'data[0].passages[0].relevant',
    ],
    ['no data', { data: 3 }, 'invalid-options', 'data'],
    ['a method that is none', { methods: ['guess'] }, 'invalid-options', 'methods.0'],
    ['neither model nor judge', { ecs: {} }, 'invalid-options', 'ecs.model'],
    [
      'answers wanted that are not there',
      { data: made(20, { answer: undefined }), methods: ['answer'] },
      'invalid-options',
      'methods',
    ],
    ['an option of ecs that is none', { ecs: { model: knows, rounds: 0 } }, 'invalid-options', 'ecs.rounds'],
    ['an option that is none', { dataset: [] }, 'invalid-options', 'dataset'],
  ])('%s', async (_, change, kind, field) => {
    const calibrating = calibrate({
      data: made(20),
      ecs: { model: knows },
      methods: ['answer'] as EcsMethod[],
      ...change,
    } as never);
    await expect(calibrating).rejects.toMatchObject({ kind, field });
  });
});
