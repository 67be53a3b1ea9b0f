/** Rankings without a model, which a model must beat. */
import { createShaper, type ShapingOptions, type ShapingReport } from 'context-shaping';
import { FEATURES, serviceError } from 'context-shaping/internal';
import type { Scored } from '../gate/index.js';
import type { LabelledQuestion } from './labelled-question.js';
import { inputOf, scoredBy } from './question-input.js';

const NO_WEIGHTS = Object.fromEntries(FEATURES.map((name) => [name, 0]));

/** One way to rank without a model, with the scores of each question's passages. */
export interface Rival {
  /** The query. For the method `answer` it may have the answer, since the model knows the answer. */
  by: 'question' | 'question and answer';
  /** Present if BM25 is combined with the embedder's cosine, with equal weights. */
  vectors?: true;
  name: 'relevance' | 'bm25';
  questions: Scored[][];
}

export async function rankedWithoutModel(
  data: readonly LabelledQuestion[],
  base: ShapingOptions,
  withAnswers: boolean,
  signal: AbortSignal | undefined,
): Promise<Rival[]> {
  const bm25 = (cosine: number) => ({ weights: { ...NO_WEIGHTS, bm25: 1, cosine } });
  const vectors =
    base.embedder === undefined ? [] : [{ name: 'bm25', vectors: true, relevance: bm25(1) } as const];
  const ways = [
    { name: 'relevance', relevance: base.relevance },
    { name: 'bm25', relevance: bm25(0) },
    ...vectors,
  ] as const;
  const found: Rival[] = [];
  for (const { relevance, ...way } of ways) {
    const shaper = createShaper({ ...base, relevance, errorMessages: true });
    for (const by of withAnswers ? (['question', 'question and answer'] as const) : (['question'] as const)) {
      const questions: Scored[][] = [];
      for (const each of data) {
        const { query, chunks } = inputOf(each);
        const text = by === 'question' ? query.text : `${query.text} ${each.answer}`;
        const { report } = await shaper.shape({ query: text, chunks, signal });
        checkVectors(report);
        questions.push(scoredBy(each, report, 'relevance'));
      }
      found.push({ ...way, by, questions });
    }
  }
  return found;
}

/** In use, words stand in for vectors that fail. A verdict on words would not hold for the embedder. */
function checkVectors({ degradations }: ShapingReport): void {
  const failed = degradations.find(({ code }) => WITHOUT_VECTORS.includes(code));
  if (failed === undefined) return;
  throw serviceError('shaping.embedder', failed.code, 'gave no vectors for all texts', failed.message);
}
const WITHOUT_VECTORS: readonly string[] = ['embedder-failed', 'embeddings-incomplete', 'query-not-embedded'];
