import { fakeEmbedder } from 'context-shaping/testing';
import { afterAll, expect, test } from 'vitest';
import type { Case, Dataset } from '../data/case.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestions, loadNaturalQuestionsCollection } from '../data/nq.js';
import { makeDataFolder } from '../data-folder.js';
import { type Example, LIST_COLUMNS, PASSAGE_COLUMNS, scoresOf, UNIT_COLUMNS } from './example.js';
import { FOLDS, foldOf, withoutFold } from './folds.js';
import { loadMixedSessions, loadMixedTurns } from './haystacks.js';
import { leaveOneOutTable, overfetchedExamples, overfetchedSets } from './overfetched.js';
import { passageExamples } from './passages.js';
import { qualityOf } from './quality.js';
import { loadDocumentTalk, loadNamedTalk } from './talk.js';
import { unitExample } from './units.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const first = (dataset: Dataset | undefined) => dataset?.cases[0] as Case;
const column = (example: Example, columns: readonly string[], name: string) => [
  ...scoresOf(
    example,
    columns.map((each) => Number(each === name)),
  ),
];

test('haystacks: sessions that answer among others that answer no question of the set', () => {
  const sessions = first(loadMixedSessions(folder, 40));
  expect(sessions.relevant).toEqual(['s2']);
  expect(sessions.chunks.map(({ id }) => id).toSorted()).toEqual(['k1', 's2']);
  const turns = first(loadMixedTurns(folder, 40));
  expect(turns.relevant).toEqual(['s2#2']);
  // The blank turn of k1 is no chunk.
  expect(turns.chunks.map(({ id }) => id).toSorted()).toEqual(['k1#0', 'k1#1', 's2#0', 's2#1', 's2#2']);
  expect(turns.chunks.find(({ id }) => id === 's2#2')).toEqual({
    id: 's2#2',
    text: 'For 900 pounds.',
    metadata: { speaker: 'user', source: 's2', position: 2, date: '2023-05-21' },
  });
  // The first of the others is of the day of the question.
  expect(turns.chunks.find(({ id }) => id === 'k1#0')?.metadata?.date).toBe('2023-05-23');
  expect(first(loadMixedTurns(folder, 0)).chunks).toHaveLength(3);
  expect(loadMixedTurns(`${folder}/nq`, 40)).toBeUndefined();
});

test('documents as talk: sentences are turns of two whom no question names, among documents of others', () => {
  const { cases } = loadDocumentTalk(folder, 1) as Dataset;
  const [question] = cases;
  const { relevant, chunks } = question as Case;
  expect(chunks.filter(({ id }) => relevant.includes(id)).map(({ text }) => text)).toEqual([
    'She was born in Leith.',
    'The Esk runs through it.',
  ]);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
  for (const { metadata } of chunks) {
    expect(metadata?.speaker).toBe(metadata?.position % 2 === 0 ? 'Xaq' : 'Yoq');
  }
  expect(loadDocumentTalk(`${folder}/nq`, 1)).toBeUndefined();
});

test('chats as talk: people with names, who say a sentence at a time', () => {
  const { question, chunks, relevant } = first(loadNamedTalk(folder, 40));
  expect(question).toBe("For how much did Anna sell Anna's boat?");
  expect(relevant).toEqual(['s2#2/0']);
  expect(chunks.find(({ id }) => id === 's2#1/0')?.metadata).toMatchObject({ speaker: 'Ben', position: 1 });
  expect(chunks.find(({ id }) => id === 's2#2/0')?.metadata).toMatchObject({ speaker: 'Anna', position: 2 });
  expect(loadNamedTalk(`${folder}/nq`, 40)).toBeUndefined();
});

test('rows of passages are the chunks; the features of vectors are there if the vectors are', async () => {
  const question = first(loadHotpot(folder));
  const plain = await passageExamples(undefined)(question);
  expect(plain.gold).toEqual([0, 1]);
  expect(column(plain, PASSAGE_COLUMNS, 'cosine')).toEqual([0, 0, 0]);
  expect(column(plain, PASSAGE_COLUMNS, 'bm25').every((value) => value > 0 && value <= 1)).toBe(true);
  const vectors = await passageExamples(fakeEmbedder())(question);
  for (const name of ['cosine', 'score']) {
    const values = column(vectors, PASSAGE_COLUMNS, name);
    expect([Math.min(...values), Math.max(...values)]).toEqual([0, 1]);
  }
  expect(column(vectors, PASSAGE_COLUMNS, 'bm25')).toEqual(column(plain, PASSAGE_COLUMNS, 'bm25'));
});

test('some questions come with the scores of BM25, others with cosines', async () => {
  const make = passageExamples(fakeEmbedder());
  const { cases } = loadNaturalQuestions(folder) as Dataset;
  const examples = await Promise.all(cases.map(make));
  const isCosine = examples.map((example) => {
    const [cosine, score] = ['cosine', 'score'].map((name) => column(example, PASSAGE_COLUMNS, name));
    return score?.join() === cosine?.join();
  });
  expect(new Set(isCosine)).toEqual(new Set([true, false]));
});

