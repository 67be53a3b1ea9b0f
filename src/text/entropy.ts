import { blendEntropy, characterEntropy, entropyOfNumbers } from '../math/entropy.js';
import type { Lexicon } from './lexicon.js';

/** Entropies in bits per symbol, and their blend, 0..1. */
export interface Entropy {
  readonly character: number;
  readonly token: number;
  readonly blend: number;
}

/** Counts by word, all zero between calls. */
let counts = new Uint32Array(0);

/** Measures the entropy of the characters and of the words of a text, from their frequencies in it. */
export function entropyOf(text: string, lexicon: Lexicon): Entropy {
  const words = lexicon.words(text);
  const { size } = lexicon.vocabulary;
  if (counts.length < size) counts = new Uint32Array(2 * size);
  const character = characterEntropy(text);
  const token = entropyOfNumbers(words, counts);
  return { character, token, blend: blendEntropy(character, token) };
}
