import type { Degradation, Ranked } from '../../../src/index.js';

/** The differences of two contexts, and their causes. */
export interface ContextDiff {
  /** The reports are equal to the bit, and no text changed. */
  isEqual: boolean;
  /** Tokens and chunks of the two contexts. */
  totals: { from: ContextTotals; to: ContextTotals };
  /** Chunks with another outcome: those of the second context in its order, then those that went. */
  chunks: ChunkChange[];
  /** Number of chunks with the same outcome and other measurements, such as relevance. */
  remeasured: number;
  degradations: { came: Degradation[]; went: Degradation[] };
  causes: Cause[];
}

export interface ContextTotals {
  digest: string;
  chunks: number;
  kept: number;
  tokens: number;
}

export interface ChunkChange {
  id: string;
  /**
   * `came`, `went`: into the context or out of it. `moved`: to another place among the chunks that both contexts have.
   * `cut`: other parts of its text are kept. `evicted`: by another stage, or for another reason.
   */
  change: 'came' | 'went' | 'moved' | 'cut' | 'evicted';
  /** Absent: the chunk was not in that input. */
  from?: ChunkOutcome;
  to?: ChunkOutcome;
  /** The three features of relevance that changed most, the greatest change first. */
  features: { name: string; from: number; to: number }[];
  /**
   * Places in `causes` of the changes that are proven to have this effect. Empty: only several changes together have it,
   * or it is not proven.
   */
  causes: number[];
}

export interface ChunkOutcome {
  /** Place in the context, from 0. Absent for an evicted chunk. */
  place?: number;
  tokens: number;
  /** The stage that evicted the chunk, and its reason. */
  stage?: string;
  reason?: string;
  relevance?: number;
}

/** A change of the input, the options, a service or the release. */
export type Cause = Difference & {
  /**
   * `proven`: shaping again with and without this change alone gave different reports. `none`: it gave equal ones.
   * `possible`: it could not be tried, because a lockfile has no texts, or another release made it, or a service had to be
   * asked.
   */
  effect: 'proven' | 'none' | 'possible';
};

export type Difference =
  | { kind: 'library'; from: string; to: string; defaults: { path: string; from: unknown; to: unknown }[] }
  /** An option that the caller gave. Ids, for a function `pin`. An absent value is the default of its release. */
  | { kind: 'option'; path: string; from: unknown; to: unknown }
  /** An option that is a function in both: whether it is the same function is not known. */
  | { kind: 'function'; path: string }
  /** Another service, or answers that changed to the same questions: their number, and the number of such questions. */
  | {
      kind: 'embedder' | 'model' | 'judge' | 'scorer';
      from: string | null;
      to: string | null;
      changed: number;
      of: number;
    }
  | { kind: 'query'; from: string; to: string }
  /** The conversation before the question, as numbers of turns. */
  | { kind: 'history'; from: number; to: number }
  | { kind: 'ranked'; from: Ranked | null; to: Ranked | null }
  /** Chunks of both inputs with another text, score, vector or other metadata. */
  | { kind: 'chunk-changed'; ids: string[]; fields: string[] }
  | { kind: 'chunk-added' | 'chunk-removed'; ids: string[] }
  /** The order of the input. */
  | { kind: 'order' };
