import { readFileSync } from 'node:fs';
import { createShaper, type EcsMethod } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import {
  type CalibrationProfile,
  calibrate,
  type LabelledQuestion,
} from 'context-shaping-devtools/calibrate';
import { describe, expect, test } from 'vitest';
import { brokenTinyModel } from '../../../../test/adapters/logprobs/broken-model.js';
import { items, tinyModel } from '../../../../test/adapters/logprobs/items.js';
import { brokenModel, knownJudge, knownModel } from '../../../../test/ecs/models.js';
import { ggufModel } from '../../../../test/gguf/gguf-model.js';
import { seededRandom } from '../../../../test/random.js';
import { cellsFor } from '../../src/calibrate/cells.js';
import { crossValidated } from '../../src/gate/index.js';

const labelled: LabelledQuestion[] = readFileSync(
  new URL('../../../../test/fixtures/ecs-tiny/labelled.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The answer is in other words than those of the passages, so that no search for it finds it. */
const made = (count: number, change: Partial<LabelledQuestion> = {}): LabelledQuestion[] =>
  Array.from({ length: count }, (_, n) => ({
    question: `Where is tower ${n}?`,
    answer: 'Paris',
    passages: [
      { text: `Tower ${n} was painted brown.`, relevant: false },
      { text: `It stands in the capital of France, number ${n}.`, relevant: true },
      { text: 'Cats sleep all day.', relevant: false },
    ],
    ...change,
  }));
const isRight = (line: string) => line.includes('capital of France');
const knows = knownModel((context) => (context.some(isRight) ? 0.9 : 0.1));

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

const summary = ({ methods }: CalibrationProfile) =>
  Object.entries(methods)
    .map(([name, { wins, ecs, relevance, bm25 }]) => {
      const [own, words, plain] = [ecs, relevance, bm25].map(({ auc }) => auc.toFixed(3));
      return `${name}: AUC ${own}, relevance ${words}, BM25 ${plain}, ${wins ? 'trusted' : 'not trusted'}`;
    })
    .join('; ');

describe('calibrate', () => {
  test('the small model gains nothing where the others may search for the answer too', async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(tinyModel()) },
      methods: ['answer'],
    });
    const { answer } = profile.methods;
    console.log(summary(profile));
    expect(profile).toMatchObject({ version: 2, questions: 60, passages: 420, ranked: false });
    expect(answer?.model).toMatch(/^gguf:sha256:/);
    expect(answer).toMatchObject({ wins: false, failed: 0, alpha: 0.05 });
    expect(answer?.ecs.auc).toBe(1);
    expect(answer?.relevance).toMatchObject({ auc: 1, by: 'question and answer' });
    expect(answer?.bm25).toMatchObject({ auc: 1, by: 'question and answer' });
    expect(answer?.gainOverBm25).toMatchObject({ mean: 0, p: 1 });
  });

  test('a broken one does not win', async () => {
    const profile = await calibrate({
      data: labelled,
      ecs: { model: ggufModel(brokenTinyModel()), share: 0.75 },
      methods: ['answer'],
    });
    console.log(summary(profile));
    expect(profile.methods.answer).toMatchObject({ wins: false, failed: 0, share: 0.75 });
    expect(profile.methods.answer?.gainOverRelevance.mean).toBeLessThan(0);
  });

  test('without the answer the others do not have it either', async () => {
    const talks = knownModel(
      (context) => (context.some(isRight) ? 0.9 : 0.1),
      () => ' Paris',
    );
    const { methods } = await calibrate({
      data: made(20),
      ecs: { model: talks },
      methods: ['answer', 'expected-utility'],
    });
    expect(methods['expected-utility']).toMatchObject({
      relevance: { by: 'question' },
      bm25: { by: 'question' },
    });
    expect(methods.answer?.alpha).toBe(0.025);
  });

  test('the stage trusts the profile, of that model, that method and that kind of list', async () => {
    const profile = JSON.parse(
      JSON.stringify(await calibrate({ data: made(60), ecs: { model: knows }, methods: ['answer'] })),
    );
    expect(profile.methods.answer).toMatchObject({ wins: true, reasons: [] });
    const input = {
      query: { text: 'Where?', answer: 'Paris' },
      chunks: [
        { id: 'a', text: 'one' },
        { id: 'b', text: 'the capital of France' },
      ],
      ranked: false,
    };
    const { report } = await createShaper({ ecs: { model: knows, profile } }).shape(input);
    const { share, maxCandidates } = profile.methods.answer;
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'answer', share, maxCandidates });
    const refusal = async (shaper: ReturnType<typeof createShaper>, change: object = {}) => {
      const { report } = await shaper.shape({ ...input, ...change });
      expect(report.ecs?.trust).toBe('none');
      return report.degradations[0]?.message;
    };
    const other = knownModel(() => 0.5, undefined, 'another');
    expect(await refusal(createShaper({ ecs: { model: other, profile } }))).toContain('"another"');
    const shaper = createShaper({ ecs: { model: knows, profile } });
    expect(await refusal(shaper, { query: 'Where?' })).toContain('expected-utility');
    expect(await refusal(shaper, { ranked: true })).toContain('the list "not ranked"');
    // The note's findings: words only were beaten, and the profile was accepted with all of these.
    const embedder = fakeEmbedder();
    expect(await refusal(createShaper({ embedder, ecs: { model: knows, profile } }))).toContain(
      'embedder "none"',
    );
    const weights = { place: 100 };
    expect(await refusal(createShaper({ relevance: { weights }, ecs: { model: knows, profile } }))).toContain(
      'relevance.weights',
    );
    expect(await refusal(createShaper({ ecs: { model: knows, profile, maxCandidates: 2 } }))).toContain(
      'ecs.maxCandidates 4, but the current value is 2',
    );
  });

  test('with fewer than 60 questions nothing is trusted, however clear the gain', async () => {
    const { methods } = await calibrate({ data: made(59), ecs: { model: knows }, methods: ['answer'] });
    expect(methods.answer).toMatchObject({
      wins: false,
      reasons: ['59 questions are too few: trust needs 60.'],
      ecs: { auc: 1 },
    });
  });

  test('with scores for all passages the list is ranked, and the profile is of ranked lists', async () => {
    const scored = made(60).map((question) => ({
      ...question,
      passages: question.passages.map((passage, place) => ({ ...passage, score: place / 10 })),
    }));
    const profile = await calibrate({ data: scored, ecs: { model: knows }, methods: ['answer'] });
    expect(profile).toMatchObject({
      ranked: true,
      methods: { answer: { settings: { 'the list': 'ranked' } } },
    });
    const shaper = createShaper({ ecs: { model: knows, profile } });
    const shaped = async (ranked: boolean) =>
      (
        await shaper.shape({
          query: { text: 'Where?', answer: 'Paris' },
          chunks: [{ id: 'a', text: 'b' }],
          ranked,
        })
      ).report.ecs?.trust;
    expect([await shaped(true), await shaped(false)]).toEqual(['profile', 'none']);
    const unranked = await calibrate({
      data: scored,
      ecs: { model: knows },
      shaping: { ranked: false },
      methods: ['answer'],
    });
    expect(unranked.ranked).toBe(false);
  });

  test('twice is the same, in every order of the passages', async () => {
    const once = await calibrate({ data: made(20), ecs: { model: knows }, methods: ['answer'] });
    expect(
      await calibrate({ data: made(20).toReversed(), ecs: { model: knows }, methods: ['answer'] }),
    ).toEqual(once);
    const turned = made(20).map((question) => ({ ...question, passages: question.passages.toReversed() }));
    const other = await calibrate({ data: turned, ecs: { model: knows }, methods: ['answer'] });
    expect(other.methods.answer?.relevance.auc).toBeCloseTo(once.methods.answer?.relevance.auc as number, 12);
    expect(other.methods.answer?.ecs.auc).toBe(1);
  });

  test('what wins by chance does not win', async () => {
    // Right for 33 of 60 questions, wrong for 27.
    const unsure = knownModel((context, _, question) => {
      const isKnown = Number(/\d+/.exec(question)?.[0]) < 33;
      return context.some((line) => isRight(line) === isKnown) ? 0.9 : 0.1;
    });
    const { methods } = await calibrate({
      data: made(60),
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

  test('progress is reported after each question', async () => {
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
    // Better on 4 of 60, equal on 56. A gain of 1 that four questions have can be chance: p = (1/2)^4.
    const lucky = knownModel((context, _, question) =>
      Number(/\d+/.exec(question)?.[0]) < 4 && context.some(isRight) ? 0.9 : 0.1,
    );
    const data = made(60).map((question) => ({
      ...question,
      passages: question.passages.filter(({ text }) => !text.startsWith('Cats')),
    }));
    const ecs = { model: lucky, lengthPenalty: 0, share: 0.9 };
    const { methods } = await calibrate({ data, ecs, methods: ['answer'] });
    expect(methods.answer?.gainOverRelevance).toMatchObject({ mean: expect.closeTo(4 / 60, 10), p: 1 / 16 });
    expect(methods.answer?.wins).toBe(false);
  });

  test('the share and the number of candidates are found, and given ones are kept', async () => {
    const seen: number[] = [];
    const counting = brokenModel(knows, (whole) => {
      seen.push(whole.results.length);
      return whole;
    });
    const { methods } = await calibrate({ data: made(20), ecs: { model: counting }, methods: ['answer'] });
    // All three passages are measured; with the least share that lifts the relevant one above the words of the other.
    expect(methods.answer).toMatchObject({ maxCandidates: 4, ecs: { auc: 1 } });
    // Once without a passage and once with each of three, then the round with the best as given.
    expect(seen.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20 * 8);
    const given = await calibrate({
      data: made(20),
      ecs: { model: knows, share: 0.1, maxCandidates: 1 },
      methods: ['answer'],
    });
    expect(given.methods.answer).toMatchObject({ share: 0.1, maxCandidates: 1 });
  });

  test('the retriever’s scores, and vectors, are part of the relevance that has to be beaten', async () => {
    // By words, the passage that answers is a little worse than the others.
    const given = made(20).map((question, n) => ({
      ...question,
      passages: [
        { text: `It was painted brown, number ${n}.`, relevant: false },
        { text: `It stands in the capital of France, number ${n}.`, relevant: true },
        { text: `Cats sleep all day, number ${n}.`, relevant: false },
      ],
    }));
    const scored = given.map((question) => ({
      ...question,
      passages: question.passages.map((passage) => ({ ...passage, score: passage.relevant ? 1 : 0 })),
    }));
    const { methods } = await calibrate({ data: scored, ecs: { model: knows }, methods: ['answer'] });
    const { methods: plain } = await calibrate({ data: given, ecs: { model: knows }, methods: ['answer'] });
    expect(plain.answer?.relevance.auc).toBeLessThan(1);
    expect(methods.answer?.relevance.auc).toBe(1);
  });

  test('the model has to beat vectors too, beside words or with BM25; each text is embedded once', async () => {
    const asked: string[] = [];
    const embedder = {
      provider: 'maker',
      modelId: 'm1',
      embed: async (texts: readonly string[]) => {
        asked.push(...texts);
        return texts.map((text) => (isRight(text) || text.includes('Where') ? [1, 0] : [0, 1]));
      },
    };
    const { methods } = await calibrate({
      data: made(60),
      ecs: { model: knows },
      shaping: { embedder },
      methods: ['answer'],
    });
    expect(methods.answer?.bm25).toMatchObject({ vectors: true });
    expect(methods.answer?.settings.embedder).toBe('maker/m1');
    // 60 questions without and with the answer, and 121 different passages.
    expect(asked.length).toBeLessThanOrEqual(60 * 2 + 60 * 3);
  });

  test('an embedder that fails is an error: words cannot replace it as a baseline', async () => {
    const embedder = { embed: () => Promise.reject(new Error('no vectors today')) };
    const calibrating = calibrate({
      data: made(20),
      ecs: { model: knows },
      shaping: { embedder },
      methods: ['answer'],
    });
    await expect(calibrating).rejects.toMatchObject({
      kind: 'service',
      field: 'shaping.embedder',
      remedy: expect.stringContaining('no vectors today'),
    });
  });

  test('with a model and a judge each verdict names its ranker, and the settings it holds for', async () => {
    const judge = knownJudge(({ passage }) => (isRight(passage) ? 0.9 : 0.1));
    const profile = await calibrate({
      data: made(60),
      ecs: { model: knows, judge, lengthPenalty: 0.1 },
      methods: ['answer', 'judge'],
    });
    expect(profile.methods.answer).toMatchObject({
      model: 'known',
      settings: { 'ecs.lengthPenalty': 0.1 },
    });
    expect(profile.methods.judge?.model).toBe('known judge');
    const ecs = { model: knows, judge, lengthPenalty: 0.1, withoutAnswer: 'judge', profile } as const;
    const { report } = await createShaper({ ranked: false, ecs }).shape({
      query: 'Where?',
      chunks: [{ id: 'a', text: 'Paris' }],
    });
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'judge', model: 'known judge' });
  });

  test('a judge that knows the answer: the others may search for it too, and the verdict is of that judge', async () => {
    const judge = knownJudge(({ passage, answer }) => (answer === 'Paris' && isRight(passage) ? 0.9 : 0.1));
    const profile = await calibrate({ data: made(60), ecs: { judge }, judgeKnowsAnswer: true });
    expect(judge.asked.every(({ answer }) => answer === 'Paris')).toBe(true);
    expect(profile.methods.judge).toMatchObject({ wins: true, ecs: { auc: 1 } });
    const shaper = createShaper({ ranked: false, ecs: { judge, profile } });
    const trustOf = async (answer?: string) => {
      const query = { text: 'Where?', answer };
      return (await shaper.shape({ query, chunks: [{ id: 'a', text: 'b' }] })).report.ecs?.trust;
    };
    expect([await trustOf('Paris'), await trustOf()]).toEqual(['profile', 'none']);
    const literal = made(60).map((question, n) => ({
      ...question,
      passages: question.passages.map(({ text, relevant }) => ({
        text: relevant ? `Tower ${n} stands in Paris, the capital of France.` : text,
        relevant,
      })),
    }));
    const { methods } = await calibrate({ data: literal, ecs: { judge }, judgeKnowsAnswer: true });
    expect(methods.judge).toMatchObject({ wins: false, bm25: { by: 'question and answer', auc: 1 } });
  });

  test('a method that cannot be measured costs the others nothing', async () => {
    const silent = knownModel((context) => (context.some(isRight) ? 0.9 : 0.1));
    const { methods } = await calibrate({
      data: made(60),
      ecs: { model: silent },
      methods: ['answer', 'trajectory'],
    });
    expect(methods.answer?.wins).toBe(true);
    expect(methods.trajectory).toMatchObject({
      wins: false,
      failed: 60,
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
    [
      'a judge that would know, and is not there',
      { judgeKnowsAnswer: true },
      'invalid-options',
      'judgeKnowsAnswer',
    ],
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

describe('cross-validation', () => {
  test('the grid ends with the first number of candidates that covers the largest pool', () => {
    const counts = (largest: number) => [
      ...new Set(cellsFor({}, largest).map(({ maxCandidates }) => maxCandidates)),
    ];
    expect(counts(3)).toEqual([4]);
    expect(counts(17)).toEqual([4, 8, 16, 32]);
    expect(cellsFor({ share: 0.3 }, 8)).toEqual([
      { maxCandidates: 4, share: 0.3 },
      { maxCandidates: 8, share: 0.3 },
    ]);
    expect(cellsFor({ maxCandidates: 5, share: null }, 99)).toEqual(
      [0.25, 0.5, 0.75, 1].map((share) => ({ maxCandidates: 5, share })),
    );
  });

  const questions = Array.from({ length: 60 }, (_, place) => `Question ${place}?`);

  test('of equal settings the first is chosen; the order of the questions does not count', () => {
    const aucs = questions.map((_, place) => [0.1, place % 2, 1 - (place % 2), 0.5]);
    const { chosen, byQuestion } = crossValidated(questions, aucs);
    expect(chosen).toBe(1);
    const turned = crossValidated(questions.toReversed(), aucs.toReversed());
    expect(turned).toEqual({ chosen, byQuestion: byQuestion.toReversed() });
  });

  test('questions with one key are in one fold: those of a group choose nothing for each other', () => {
    // Only the group `odd` is better with the second setting, and so much that it would choose it.
    const keys = [...questions, ...Array.from({ length: 30 }, () => 'odd')];
    const aucs = keys.map((key) => (key === 'odd' ? [0, 1] : [0.1, 0]));
    const { chosen, byQuestion } = crossValidated(keys, aucs);
    expect(chosen).toBe(1);
    expect(new Set(byQuestion.slice(questions.length))).toEqual(new Set([0]));
  });

  test('choosing among settings that are all noise gains nothing', () => {
    const random = seededRandom(5);
    let [fitted, validated] = [0, 0];
    for (let run = 0; run < 200; run++) {
      const noise = questions.map(() => Array.from({ length: 20 }, () => random() - 0.5));
      const { chosen, byQuestion } = crossValidated(questions, noise);
      noise.forEach((own, place) => {
        fitted += (own[chosen] as number) / (200 * 60);
        validated += (own[byQuestion[place] as number] as number) / (200 * 60);
      });
    }
    expect(fitted).toBeGreaterThan(0.04);
    expect(Math.abs(validated)).toBeLessThan(0.01);
  });
});
