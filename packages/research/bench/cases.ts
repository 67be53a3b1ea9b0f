/** What the table compares: of each case ours comes first, and the others are told as multiples of it. */

import { cosineSimilarity } from '@langchain/core/utils/math';
import { createShaper, type Embedder } from 'context-shaping';
import { calculateShannonEntropy } from 'context-shaping/entropy';
import {
  condensedIndex,
  cosines,
  gram,
  linkage,
  maximalMarginalRelevance,
  pack,
} from 'context-shaping/internal';
import { loadTokenCounter, packVector } from 'context-shaping/kit';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { wordsOf } from '../../../src/text/words.js';
import * as naive from './naive.js';
import * as peers from './peers.js';
import { type Pool, type Pools, TOKEN_BUDGET, textOnly, unitVectors, unseen, withVectors } from './pools.js';
import { type Contestant, timed } from './sampling.js';

export interface Situation {
  n: number;
  dimension: number;
  pools: Pools;
  embedder: Embedder | undefined;
  /** Where a SlimContext service listens. */
  slimContextUrl: string | undefined;
  /** Another build of the package, to be measured in turns with this one. */
  before: CreateShaper | undefined;
}

export type CreateShaper = typeof createShaper;

export interface Case {
  name: string;
  /** Is it the same whatever the vectors are? */
  isOfTexts?: true;
  contestants(situation: Situation): Contestant[] | Promise<Contestant[]>;
}

const budget = { maxTokens: TOKEN_BUDGET };
const shaper = createShaper({ budget });
/** By default semantic dedup works at this distance. */
const { semanticDedup } = shaper.options;
const MAX_DISTANCE = semanticDedup ? semanticDedup.maxDistance : 0;

/** Most chunks for those that compare all pairs, and for those that need even more. */
const ALL_PAIRS = 1000;
const LINKAGE = 5000;

const from = ({ pools, n, dimension }: Situation) => {
  return (turn: number): Pool => pools(n, dimension, turn);
};
const textsOf = (situation: Situation) => (turn: number) =>
  from(situation)(turn).chunks.map(({ text }) => text);

/** Are texts new to the process, or did earlier turns meet them? */
type Texts = 'new texts' | 'texts met before';
type InputOf = typeof textOnly;

const shaping =
  (name: string, inputOf: InputOf) =>
  (situation: Situation, texts: Texts = 'new texts', build?: CreateShaper): Contestant => {
    const { shape } = build === undefined ? shaper : shaperOf(build);
    return timed(
      `${build === undefined ? 'ours' : 'before'}, ${name}, ${texts}`,
      (turn) => {
        const pool = from(situation)(turn);
        return inputOf(texts === 'new texts' ? unseen(pool) : pool);
      },
      (input) => shape(input),
    );
  };
const shaperOf = (build: CreateShaper) => build({ budget });
export const shapeVectors = shaping('vectors given', withVectors);
export const shapeTexts = shaping('text only', textOnly);
export const langChainMmr = (situation: Situation): Contestant =>
  timed(`LangChain MMR, k = ${peers.MMR_K}`, from(situation), peers.langChainMmr);

/** A stage as part of the pipeline, by the time that the report tells. */
const stage = (name: string, inputOf: InputOf, situation: Situation): Contestant => ({
  name: 'ours, in the pipeline',
  async measure(turn) {
    const { report } = await shaper.shape(inputOf(unseen(from(situation)(turn))));
    return report.stages.find((each) => each.name === name)?.milliseconds ?? Number.NaN;
  },
});

function pipeline(situation: Situation): Contestant[] {
  const { n, embedder, slimContextUrl } = situation;
  const langChainInput = (turn: number) => peers.langChainInput(from(situation)(turn));
  const contestants = [shapeVectors(situation), shapeTexts(situation)];
  if (situation.before !== undefined) {
    contestants.push(
      shapeVectors(situation, 'new texts', situation.before),
      shapeTexts(situation, 'new texts', situation.before),
    );
  }
  if (embedder !== undefined) {
    const embedding = createShaper({ budget, embedder });
    contestants.push(
      timed(
        'ours, static embeddings, new texts',
        (turn) => textOnly(unseen(from(situation)(turn))),
        (input) => embedding.shape(input),
      ),
    );
  }
  if (n <= LINKAGE) contestants.push(langChainMmr(situation));
  contestants.push(
    timed('LangChain EmbeddingsFilter', langChainInput, peers.embeddingsFilter),
    timed('LangChain filter + MMR', langChainInput, peers.filterThenMmr),
  );
  if (slimContextUrl !== undefined && n <= ALL_PAIRS) {
    contestants.push(
      timed(
        'SlimContext over HTTP',
        (turn) => peers.slimContextBody(from(situation)(turn), TOKEN_BUDGET),
        (body) => peers.slimContext(slimContextUrl, body),
      ),
    );
  }
  return contestants;
}

