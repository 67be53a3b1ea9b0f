import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ShapingReport } from 'context-shaping';
import type { Scored } from '../gate/index.js';
import type { LabelledQuestion } from './labelled-question.js';

/** The passages of a question, without their labels, in an order that does not depend on these. */
export function inputOf({ question, passages, context = [] }: LabelledQuestion, answer?: string) {
  const key = (text: string) => bytesToHex(sha256(new TextEncoder().encode(text)));
  return {
    query: { text: question, answer },
    chunks: [
      // Best score first. Files often list relevant passages first, which would win all ties: a hash of the text breaks them.
      ...passages
        .map(({ text, score }, index) => ({
          id: `passage ${index}`,
          text,
          score,
          key: key(text),
        }))
        .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || Number(a.key > b.key) - Number(a.key < b.key)),
      ...context.map((text, index) => ({ id: `context ${index}`, text, metadata: { given: true } })),
    ],
  };
}

/** The passages of a question with a score from the report; 0, if the report has none. */
export function scoredBy(
  { passages }: LabelledQuestion,
  { kept }: ShapingReport,
  score: 'relevance' | 'utility',
): Scored[] {
  const entries = new Map(kept.map((entry) => [entry.id, entry]));
  return passages.map(({ relevant }, index) => ({
    relevant,
    score: entries.get(`passage ${index}`)?.[score] ?? 0,
  }));
}
