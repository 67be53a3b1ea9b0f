/**
 * Units that differ from others in the case of a letter alone, behind a number: `5 mW` is not `5 MW`, and `5 Mb` is not
 * `5 MB`. All other spellings of theirs (`mw`, `MB`, `mb`) are those of the larger unit, as careless writers mean them.
 *
 * Source: International Bureau of Weights and Measures, "The International System of Units", 9th edition, 2019 (prefixes).
 */
import { lazyRegExp } from '../runtime/lazily.js';

/** Spellings of the smaller unit. Begins with a letter, for speed: see `oneSpelling`. */
export const SMALLER_UNIT = lazyRegExp(
  String.raw`[mKMGT](?<=\d[ -]?.)(?:(?<=m)(?:W|J|Pa|Hz)|(?<!m)b)(?![\p{L}\p{N}])`,
  'gu',
);

const NAMES: Readonly<Record<string, string>> = {
  mW: 'milliwatt',
  mJ: 'millijoule',
  mPa: 'millipascal',
  mHz: 'millihertz',
  Kb: 'kilobit',
  Mb: 'megabit',
  Gb: 'gigabit',
  Tb: 'terabit',
};

/** The name of a smaller unit, which has no other meaning in any case. */
export const smallerUnit = (spelling: string): string => NAMES[spelling] as string;
