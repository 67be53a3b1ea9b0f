import { classOf, LETTER } from './characters.js';
import type { Lexicon } from './lexicon.js';
import { enlarged, hashed } from './spellings.js';
import type { Vocabulary } from './vocabulary.js';

/** By word of a vocabulary: the hash of its letters and digits, and 31 to the power of their number, or 0 if not known yet. */
interface Words {
  hashes: Int32Array;
  powers: Int32Array;
}

const wordsOf = new WeakMap<Vocabulary, Words>();

/**
 * Returns a number that is equal for texts with one normal form, and nearly always different for other texts, in a
 * fraction of the time of normalising. It uses letters and the digits of ASCII, which normalising folds but neither adds
 * nor moves. It leaves out zeros, because `.5` is normalised to 0.5. The bounds of words have no influence: the
 * hashes of the words make up the hash of all letters and digits in a row.
 */
export function fingerprint(text: string, lexicon: Lexicon): number {
  const runs = lexicon.runs(text);
  const { vocabulary } = lexicon;
  const { hashes, powers } = knownOf(vocabulary);
  let hash = 0;
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as number;
    if (powers[run] === 0) learn(run, vocabulary.wordOf(run), hashes, powers);
    hash = (Math.imul(hash, powers[run] as number) + (hashes[run] as number)) | 0;
  }
  return hash;
}

function learn(run: number, word: string, hashes: Int32Array, powers: Int32Array): void {
  let hash = 0;
  let power = 1;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const counts = (code >= 97 && code <= 122) || (code >= 49 && code <= 57);
    if (!counts && (code < 128 || classOf(code) !== LETTER)) continue;
    hash = hashed(hash, code);
    power = Math.imul(power, 31);
  }
  hashes[run] = hash;
  powers[run] = power;
}

function knownOf(vocabulary: Vocabulary): Words {
  const { size } = vocabulary;
  let known = wordsOf.get(vocabulary);
  if (known === undefined) {
    known = { hashes: new Int32Array(2 * size), powers: new Int32Array(2 * size) };
    wordsOf.set(vocabulary, known);
  } else if (known.powers.length < size) {
    known.hashes = enlarged(known.hashes, size);
    known.powers = enlarged(known.powers, size);
  }
  return known;
}
