/**
 * Lists of whole collections by vectors of a real embedding model, by words, and by both: what methods that know the same
 * keep of the evidence at a quarter and a tenth of the tokens, and how good the order is. `--models` names the folders of
 * the embedding models; dense lists are by the first. Vectors are made once, and kept in the folder `--vectors`.
 */
import { dot } from '../../../../src/math/vectors.js';
import { estimate, mean, plainSentencesOf } from '../../../devtools/src/measurement/index.js';
import { ndcgAt } from '../metrics.js';
import { answerableAuc } from '../real-lists/answerable.js';
import { REAL_SETS, type RealList, realLists, type Vectors } from '../real-lists/lists.js';
import { OPPOSITES, oursWithout, oursWithVectors, type RealPool, RIVALS } from '../real-lists/methods.js';
import { type EmbeddingModel, keptIn, loadModel } from '../real-lists/vectors.js';
import type { Comparison, PerQuestion, SuiteResult, Table } from '../results.js';
import { short, signed } from '../tables.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { isAskedFor, type Suite } from './suite.js';

const QUESTIONS = 60;
const SHARES = { '1/4': 4, '1/10': 10 } as const;
const DEPTH = 10;
const NDCG = 'nDCG@10';

/** One value per question, by set, by method, by metric. */
type Values = Map<string, Map<string, Record<string, number[]>>>;

export const realListsSuite: Suite = {
  name: 'real-lists',
  needs: 'models',
  async run({ dataDir, limit = QUESTIONS, sets, lists: orders, models: folders, vectors, onProgress }) {
    if (folders === undefined) return undefined;
    const models: EmbeddingModel[] = [];
    for (const folder of folders) {
      const model = await loadModel(folder);
      models.push(vectors === undefined ? model : keptIn(vectors, model));
    }
    const asked = REAL_SETS.filter(({ name }) => isAskedFor(name, sets));
    const found = new Map<string, Values>();
    const answerable = new Map<string, Table['rows']>();
    const counts: Record<string, number> = {};
    for (const [at, set] of asked.entries()) {
      onProgress(at, asked.length);
      const lists = await realLists(set, models, { dataDir, limit });
      if (lists === undefined) continue;
      for (const model of models) {
        const dense = lists.filter(({ order }) => order === 'dense');
        const auc = await answerableAuc(dense, model.name);
        answerable.set(model.name, [...(answerable.get(model.name) ?? []), [set.name, ...auc.map(short)]]);
        const cosineOf = await sentenceCosines(model, lists);
        for (const [seed, list] of lists.entries()) {
          if (!isAskedFor(list.order, orders)) continue;
          const name = `${list.order} lists, vectors of ${model.name}`;
          const values = found.get(name) ?? new Map();
          found.set(name, values);
          const ofSet = values.get(set.name) ?? new Map();
          values.set(set.name, ofSet);
          counts[`${set.name}, ${list.order}`] = (counts[`${set.name}, ${list.order}`] ?? 0) + 1;
          await measure(list, model, cosineOf, seed, ofSet);
        }
      }
    }
    if (found.size === 0) return undefined;
    const { tables, ...summary } = summaryOf(found);
    const ofAnswerable = [...answerable].map(
      ([name, rows]): Table => ({
        title: `Dense lists, cosines of ${name}: AUC of answerable, the evidence there or taken out`,
        columns: ['set', 'by words', 'scores: cosine'],
        rows,
        notes: [],
      }),
    );
    return { suite: 'real-lists', counts, methods: [], tables: [...tables, ...ofAnswerable], ...summary };
  },
};

/** The cosines of all sentences of the lists with the question, each vector made once. */
export async function sentenceCosines(model: EmbeddingModel, lists: readonly RealList[]) {
  const texts = lists.flatMap(({ found }) => found.chunks.flatMap(({ text }) => plainSentencesOf(text)));
  const sentences = [...new Set(texts)];
  const vectors = await model.embed(sentences);
  const vectorOf = new Map(sentences.map((sentence, at) => [sentence, vectors[at] as Float32Array]));
  return ({ question }: Vectors) =>
    (sentence: string) =>
      dot(vectorOf.get(sentence) as Float32Array, question);
}

