import {
  type Chunk,
  createShaper,
  type Embedder,
  type ShapingInput,
  type ShapingOptions,
  type Stage,
  withRelevance,
} from 'context-shaping';
import type { Pool } from '../pool.js';
import { bm25Scores } from './lexical.js';
import { type Method, ranker, topOf } from './method.js';

/** What the chunks carry besides what the set gives. */
interface Extras {
  scores?: (pool: Pool) => ArrayLike<number>;
  vectors?: boolean;
}

/** What `shape` is given of a pool. */
export function inputOf(
  pool: Pool,
  { scores, vectors = false }: { scores?: ArrayLike<number>; vectors?: boolean } = {},
): ShapingInput {
  const chunks = pool.chunks.map(
    (chunk, place): Chunk => ({
      ...chunk,
      ...(scores === undefined ? {} : { score: scores[place] }),
      ...(vectors ? { embedding: pool.vectors?.chunks[place] } : {}),
    }),
  );
  const embedding = vectors ? { embedding: pool.vectors?.question } : {};
  const ranked = pool.ranked === 'auto' ? undefined : (pool.ranked ?? false);
  return { query: { text: pool.question, history: pool.history, ...embedding }, chunks, ranked };
}

/** Never asked, because all texts have vectors. It says only that a static model made them. */
export const STATIC: Embedder = { isStatic: true, embed: async () => [] };

function shaping(
  name: string,
  options: ShapingOptions = {},
  { scores, vectors = false }: Extras = {},
): Method {
  const own: ShapingOptions = vectors ? { embedder: STATIC, ...options } : options;
  const given = (pool: Pool) => inputOf(pool, { ...(scores && { scores: scores(pool) }), vectors });
  return {
    name,
    needsVectors: vectors,
    async fit(pool, maxTokens, tokenizer) {
      const shaper = createShaper({ ...own, budget: { maxTokens }, tokenizer });
      return (await shaper.shape(given(pool))).chunks;
    },
    async top(pool, k) {
      const { chunks } = await createShaper({ ...own, k }).shape(given(pool));
      return chunks.map(({ id }) => id);
    },
    async quickTop(pool, k) {
      const shaper = createShaper({ ...own, ...RANKING_ALONE, k });
      return (await shaper.shape(given(pool))).chunks.map(({ id }) => id);
    },
  };
}

/**
 * Relevance and selection without what compares every chunk with every other, which takes most of the time
 * of a large pool. In the order of selection: the beginning of it is what a smaller `k` selects.
 */
const RANKING_ALONE: ShapingOptions = {
  annotate: false,
  semanticDedup: false,
  cluster: false,
  order: false,
  tokenizer: () => 1,
};

/** Ours with another question: `read` says what is asked. The conversation is left out. */
function asking(name: string, read: (pool: Pool) => string): Method {
  const other = ({ history, ...pool }: Pool): Pool => ({
    ...pool,
    question: read({ ...pool, ...(history && { history }) }),
  });
  return {
    name,
    needsVectors: false,
    async fit(pool, maxTokens, countTokens) {
      return ours.fit(other(pool), maxTokens, countTokens);
    },
    quickTop: (pool, k) => topOf(ours, other(pool), k),
  };
}

export const ours = shaping('ours');
export const oursWhole = shaping('ours, whole chunks', { extract: false });
export const oursVectors = shaping('ours, static vectors', {}, { vectors: true });
export const oursScoresVectors = shaping(
  'ours, BM25 scores and static vectors',
  {},
  { vectors: true, scores: bm25Scores },
);

const RANKED: Stage = {
  specificationVersion: 'v1',
  name: 'variety',
  run: ({ candidates }) => ({
    kept: candidates.map((each) => withRelevance(each, each.signals.entropy?.blend ?? 0)),
  }),
};

const byEntropy: ShapingOptions = {
  semanticDedup: false,
  cluster: false,
  relevance: false,
  select: { lambda: 1 },
  extract: false,
  stages: (all) => all.flatMap((each) => (each.name === 'select' ? [RANKED, each] : [each])),
};

/** Most varied first, which is how little variety tells. */
export const entropyOrder: Method = ranker('entropy order', async ({ question: query, chunks }) => {
  // Tokens and copies are not asked for: without them it is three times as fast.
  const shaper = createShaper({ ...byEntropy, tokenizer: () => 1, exactDedup: false });
  const shaped = await shaper.shape({ query, chunks });
  return shaped.chunks.map(({ index }) => index);
});

/** The alternatives to a conversation beside the question: none of it, or a part of it within the question. */
export const withoutHistory = asking('without history', ({ question }) => question);
export const lastTwo = asking('last two questions as one', ({ question, history = [] }) =>
  [...history.filter(({ role }) => role === 'user').slice(-1), { text: question }]
    .map(({ text }) => text)
    .join('\n'),
);
export const allSaid = asking('whole conversation as one', ({ question, history = [] }) =>
  [...history, { text: question }].map(({ text }) => text).join('\n'),
);