test.each([
  ['HotpotQA', loadHotpot, ['She was born in Leith.', 'The Esk runs through it.']],
  ['MuSiQue', loadMusique, ['Ada was born in Leith.', 'The Esk runs through Leith.']],
  ['NQ', loadNaturalQuestions, ['Its hull is red red.']],
])('%s: the units that hold the evidence are gold', async (_, load, texts) => {
  const question = first(load(folder));
  const example = (await unitExample(question, { bm25: 1 })) as Example;
  const chunk = column(example, UNIT_COLUMNS, 'chunk');
  expect(example.gold).toHaveLength(texts.length);
  expect(Math.max(...chunk)).toBe(1);
  const alone = {
    ...question,
    facts: [],
    answers: texts,
    relevant: question.chunks.map(({ id }) => id),
  };
  expect((await unitExample(alone, { bm25: 1 }))?.gold).toEqual(example.gold);
  expect(await unitExample({ ...alone, answers: ['is nowhere'] }, { bm25: 1 })).toBeUndefined();
});

test('a group is held out once, with all its examples; folds are about as large', () => {
  const groups = Array.from({ length: 1000 }, (_, at) => `question ${Math.floor(at / 2)}`);
  const examples = groups.map((group): Example => ({ group, features: Float32Array.of(1), gold: [0] }));
  const times = new Map<string, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const [set] = withoutFold([{ name: '', weight: 1, examples }], fold);
    const held = groups.filter((group) => foldOf(group) === fold);
    expect(set?.examples.length).toBe(1000 - held.length);
    expect(set?.examples.some(({ group }) => held.includes(group))).toBe(false);
    expect(held.length).toBeGreaterThan(150);
    expect(held.length).toBeLessThan(250);
    for (const group of held) times.set(group, (times.get(group) ?? 0) + 1);
  }
  expect([...times.values()].every((each) => each === 2)).toBe(true);
});

test('quality: by the rank of the first that answers, and the share of those among as many of the best', () => {
  const features = Float32Array.of(0.1, 0.9, 0.5, 0.5);
  const one = (...gold: number[]): Example => ({ group: '', features, gold });
  const weightsFor = () => Float64Array.of(1);
  expect(qualityOf([one(1)], weightsFor)).toEqual({ reciprocalRank: 1, precision: 1, first: 1 });
  // The earlier of two that are even goes first.
  expect(qualityOf([one(3)], weightsFor)).toEqual({ reciprocalRank: 1 / 3, precision: 0, first: 0 });
  expect(qualityOf([one(2, 0)], weightsFor)).toEqual({ reciprocalRank: 1 / 2, precision: 1 / 2, first: 0 });
  expect(qualityOf([one(1), one(2, 0)], weightsFor)).toEqual({
    reciprocalRank: 3 / 4,
    precision: 3 / 4,
    first: 1 / 2,
  });
});

test('rows of what was found are in the order of the list; a question whose evidence was not found is left out', async () => {
  const dataset = loadNaturalQuestionsCollection(folder) as Dataset;
  const [example] = await overfetchedExamples(dataset, undefined, 5);
  const places = column(example as Example, LIST_COLUMNS, 'rank');
  expect(places).toHaveLength(5);
  expect(places).toEqual([...new Set(places)].sort((a, b) => b - a));
  expect(example?.gold).toEqual([0]);
  const [first] = dataset.cases;
  const asked = (question: string) => ({ ...first, question }) as Case;
  const examples = await overfetchedExamples(
    { counts: {}, cases: [asked('Leith'), asked('has a port'), asked('xyz')] },
    undefined,
    50,
  );
  // The passage on boat 0 has "Leith", but neither of the other words.
  expect(examples).toHaveLength(1);
});

test('sets of one family count as one, and are held out together', async () => {
  const sets = await overfetchedSets(folder, undefined, () => undefined);
  expect(sets.map(({ name, family, weight }) => [name, family, weight])).toEqual([
    ['NQ', 'NQ', 1],
    ['XQuAD de', 'XQuAD', 0.5],
    ['XQuAD en', 'XQuAD', 0.5],
    ['RAMDocs', 'RAMDocs', 1],
    ['MTRAG-UN', 'MTRAG-UN', 1],
    ['MuSiQue', 'MuSiQue', 1],
    ['HotpotQA', 'HotpotQA', 1],
  ]);
});

test('held out: weights that were learned from the other families alone', () => {
  const columns = ['bm25', 'title', 'rank'];
  // In each set the one column that tells what answers is another, and the order of the list tells the contrary.
  const setOf = (name: string, family: string, telling: number) => ({
    name,
    family,
    weight: 1,
    examples: [0, 1].map((at): Example => {
      const features = Float32Array.of(0, 0, 1, 0, 0, 0.9, 0, 0, 0.8);
      features[6 + telling] = 1;
      return { group: `${name} ${at}`, features, gold: [2] };
    }),
  });
  const sets = [setOf('A1', 'A', 0), setOf('A2', 'A', 0), setOf('B', 'B', 1)];
  const { rows } = leaveOneOutTable(sets, columns, [], { title: 10, rank: 1000 });
  const [last, best] = ['0.500', '1.000'];
  // As they came; words and words with the place, as they are; the same, held out.
  expect(rows).toEqual([
    ['A1', 2, last, last, last, last, last],
    ['A2', 2, last, last, last, last, last],
    ['B', 2, last, best, last, last, last],
  ]);
  // A set of another family with the same telling column is learned from.
  const { rows: learned } = leaveOneOutTable([...sets, setOf('C', 'C', 1)], columns, [], {});
  expect(learned[2]?.slice(-2)).toEqual([best, best]);
});
