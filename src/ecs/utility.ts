/** Types and functions that all ways of measuring utility use. */
import type { Passage } from './passages.js';
import type { Service } from './service.js';

/** The utility of a chunk, in nats. */
export interface Utility {
  /** The utility of the chunk alone, given only the pinned passages. */
  readonly utility: number;
  /** Given also the better passages of earlier rounds. If present, chunks are ranked by it. */
  readonly jointUtility?: number;
  /** False if the utility is only a bound. */
  readonly exact: boolean;
}

export interface Utilities {
  /** By passage; undefined if it was not measured. */
  readonly byPassage: readonly (Utility | undefined)[];
  readonly rounds: number;
  /** Why some utilities are missing, or were measured in fewer rounds than requested. */
  readonly failures: readonly string[];
}

export interface MeasureInput {
  readonly service: Service;
  readonly question: string;
  /** One for each chunk, the most relevant chunk first. If utilities are equal, the first passage wins. */
  readonly passages: readonly Passage[];
  /** In nats per token. */
  readonly lengthPenalty: number;
}

/** The lower median; undefined of no values. */
export const medianOf = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
