/** Labelled questions as cases of an evaluation. */
import type { Chunk } from 'context-shaping';

export interface Labelled {
  question: string;
  answer?: string | undefined;
  passages: { text: string; relevant: boolean; score?: number; evidence?: string[] }[];
  /** Texts that the model reads with every passage. */
  context?: string[];
}

/** Pins the texts of `context`. */
export const isGiven = ({ metadata }: Chunk) => metadata?.given === true;

/** Passages with scores are a ranked list, the greatest first; others are none. */
export function caseOf({ question, answer, passages, context = [] }: Labelled) {
  const own = passages
    .map(({ text, score, relevant }, at) => ({
      chunk: { id: `passage ${at}`, text, ...(score === undefined ? {} : { score }) },
      relevant,
    }))
    .sort((a, b) => (b.chunk.score ?? 0) - (a.chunk.score ?? 0));
  const given = context.map((text, at) => ({ id: `context ${at}`, text, metadata: { given: true } }));
  const quotes = passages.flatMap(({ evidence = [] }) => evidence);
  return {
    query: { text: question, ...(answer === undefined ? {} : { answer }) },
    chunks: [...own.map(({ chunk }) => chunk), ...given],
    ...(passages.some(({ score }) => score !== undefined) ? {} : { ranked: false }),
    evidence:
      quotes.length > 0
        ? { passages: quotes }
        : { ids: own.flatMap(({ chunk, relevant }) => (relevant ? [chunk.id] : [])) },
  };
}