/** A list as methods get it. */
export function poolOf(
  { found, vectors }: RealList,
  model: EmbeddingModel,
  cosineOf: (vectors: Vectors) => (sentence: string) => number,
  seed: number,
): RealPool {
  const own = vectors.get(model.name) as Vectors;
  const { question, history, chunks } = found;
  return {
    question,
    ...(history && { history }),
    chunks,
    seed,
    ranked: true,
    vectors: { question: [...own.question], chunks: own.chunks.map((vector) => [...vector]) },
    cosines: own.cosines,
    cosineOf: cosineOf(own),
  };
}

async function measure(
  list: RealList,
  model: EmbeddingModel,
  cosineOf: (vectors: Vectors) => (sentence: string) => number,
  seed: number,
  into: Map<string, Record<string, number[]>>,
): Promise<void> {
  const { share, found } = list;
  const { chunks, relevant } = found;
  const pool = poolOf(list, model, cosineOf, seed);
  const total = chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
  const opposites = OPPOSITES.filter(({ name }) => model.isStatic || !name.includes('static'));
  for (const method of [oursWithVectors(model.isStatic), ...oursWithout, ...opposites, ...RIVALS]) {
    const values = into.get(method.name) ?? {};
    into.set(method.name, values);
    const add = (metric: string, value: number) => {
      values[metric] ??= [];
      values[metric].push(value);
    };
    for (const [metric, part] of Object.entries(SHARES)) {
      const maxTokens = Math.max(1, Math.floor(total / part));
      add(metric, share(await method.fit(pool, maxTokens, countTokens), maxTokens));
    }
    if (method.top) add(NDCG, ndcgAt(DEPTH, relevant, await method.top(pool, DEPTH)));
  }
}

const OURS = 'ours, vectors';

function summaryOf(
  found: ReadonlyMap<string, Values>,
): Pick<SuiteResult, 'tables' | 'comparisons' | 'values'> {
  const comparisons: Comparison[] = [];
  const own: Record<string, PerQuestion> = {};
  const tables = [...found].flatMap(([name, values]): Table[] => {
    const sets = [...values.keys()];
    const valuesOf = (method: string, metric: string, set: string) =>
      values.get(set)?.get(method)?.[metric] ?? [];
    const methods = [...(values.get(sets[0] as string)?.keys() ?? [])];
    return [...Object.keys(SHARES), NDCG].map((metric): Table => {
      for (const set of sets)
        own[`${set}, ${name}: ${metric}`] = {
          values: valuesOf(OURS, metric, set),
          groups: valuesOf(OURS, metric, set).map((_, at) => `${set} ${at}`),
        };
      const rows = methods.flatMap((method): Table['rows'] => {
        if (valuesOf(method, metric, sets[0] as string).length === 0) return [];
        const differences = sets.flatMap((set) =>
          valuesOf(OURS, metric, set).map(
            (value, at) => value - (valuesOf(method, metric, set)[at] as number),
          ),
        );
        const families = sets.flatMap((set) => valuesOf(OURS, metric, set).map(() => set));
        const groups = sets.flatMap((set) => valuesOf(OURS, metric, set).map((_, at) => `${set} ${at}`));
        const difference = estimate(differences, groups, families);
        const isRival = !method.startsWith('ours');
        if (isRival)
          comparisons.push({
            method: OURS,
            baseline: method,
            metric: `${name}: ${metric}`,
            difference,
            gates: true,
          });
        const means = sets.map((set) => mean(valuesOf(method, metric, set)));
        return [[method, ...means.map(short), short(mean(means)), method === OURS ? '' : signed(difference)]];
      });
      return {
        title: `${name}: ${metric === NDCG ? NDCG : `evidence kept at ${metric} of the tokens`}`,
        columns: ['method', ...sets, 'mean', 'ours with vectors − it'],
        rows,
        notes: [],
      };
    });
  });
  return { tables, comparisons, values: own };
}
