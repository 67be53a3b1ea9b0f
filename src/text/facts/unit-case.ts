/**
 * Units that differ from others only in the case of a letter, behind a number: `5 mW` is not `5 MW`, and `5 Mb` is not
 * `5 MB`. All other spellings of them (`mw`, `MB`, `mb`) stand for the larger unit, as careless writers mean them.
 *
 * Source: International Bureau of Weights and Measures, "The International System of Units", 9th edition, 2019 (prefixes).
 */
import { lazyRegExp } from '../../runtime/lazily.js';

/** Matches spellings of the smaller unit. It begins with a letter, for speed: see `oneSpelling`. */
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

/** Returns the name of a smaller unit. The name has no other meaning in any case. */
export const smallerUnit = (spelling: string): string => NAMES[spelling] as string;
