import { readFileSync } from 'node:fs';
import { createShaper, type EcsMethod } from 'context-shaping';
import { type CalibrationProfile, calibrate, type LabelledQuestion } from 'context-shaping/logprobs';
import { fakeEmbedder } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { ggufModel } from '../../../adapters/gguf/index.js';
import {
  areaUnderCurve,
  f1AtK,
  intervalOf,
  signTest,
} from '../../../adapters/logprobs/calibrate/statistics.js';
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

  test('the interval of a mean, by Student’s t', () => {
    const values = Array.from({ length: 20 }, (_, n) => n % 2);
    // s = √(5/19), and the 97.5 % quantile with 19 degrees of freedom is 2.0930.
    const half = 2.093 * Math.sqrt(5 / 19 / 20);
    expect(intervalOf(values)).toEqual({
      mean: 0.5,
      low: expect.closeTo(0.5 - half, 4),
      high: expect.closeTo(0.5 + half, 4),
    });
    expect(intervalOf([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2 });
  });

  test('the sign test: as a coin has it, zeros left out', () => {
    expect(signTest([1, 2, 3, 0])).toBeCloseTo(1 / 8, 12);
    expect(signTest([1, 1, -1])).toBeCloseTo(4 / 8, 12);
    expect(signTest([-1, -1])).toBeCloseTo(1, 12);
    expect(signTest([])).toBe(1);
    // 15 of 20: 21,700 / 2^20.
    expect(signTest([...Array(15).fill(1), ...Array(5).fill(-1)])).toBeCloseTo(21_700 / 2 ** 20, 12);
  });
});

const summary = ({ methods }: CalibrationProfile) =>
  Object.entries(methods)
    .map(([name, { wins, ecs, relevance, bm25 }]) => {
      const [own, words, plain] = [ecs, relevance, bm25].map(({ auc }) => auc.toFixed(3));
      return `${name}: AUC ${own}, relevance ${words}, BM25 ${plain}, ${wins ? 'trusted' : 'not trusted'}`;
    })
    .join('; ');

describe('calibrate', () => {
  test('the small model earns trust with the answer, and not without', { tags: ['long'] }, async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(tinyModel()) },
      methods: ['answer', 'trajectory'],
    });
    const { answer, trajectory } = profile.methods;
    console.log(summary(profile));
    expect(profile).toMatchObject({ version: 1, questions: 60, passages: 420 });
    expect(answer?.model).toMatch(/^gguf:sha256:/);
    expect(answer).toMatchObject({ wins: true, failed: 0 });
    expect(answer?.ecs.auc).toBeGreaterThan(0.99);
    expect(answer?.relevance.auc).toBeLessThan(0.97);
    expect(answer?.gainOverRelevance.low).toBeGreaterThan(0.02);
    expect(trajectory?.wins).toBe(false);
  });

  test('a broken one does not', { tags: ['long'] }, async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(brokenTinyModel()) },
      methods: ['answer'],
    });
    console.log(summary(profile));
    expect(profile.methods.answer).toMatchObject({ wins: false, failed: 0 });
  });

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

  test.each(['first', 'last'])(
    'a model that knows nothing does not win where the relevant passage comes %s',
    async (place) => {
      // All passages shift the answer equally, so all utilities are equal.
      const idle = knownModel((context) => (context.length === 0 ? 0.1 : 0.3));
      const data = made(20).map((question) => ({
        ...question,
        passages: question.passages.toSorted(
          (a, b) => (Number(b.relevant) - Number(a.relevant)) * (place === 'first' ? 1 : -1),
        ),
      }));
      const { methods } = await calibrate({
        data,
        ecs: { model: idle, lengthPenalty: 0 },
        methods: ['answer'],
      });
      expect(methods.answer?.wins).toBe(false);
      expect(methods.answer?.utility.auc).toBe(0.5);
    },
  );

  test('a few lucky questions are not enough', async () => {
    // Better on 4 of 20, equal on 16: by the interval alone it would win.
    const lucky = knownModel((context, _, question) =>
      Number(/\d+/.exec(question)?.[0]) < 4 && context.some((line) => line.includes('Paris')) ? 0.9 : 0.1,
    );
    const data = made(20).map((question) => ({
      ...question,
      passages: question.passages.filter(({ text }) => !text.startsWith('Cats')),
    }));
    const ecs = { model: lucky, lengthPenalty: 0, share: 0.9 };
    const { methods } = await calibrate({ data, ecs, methods: ['answer'] });
    expect(methods.answer?.gainOverRelevance).toMatchObject({ mean: expect.closeTo(0.2, 10), p: 1 / 16 });
    expect(methods.answer?.wins).toBe(false);
  });

  test('the retriever’s scores, and vectors, are part of the relevance that has to be beaten', async () => {
    const scored = made(20).map((question) => ({
      ...question,
      passages: question.passages.map((passage) => ({ ...passage, score: passage.relevant ? 1 : 0 })),
    }));
    const { methods } = await calibrate({ data: scored, ecs: { model: knows }, methods: ['answer'] });
    const { methods: plain } = await calibrate({
      data: made(20),
      ecs: { model: knows },
      methods: ['answer'],
    });
    expect(methods.answer?.relevance.auc).toBeGreaterThan(plain.answer?.relevance.auc as number);
    const embedder = fakeEmbedder();
    await calibrate({ data: made(20), ecs: { model: knows }, shaping: { embedder }, methods: ['answer'] });
    expect(embedder.calls.length).toBeGreaterThan(0);
  });

  test('with a model and a judge each verdict names whom it is about, and the settings it holds for', async () => {
    const judge = knownJudge(({ passage }) => (passage.includes('Paris') ? 0.9 : 0.1));
    const profile = await calibrate({
      data: made(20),
      ecs: { model: knows, judge, lengthPenalty: 0.1 },
      methods: ['answer', 'judge'],
    });
    expect(profile.methods.answer).toMatchObject({
      model: 'known',
      settings: { lengthPenalty: 0.1, share: 0.75 },
    });
    expect(profile.methods.judge?.model).toBe('known judge');
    const ecs = { model: knows, judge, lengthPenalty: 0.1, withoutAnswer: 'judge', profile } as const;
    const { report } = await createShaper({ ecs }).shape({
      query: 'Where?',
      chunks: [{ id: 'a', text: 'Paris' }],
    });
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'judge', model: 'known judge' });
  });

  test('a method that cannot be measured costs the others nothing', async () => {
    const silent = knownModel((context) => (context.some((line) => line.includes('Paris')) ? 0.9 : 0.1));
    const { methods } = await calibrate({
      data: made(20),
      ecs: { model: silent },
      methods: ['answer', 'trajectory'],
    });
    expect(methods.answer?.wins).toBe(true);
    expect(methods.trajectory).toMatchObject({
      wins: false,
      failed: 20,
      failure: expect.stringContaining('returned no text'),
    });
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
    ['a question twice', { data: [...made(20), ...made(1)] }, 'invalid-input', 'data'],
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
