import type { Embedder } from 'context-shaping';
import { resolveOptions } from '../../../src/input/options.js';
import { toCandidates } from '../../../src/input/to-candidates.js';
import { finish } from '../../../src/math/steps.js';
import type { PipelineInput } from '../../../src/pipeline.js';
import { Cosines } from '../../../src/pool/cosines.js';
import { chunkPassage, profileOf } from '../../../src/relevance/chunks.js';
import { LEXICAL, lexicalFeatures } from '../../../src/relevance/features.js';
import { questionOf } from '../../../src/relevance/passage.js';
import { retrievalFeatures } from '../../../src/relevance/retrieval.js';
import { NO_MEMORY } from '../../../src/runtime/memory.js';
import { Pacer } from '../../../src/runtime/pacer.js';
import { relevance } from '../../../src/stages/relevance.js';
import * as background from '../../../src/text/background.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { TermList } from '../../../src/text/term-list.js';
import type { Candidate } from '../../../src/types.js';
import type { Case } from '../data/case.js';
import { bm25Scores } from '../methods/lexical.js';
import { type Pool, poolMaker } from '../pool.js';
import { type Example, PASSAGE_COLUMNS, toRows, type Weights } from './example.js';
import { drawOf } from './folds.js';

/**
 * Makes examples whose rows are the chunks of a question. Without an embedder, cosine and score are 0.
 *
 * @param columns PASSAGE_COLUMNS, or LIST_COLUMNS for questions whose chunks are in the order of a retriever.
 */
export function passageExamples(
  embedder: Embedder | undefined,
  columns: readonly string[] = PASSAGE_COLUMNS,
): (question: Case) => Promise<Example> {
  const isRetrieved = columns.includes('rank');
  const makePool = poolMaker(embedder);
  return async (question) => {
    const pool = await makePool(question, 0);
    const input = stageInput(pool);
    const { candidates, query, lexicon } = input;
    const profile = profileOf(candidates);
    const list = new TermList();
    const lexical = finish(
      lexicalFeatures(
        questionOf(query.text, lexicon),
        candidates.map((candidate) => chunkPassage(candidate, lexicon, profile, list)),
        lexicon,
        { language: isRetrieved ? background : undefined },
      ),
    );
    const vectors = pool.vectors === undefined ? {} : await vectorFeatures(question, input);
    return {
      group: question.group,
      features: toRows(
        columns,
        { ...lexical, ...vectors, ...(isRetrieved && placeFeature(pool)) },
        candidates.length,
      ),
      gold: question.chunks.flatMap(({ id }, row) => (question.relevant.includes(id) ? [row] : [])),
    };
  };
}

/** The place in the list, as it counts where no chunk has a score. */
function placeFeature({ question: text, chunks }: Pool): Record<string, number[]> {
  const { candidates } = finish(toCandidates({ query: { text }, chunks }, resolveOptions()));
  const { rank = [] } = finish(retrievalFeatures(candidates, true));
  return { rank: Array.from(rank, (value) => value ?? 0) };
}

/** A pool as the stages see it. Where it has vectors, scores are those of BM25. */
export function stageInput(pool: Pool): PipelineInput {
  const scores = pool.vectors && bm25Scores(pool);
  const chunks = pool.chunks.map((chunk, at) => ({
    ...chunk,
    score: scores?.[at],
    embedding: pool.vectors?.chunks[at],
  }));
  const query = { text: pool.question, embedding: pool.vectors?.question };
  return {
    ...finish(toCandidates({ query, chunks }, resolveOptions())),
    evicted: [],
    countTokens: (text) => text.length,
    limits: { reserve: 0 },
    listOrder: { ranked: false, reason: 'caller' },
    lexicon: new Lexicon(),
    cosines: new Cosines(),
    memory: NO_MEMORY,
    pacer: new Pacer(undefined),
  };
}

/** What the retriever's score is differs from retriever to retriever: here BM25 for half of the questions, else the cosine. */
async function vectorFeatures(
  { id }: Case,
  input: PipelineInput,
): Promise<Record<'cosine' | 'score', number[]>> {
  const cosine = relevances(await weighted(input, { cosine: 1 }));
  const isLexical = drawOf(`score of ${id}`) % 2 === 0;
  return { cosine, score: isLexical ? relevances(await weighted(input, { score: 1 })) : cosine };
}

/** The candidates with the relevance that the stage gives them with these weights alone. */
export async function weighted(input: PipelineInput, weights: Weights): Promise<readonly Candidate[]> {
  const none = Object.fromEntries(
    [...LEXICAL, 'cosine', 'score', 'rank', 'entropy'].map((name) => [name, 0]),
  );
  return (await relevance({ weights: { ...none, ...weights }, floor: 0, allowEmpty: false }).run(input)).kept;
}

const relevances = (candidates: readonly Candidate[]) =>
  candidates.map(({ signals }) => signals.relevance ?? 0);
