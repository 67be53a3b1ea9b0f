import { blendEntropy, characterEntropy, entropyOfNumbers } from '../math/entropy.js';
import type { Lexicon } from './lexicon.js';

/** In bits per symbol, and one figure for both, 0..1. */
export interface Entropy {
  readonly character: number;
  readonly token: number;
  readonly blend: number;
}

/** By word, all zero between calls. */
let counts = new Uint32Array(0);

/** Of the characters and the words of a text, by their frequencies in it. */
export function entropyOf(text: string, lexicon: Lexicon): Entropy {
  const words = lexicon.words(text);
  const { size } = lexicon.vocabulary;
  if (counts.length < size) counts = new Uint32Array(2 * size);
  const character = characterEntropy(text);
  const token = entropyOfNumbers(words, counts);
  return { character, token, blend: blendEntropy(character, token) };
}