function allCosines(situation: Situation): Contestant[] {
  if (situation.n > ALL_PAIRS) return [];
  const vectors = (turn: number) => from(situation)(turn).vectors;
  return [
    timed('ours', from(situation), (pool) => gram(pack(unitVectors(pool)))),
    timed('naive', vectors, naive.cosineMatrix),
    timed('LangChain cosineSimilarity', vectors, (all) => cosineSimilarity(all, all)),
  ];
}

function selection(situation: Situation): Contestant[] {
  if (situation.n > LINKAGE) return [];
  const [lambda, k] = [0.5, peers.MMR_K];
  return [
    timed('ours', from(situation), (pool) => {
      const packed = pack(unitVectors(pool));
      const relevance = cosines(pack([packVector(pool.queryVector, 'query')]), packed);
      const similarityRow = (item: number) => cosines(packed, packed, item, item + 1);
      const picks: number[] = [];
      for (const { item } of maximalMarginalRelevance({ relevance, similarityRow, lambda })) {
        picks.push(item);
        if (picks.length === k) break;
      }
      return picks;
    }),
    timed('naive', from(situation), ({ queryVector, vectors }) =>
      naive.maximalMarginalRelevance(queryVector, vectors, lambda, k),
    ),
    langChainMmr(situation),
  ];
}

/** Distances of all pairs of a pool, as ours and as ml-hclust want them. */
export function distancesOf(pool: Pool): { condensed: Float64Array; square: number[][] } {
  const condensed = Float64Array.from(gram(pack(unitVectors(pool))), (cosine) => 1 - cosine);
  const n = pool.vectors.length;
  const square = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? 0 : (condensed[condensedIndex(n, i, j)] as number))),
  );
  return { condensed, square };
}

export function linkages(situation: Situation): Contestant[] {
  const { n } = situation;
  if (n > ALL_PAIRS) return [];
  const distances = (turn: number) => distancesOf(from(situation)(turn));
  return [
    timed('ours', distances, ({ condensed }) => linkage(n, condensed, 'average')),
    timed('ml-hclust agnes', distances, ({ square }) => peers.averageLinkage(square)),
  ];
}

function semanticCopies(situation: Situation): Contestant[] {
  if (situation.n > LINKAGE) return [];
  return [
    stage('semantic-dedup', withVectors, situation),
    timed(
      'naive, all pairs',
      (turn) => from(situation)(turn).vectors,
      (vectors) => naive.semanticDedup(vectors, MAX_DISTANCE),
    ),
  ];
}

function lexicalCopies(situation: Situation): Contestant[] {
  if (situation.n > LINKAGE) return [];
  return [
    stage('semantic-dedup', textOnly, situation),
    timed('naive, all pairs', textsOf(situation), (texts) => naive.lexicalDedup(texts, MAX_DISTANCE)),
  ];
}

async function tokens(situation: Situation): Promise<Contestant[]> {
  const countOurs = await loadTokenCounter('o200k_base');
  const estimate = await loadTokenCounter('estimate');
  const fresh = (turn: number) => unseen(from(situation)(turn)).chunks.map(({ text }) => text);
  const countAll = (count: (text: string) => number) => (texts: string[]) => {
    for (const text of texts) count(text);
  };
  return [
    timed('ours, o200k_base', fresh, countAll(countOurs)),
    timed('gpt-tokenizer, o200k_base', fresh, countAll(countTokens)),
    timed('ours, estimate', fresh, countAll(estimate)),
  ];
}

/** All features of relevance, beside one of them in its simplest form. */
function relevance(situation: Situation): Contestant[] {
  const contestants = [stage('relevance', textOnly, situation)];
  if (situation.n > ALL_PAIRS) return contestants;
  const read = (turn: number) => {
    const { question, chunks } = from(situation)(turn);
    return { query: wordsOf(question), texts: chunks.map(({ text }) => wordsOf(text)) };
  };
  return [...contestants, timed('naive BM25', read, ({ query, texts }) => naive.bm25(query, texts))];
}

const eachText = (measure: (text: string) => number) => (texts: string[]) => {
  for (const text of texts) measure(text);
};

export const CASES: readonly Case[] = [
  { name: 'pipeline', contestants: pipeline },
  { name: 'all cosines', contestants: allCosines },
  { name: 'MMR', contestants: selection },
  { name: 'average linkage', contestants: linkages },
  { name: 'semantic dedup of vectors', contestants: semanticCopies },
  { name: 'semantic dedup of texts', isOfTexts: true, contestants: lexicalCopies },
  {
    name: 'exact dedup',
    isOfTexts: true,
    contestants: (situation) => [
      stage('exact-dedup', textOnly, situation),
      timed('naive', textsOf(situation), naive.exactDedup),
    ],
  },
  { name: 'relevance', isOfTexts: true, contestants: relevance },
  { name: 'tokens', isOfTexts: true, contestants: tokens },
  {
    name: 'entropy',
    isOfTexts: true,
    contestants: (situation) => [
      timed('ours', textsOf(situation), eachText(calculateShannonEntropy)),
      timed('naive', textsOf(situation), eachText(naive.entropy)),
    ],
  },
];
