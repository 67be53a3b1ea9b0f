/** A claim of the library's speed, and how its figures are written. */
import type { CreateShaper } from './cases.js';
import type { Pools } from './pools.js';
import type { Effort, Summary } from './sampling.js';

export interface Claim {
  claim: string;
  /** `undefined`: it was not measured, and `figures` says why. */
  holds: boolean | undefined;
  figures: string;
}

export interface Circumstances {
  pools: Pools;
  data: string;
  effort: Effort;
  /** Another build, in turns with this one. */
  before: CreateShaper | undefined;
  /** Leaves out what takes more than a few seconds. */
  quick: boolean;
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
/** The time in quiet turns, and its quartiles in all turns. */
export const withSpread = ({ lowerQuartile, upperQuartile, quiet }: Summary) =>
  `${ms(quiet)} (quartiles ${ms(lowerQuartile)}, ${ms(upperQuartile)})`;
