import { withoutEntities } from '../entities.js';
import { wordsOf } from '../words.js';
import { factsOf } from './facts.js';

/** Bullets of lists, also where their line break is lost, and white space. */
const LAYOUT = /^[ \t]*[-*+•–][ \t]+|(?<=[.!?:;]["')\]]?) [*+] |\s+/gm;

/**
 * Returns one form of all texts with the same words, numbers, units and signs in the same order: copies, but for
 * letter case. A text without words is its own form.
 */
export function copyForm(text: string): string {
  const plain = withoutEntities(text).replace(LAYOUT, ' ').trim();
  const words = wordsOf(plain.replaceAll('&', ' and '));
  if (words.length === 0) return plain;
  const { items, signs } = factsOf(plain);
  const measures = items.flatMap(({ kind, key }) => (kind === 'number' || kind === 'unit' ? key : []));
  return [words.join(' '), measures.join(' '), signs].join('\n');
}
