/** Lists of whole collections as users have them: by vectors, by words, and by reciprocal ranks of both. */
import { dot } from '../../../../src/math/vectors.js';
import { descending } from '../../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../data/case.js';
import { loadClapNq } from '../data/clapnq.js';
import { inOneCollection } from '../data/collections.js';
import { loadLocomo } from '../data/locomo.js';
import { loadMtragUn } from '../data/mtrag-un.js';
import { loadHotpot, loadMusique } from '../data/multihop.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { loadRamdocs } from '../data/ramdocs.js';
import { loadXquad } from '../data/xquad.js';
import { anyAnswer, anyFact, type Evidence, eachAnswer, eachFact, eachStep, passages } from '../kept/sets.js';
import type { ShareKept } from '../kept/wanted.js';
import { bm25Scores } from '../methods/lexical.js';
import { foundCase } from '../overfetch.js';
import { SCORE_SHAPES } from '../score-shapes.js';
import { limited } from '../suites/suite.js';
import type { EmbeddingModel } from './vectors.js';

export interface RealSet {
  name: string;
  load(dataDir: string): Dataset | undefined;
  evidence: Evidence;
}

const collected = (dataset: Dataset | undefined) =>
  dataset && { ...dataset, cases: inOneCollection(dataset.cases) };

export const REAL_SETS: readonly RealSet[] = [
  { name: 'NQ', load: loadNaturalQuestionsCollection, evidence: anyAnswer },
  { name: 'RAMDocs', load: loadRamdocs, evidence: eachAnswer },
  { name: 'ClapNQ', load: loadClapNq, evidence: eachFact },
  { name: 'HotpotQA', load: (folder) => collected(loadHotpot(folder)), evidence: eachFact },
  { name: 'MuSiQue', load: (folder) => collected(loadMusique(folder)), evidence: eachStep },
  { name: 'XQuAD en', load: (folder) => loadXquad(folder, 'en'), evidence: anyFact },
  { name: 'MTRAG-UN', load: loadMtragUn, evidence: passages },
  { name: 'LoCoMo', load: loadLocomo, evidence: passages },
];

export const ORDERS = ['dense', 'hybrid', 'BM25'] as const;
export type Order = (typeof ORDERS)[number];

/** What one model says of a list. */
export interface Vectors {
  readonly question: Float32Array;
  readonly chunks: readonly Float32Array[];
  readonly cosines: readonly number[];
}

/** A list of one order; its chunks are those of the case, best first. */
export interface RealList {
  readonly order: Order;
  readonly found: Case;
  readonly share: ShareKept;
  /** By the name of the model. */
  readonly vectors: ReadonlyMap<string, Vectors>;
}

const SIZE = 50;

/**
 * The sum of 1 / (60 + rank), rank from 1: G. Cormack et al., "Reciprocal rank fusion outperforms Condorcet and individual
 * rank learning methods", 2009.
 */
export function fused(orders: readonly (readonly number[])[]): number[] {
  const sums = new Float64Array(orders[0]?.length ?? 0);
  for (const order of orders)
    for (const [rank, share] of SCORE_SHAPES['reciprocal ranks'](order).entries()) {
      const place = order[rank] as number;
      sums[place] = (sums[place] as number) + share;
    }
  return descending(sums);
}

/**
 * The lists of a set. Dense lists are by the first of the models.
 *
 * @returns nothing if the data is not there. Questions without evidence in a list are left out of it.
 */
export async function realLists(
  { load, evidence }: RealSet,
  models: readonly EmbeddingModel[],
  { dataDir, limit }: { dataDir: string; limit: number },
): Promise<RealList[] | undefined> {
  const dataset = load(dataDir);
  if (dataset === undefined) return undefined;
  const { cases } = limited(dataset, limit);
  const asked = await Promise.all(models.map((model) => model.embed(cases.map(({ question }) => question))));
  const collections = new Map<Case['chunks'], Float32Array[][]>();
  const lists: RealList[] = [];
  for (const [number, each] of cases.entries()) {
    const known = collections.get(each.chunks) ?? (await embedded(models, each.chunks));
    collections.set(each.chunks, known);
    const all = known.map((chunks, model): Vectors => {
      const question = asked[model]?.[number] as Float32Array;
      return { question, chunks, cosines: chunks.map((chunk) => dot(chunk, question)) };
    });
    const dense = descending(all[0]?.cosines ?? []);
    const words = descending(bm25Scores({ ...each, seed: 0 }));
    for (const [order, places] of [
      ['dense', dense],
      ['hybrid', fused([dense, words])],
      ['BM25', words],
    ] as const) {
      const best = places.slice(0, SIZE);
      const pick = <T>(values: readonly T[]) => best.map((place) => values[place] as T);
      const found = foundCase({ case: each, ids: pick(each.chunks).map(({ id }) => id), scores: [] });
      const share = evidence(found);
      if (share === undefined) continue;
      const vectors = new Map(
        all.map(({ question, chunks, cosines }, model) => [
          models[model]?.name as string,
          { question, chunks: pick(chunks), cosines: pick(cosines) },
        ]),
      );
      lists.push({ order, found, share, vectors });
    }
  }
  return lists;
}

async function embedded(
  models: readonly EmbeddingModel[],
  chunks: Case['chunks'],
): Promise<Float32Array[][]> {
  const vectors: Float32Array[][] = [];
  for (const model of models) vectors.push(await model.embed(chunks.map(({ text }) => text)));
  return vectors;
}
