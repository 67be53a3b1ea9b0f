import { withoutEntities } from '../entities.js';
import { wordsOf } from '../words.js';
import { factsOf } from './facts.js';
import { sequenceOf } from './sequence.js';

/**
 * Returns one form of all texts with the same words, numbers and signs in the same order: copies, but for letter case. A text
 * without words is its own form.
 */
export function copyForm(text: string): string {
  const plain = withoutEntities(text).trim();
  const words = wordsOf(plain);
  return words.length === 0 ? plain : `${words.join(' ')}\n${sequenceOf(factsOf(plain))}`;
}
