import { classOf, LETTER } from './characters.js';
import { codeUnitsOf } from './code-units.js';
import { fold } from './normalise.js';
import { DEPENDENT, GROWS, signsOf, unitTables } from './signs.js';

/**
 * Returns a number that is equal for texts with one normal form, and nearly always different for other texts, in a
 * tenth of the time of normalising. It uses letters and the digits of ASCII, which normalising folds but neither adds
 * nor moves. It leaves out zeros, because `.5` is normalised to 0.5.
 */
export function fingerprint(text: string): number {
  const isFoldedByUnit = (signsOf(text) & (DEPENDENT | GROWS)) === 0;
  const folded = isFoldedByUnit ? text : fold(text);
  const units = codeUnitsOf(folded);
  const { folds } = unitTables();
  let hash = 0;
  for (let at = 0; at < folded.length; at++) {
    const unit = units[at] as number;
    const code = isFoldedByUnit ? (folds[unit] as number) : unit;
    if ((code >= 97 && code <= 122) || (code >= 49 && code <= 57)) hash = (Math.imul(hash, 31) + code) | 0;
    else if (code > 127 && classOf(code) === LETTER) hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash;
}
