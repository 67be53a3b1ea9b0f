import { readFileSync } from 'node:fs';
import { createShaper, type EcsMethod, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import { type FitModelsOptions, fitModels, type ModelFigures } from 'context-shaping-devtools/evaluate';
import { describe, expect, test } from 'vitest';
import { tinyModel } from '../../../../../test/adapters/logprobs/items.js';
import { brokenModel, knownJudge, knownModel } from '../../../../../test/ecs/models.js';
import { ggufModel } from '../../../../../test/gguf/gguf-model.js';
import { cellsFor } from '../../../src/evaluate/fit-models.js';
import { crossValidated } from '../../../src/gate/index.js';
import { caseOf, isGiven, type Labelled } from '../../evaluate/labelled.js';

const labelled: Labelled[] = readFileSync(
  new URL('../../../../../test/fixtures/ecs-tiny/labelled.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The answer is in other words than those of the passages, so that no search for it finds it. */
const made = (count: number, change: Partial<Labelled> = {}): Labelled[] =>
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

/** Fits the models of `ecs` to labelled questions. */
async function fitted(
  data: readonly Labelled[],
  ecs: ShapingOptions['ecs'],
  {
    shaping,
    methods = ['answer'],
    ...rest
  }: { shaping?: ShapingOptions } & Partial<Omit<FitModelsOptions, 'cases' | 'options'>> = {},
) {
  const options = { pin: isGiven, ecs, ...shaping };
  const fit = await fitModels({ cases: data.map(caseOf), options, methods, ...rest });
  // As it is read from a file.
  const { ecs: own } = JSON.parse(JSON.stringify(fit.options)) as typeof fit.options;
  return { profile: own?.profile, figures: fit.figures, only: fit.figures.answer as ModelFigures };
}

describe('fitModels', () => {
  test('the small model gains nothing where the others may search for the answer too', async () => {
    const { only } = await fitted(labelled, { model: ggufModel(tinyModel()) });
    const rival = { ndcg: 1, name: expect.stringContaining('with answer') };
    expect(only).toMatchObject({
      ...{ wins: false, failed: 0, alpha: 0.05, questions: 60, ranking: { ndcg: 1 } },
      ...{ relevance: rival, bm25: rival, gainOverBm25: { mean: 0, p: 1 } },
      settings: { 'the list': 'not ranked' },
    });
    expect(only.model).toMatch(/^gguf:sha256:/);
  });

  test('without the answer the others do not have it either', async () => {
    const talks = knownModel((context) => (context.some(isRight) ? 0.9 : 0.1));
    const { figures } = await fitted(made(20), { model: talks }, { methods: ['answer', 'question'] });
    expect(figures.question).toMatchObject({
      relevance: { name: 'relevance' },
      bm25: { name: 'BM25' },
      alpha: 0.025,
    });
  });

  test('the stage trusts the profile, of that model, that method and that kind of list', async () => {
    const { profile, only } = await fitted(made(60), { model: knows });
    expect(only).toMatchObject({ wins: true, reasons: [] });
    const input = {
      query: { text: 'Where?', answer: 'Paris' },
      chunks: [
        { id: 'a', text: 'one' },
        { id: 'b', text: 'the capital of France' },
      ],
      ranked: false,
    };
    const { report } = await createShaper({ ecs: { model: knows, profile } }).shape(input);
    const { share, maxCandidates } = only;
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'answer', share, maxCandidates });
    const refusal = async (shaper: ReturnType<typeof createShaper>, change: object = {}) => {
      const { report } = await shaper.shape({ ...input, ...change });
      expect(report.ecs?.trust).toBe('none');
      return report.degradations[0]?.message;
    };
    const other = knownModel(() => 0.5, 'another');
    expect(await refusal(createShaper({ ecs: { model: other, profile } }))).toContain('"another"');
    const shaper = createShaper({ ecs: { model: knows, profile } });
    expect(await refusal(shaper, { query: 'Where?' })).toContain('question');
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
    const { only } = await fitted(made(59), { model: knows });
    expect(only).toMatchObject({
      wins: false,
      reasons: ['59 questions are too few: trust needs 60.'],
      ranking: { ndcg: 1 },
    });
    // One that is there twice counts once.
    expect((await fitted([...made(59), ...made(3)], { model: knows })).only.questions).toBe(59);
  });

  test('with scores for all passages the list is ranked, and the profile is of ranked lists', async () => {
    const scored = made(60).map((question) => ({
      ...question,
      passages: question.passages.map((passage, place) => ({ ...passage, score: place / 10 })),
    }));
    const { profile, only } = await fitted(scored, { model: knows });
    expect(only.settings).toMatchObject({ 'the list': 'ranked' });
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
    const unranked = await fitted(scored, { model: knows }, { shaping: { ranked: false } });
    // Scores give an order in any case.
    expect(unranked.only.settings).toMatchObject({ 'the list': 'ranked' });
    await expect(fitted([...scored, ...made(3, { question: 'Who?' })], { model: knows })).rejects.toThrow(
      'another kind of list',
    );
  });

  test('twice is the same, in every order of the passages', async () => {
    const once = await fitted(made(20), { model: knows });
    expect(await fitted(made(20).toReversed(), { model: knows })).toEqual(once);
    const turned = made(20).map((question) => ({ ...question, passages: question.passages.toReversed() }));
    const { only } = await fitted(turned, { model: knows });
    expect(only.relevance.ndcg).toBeCloseTo(once.only.relevance.ndcg, 12);
    expect(only.ranking.ndcg).toBe(1);
  });

  test('methods: all that model and data allow, or those that are named', async () => {
    const measured = async (
      ecs: ShapingOptions['ecs'],
      rest: Parameters<typeof fitted>[2] = { methods: undefined },
      data = made(20),
    ) => Object.keys((await fitModels({ cases: data.map(caseOf), options: { ecs }, ...rest })).figures);
    const talks = knownModel(() => 0.5);
    const all = ['question', 'judge'];
    expect(await measured({ model: talks })).toEqual(['answer', ...all]);
    expect(await measured({ judge: knownJudge(() => 0.5) })).toEqual(['judge']);
    expect(await measured({ model: talks }, {}, made(20, { answer: undefined }))).toEqual(all);
    expect(await measured({ model: knows }, { methods: ['answer', 'answer'] })).toEqual(['answer']);
  });

  test('progress is reported after each question', async () => {
    const told: [number, number][] = [];
    await fitted(made(20), { model: knows }, { onProgress: (...each) => told.push(each) });
    expect(told).toEqual(Array.from({ length: 20 }, (_, at) => [at + 1, 20]));
  });

  test('a few lucky questions are not enough', async () => {
    // Better on 4 of 60, equal on 56. A gain of g that four questions have can be chance: p = (1 + g)^-4.
    const lucky = knownModel((context, _, question) =>
      Number(/\d+/.exec(question)?.[0]) < 4 && context.some(isRight) ? 0.9 : 0.1,
    );
    const data = made(60).map((question) => ({
      ...question,
      passages: question.passages.filter(({ text }) => !text.startsWith('Cats')),
    }));
    const { only } = await fitted(data, { model: lucky, lengthPenalty: 0, share: 0.9 });
    const gain = 1 - 1 / Math.log2(3);
    expect(only.gainOverRelevance.mean).toBeCloseTo((gain * 4) / 60, 10);
    expect(only.gainOverRelevance.p).toBeCloseTo((1 + gain) ** -4, 5);
    expect(only.wins).toBe(false);
  });

  test('the share and the number of candidates are found, and given ones are kept', async () => {
    const seen: number[] = [];
    const counting = brokenModel(knows, (whole) => {
      seen.push(whole.results.length);
      return whole;
    });
    const { only } = await fitted(made(20), { model: counting });
    // All three passages are measured; with the least share that lifts the relevant one above the words of the other.
    expect(only).toMatchObject({ maxCandidates: 4, ranking: { ndcg: 1 } });
    // Once without a passage and once with each of three, then the round with the best as given.
    expect(seen.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20 * 8);
    const given = await fitted(made(20), { model: knows, share: 0.1, maxCandidates: 1 });
    expect(given.only).toMatchObject({ share: 0.1, maxCandidates: 1 });
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
    expect((await fitted(given, { model: knows })).only.relevance.ndcg).toBeLessThan(1);
    expect((await fitted(scored, { model: knows })).only.relevance.ndcg).toBe(1);
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
    const { only } = await fitted(made(60), { model: knows }, { shaping: { embedder } });
    expect(only.bm25.name).toContain('vectors');
    expect(only.settings.embedder).toBe('maker/m1');
    // 60 questions without and with the answer, and 121 different passages.
    expect(asked.length).toBeLessThanOrEqual(60 * 2 + 60 * 3);
  });

  test('an embedder that fails is an error: words cannot replace it as a baseline', async () => {
    const embedder = { embed: () => Promise.reject(new Error('no vectors today')) };
    await expect(fitted(made(20), { model: knows }, { shaping: { embedder } })).rejects.toMatchObject({
      kind: 'service',
      field: 'embedder',
      remedy: expect.stringContaining('no vectors today'),
    });
  });

  test('with a model and a judge each verdict names its ranker, and the settings it holds for', async () => {
    const judge = knownJudge(({ passage }) => (isRight(passage) ? 0.9 : 0.1));
    const models = { model: knows, judge, lengthPenalty: 0.1 };
    const { profile, figures } = await fitted(made(60), models, { methods: ['answer', 'judge'] });
    expect(figures.answer).toMatchObject({ model: 'known', settings: { 'ecs.lengthPenalty': 0.1 } });
    expect(figures.judge?.model).toBe('known judge');
    const ecs = { ...models, withoutAnswer: 'judge', profile } as const;
    const { report } = await createShaper({ ranked: false, ecs }).shape({
      query: 'Where?',
      chunks: [{ id: 'a', text: 'Paris' }],
    });
    expect(report.ecs).toMatchObject({ trust: 'profile', method: 'judge', model: 'known judge' });
  });

  test('a judge that knows the answer: the others may search for it too, and the verdict is of that judge', async () => {
    const judge = knownJudge(({ passage, answer }) => (answer === 'Paris' && isRight(passage) ? 0.9 : 0.1));
    const knowing = { judgeKnowsAnswer: true, methods: ['judge'] as const };
    const { profile, figures } = await fitted(made(60), { judge }, knowing);
    expect(judge.asked.every(({ answer }) => answer === 'Paris')).toBe(true);
    expect(figures.judge).toMatchObject({ wins: true, ranking: { ndcg: 1 } });
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
    const refused = await fitted(literal, { judge }, knowing);
    expect(refused.figures.judge).toMatchObject({
      wins: false,
      bm25: { name: 'BM25, with answer', ndcg: 1 },
    });
  });

  test('a method that cannot be measured costs the others nothing', async () => {
    const silent = knownModel((context) => (context.some(isRight) ? 0.9 : 0.1));
    const judge = { ...knownJudge(() => 0.5), judge: () => Promise.reject(new Error('down')) };
    const { figures } = await fitted(made(60), { model: silent, judge }, { methods: ['answer', 'judge'] });
    expect(figures.answer?.wins).toBe(true);
    expect(figures.judge).toMatchObject({
      wins: false,
      failed: 60,
      failure: expect.stringContaining('down'),
    });
  });

  test('questions that the service fails on are ranked by relevance, and counted', async () => {
    let calls = 0;
    const model = brokenModel(knows, (whole) => {
      if (calls++ % 4 === 0) throw new Error('down');
      return whole;
    });
    expect((await fitted(made(20), { model, rounds: 1 })).only.failed).toBe(5);
  });

  test('a service that fails on all is an error', async () => {
    const model = brokenModel(knows, () => Promise.reject(new Error('down')));
    await expect(fitted(made(20), { model }, { methods: undefined })).rejects.toMatchObject({
      kind: 'service',
      remedy: expect.stringContaining('down'),
    });
  });

  test('an abort passes', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('enough'));
    const fitting = fitted(made(20), { model: knows }, { onProgress, signal: controller.signal });
    await expect(fitting).rejects.toThrow('enough');
  });

  const unanswered = made(20, { answer: undefined }).map(caseOf);
  test.each<[string, object, string, string]>([
    ['too few questions', { cases: made(19).map(caseOf) }, 'invalid-input', 'cases'],
    [
      'too few that count',
      { cases: made(40, { passages: [] }).map(caseOf) },
      'invalid-input',
      'cases[0].evidence',
    ],
    ['a malformed case', { cases: [{ query: '' }] }, 'invalid-input', 'cases[0].query'],
    ['no cases', { cases: 3 }, 'invalid-options', 'cases'],
    ['a method that is none', { methods: ['guess'] }, 'invalid-options', 'methods.0'],
    ['neither model nor judge', { options: { k: 3 } }, 'invalid-options', 'ecs.model'],
    ['no answers', { cases: unanswered }, 'invalid-options', 'methods'],
    [
      'an option of ecs that is none',
      { options: { ecs: { model: knows, rounds: 0 } } },
      'invalid-options',
      'ecs.rounds',
    ],
    [
      'a judge that would know, and is not there',
      { judgeKnowsAnswer: true },
      'invalid-options',
      'judgeKnowsAnswer',
    ],
    ['an option that is none', { dataset: [] }, 'invalid-options', 'dataset'],
  ])('%s', async (_, change, kind, field) => {
    const all = { cases: made(20).map(caseOf), options: { ecs: { model: knows } } };
    const methods: EcsMethod[] = ['answer'];
    await expect(fitModels({ ...all, methods, ...change } as never)).rejects.toMatchObject({ kind, field });
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
});
