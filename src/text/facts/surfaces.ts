/** Finds the words of a text that state a fact, which the report has in a folded form. */
import { factsOf } from './facts.js';

/** The most words of one fact, and the most words of a text that are read. */
const LONGEST = 5;
const MOST_WORDS = 600;

/**
 * Returns the shortest runs of words that state each fact: `4 May 1932` for `1932-05-04`. Facts that no run of five words
 * states are left out.
 */
export function surfacesOf(text: string, facts: readonly string[]): string[] {
  const words: { start: number; end: number }[] = [];
  for (const { 0: word, index } of text.matchAll(/[^\s.,;:!?()"“”]+(?:[.,:][^\s.,;:!?()"“”]+)*/g)) {
    if (words.push({ start: index, end: index + word.length }) === MOST_WORDS) break;
  }
  const wanted = new Set(facts);
  const found = new Set<string>();
  for (let length = 1; length <= LONGEST && wanted.size > 0; length++) {
    const stated = new Set<string>();
    for (let at = 0; at + length <= words.length; at++) {
      const run = text.slice(words[at]?.start, words[at + length - 1]?.end);
      for (const fact of factsIn(run)) {
        if (!wanted.has(fact)) continue;
        stated.add(fact);
        found.add(run);
      }
    }
    for (const fact of stated) wanted.delete(fact);
  }
  return [...found];
}

function factsIn(text: string): string[] {
  const { facts, negations, known } = factsOf(text);
  return [...facts.keys(), ...negations.keys(), ...known.keys()];
}
