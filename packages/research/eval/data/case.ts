/** The one shape that every data set is read into. */
import type { Chunk, Query } from 'context-shaping';

/** A question over a pool of chunks, and what of the pool answers it. */
export interface Case {
  id: string;
  /** What is drawn as one by resampling and by cross-validation: the conversation, or the question. */
  group: string;
  /** The kind of question, where the set tells. */
  category?: string;
  question: string;
  /** The conversation before the question, oldest turn first. Absent where the question stands alone. */
  history?: NonNullable<Query['history']>;
  /** One array for all questions of a conversation. */
  chunks: readonly Chunk[];
  /** Ids of the chunks that hold the evidence: at least one. */
  relevant: readonly string[];
  /** Any of these in the result is the answer. Empty where the set is not judged by answers. */
  answers: readonly string[];
  /** The right answer as the set states it, where its words need not stand in a chunk. */
  reply?: string;
  /** All that is needed, word for word. Empty where the set is not judged by facts. */
  facts: readonly Fact[];
}

/** A question that nothing of its chunks answers. */
export type Unanswered = Pick<Case, 'id' | 'group' | 'question' | 'chunks'>;

/** A stretch of a relevant chunk that the answer needs. */
export interface Fact {
  /** Id of the chunk that it is part of. */
  chunk: string;
  text: string;
  /** What this fact contributes, where the set tells. */
  answer?: string;
}

export interface Dataset {
  cases: Case[];
  /** How many items were used, repaired or skipped, by what happened. */
  counts: Readonly<Record<string, number>>;
}

/** Counts things by name, in order of first mention. */
export class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string, times = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + times;
  }
}
