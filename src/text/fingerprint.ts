import { classOf, LETTER } from './characters.js';
import { fold } from './normalise.js';

/** On a whole text it takes a third of the time of a loop. */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Returns a number that is equal for texts with one normal form, and nearly always different for other texts, in a
 * tenth of the time of normalising. It uses letters and the digits of ASCII, which normalising folds but neither adds
 * nor moves. It leaves out zeros, because `.5` is normalised to 0.5.
 */
export function fingerprint(text: string): number {
  const folded = BEYOND_ASCII.test(text) ? fold(text) : text;
  let hash = 0;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code >= 49 && code <= 57)) hash = (Math.imul(hash, 31) + code) | 0;
    else if (code >= 65 && code <= 90) hash = (Math.imul(hash, 31) + code + 32) | 0;
    else if (code > 127 && classOf(code) === LETTER) hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash;
}
