/**
 * How much each unit of code answers a question, by words: those of a question are in names and comments, in parts of
 * identifiers.
 *
 *   score(u) = kind(u) · BM25(u) · (1 + known(u)) / length(u)^0.2
 *
 * known(u) is the share of the words of its own name that the question has. The length, in
 * characters, is there because a room holds several short units in the place of a long one.
 *
 * Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
import { Lexicon } from '../../../src/internal.js';
import type { CodeUnit } from './units.js';

const K1 = 1.2;
const B = 0.75;
const BREVITY = 0.2;
/** Questions are about what code does: about functions more than about what they handle. */
const KIND = { function: 1, type: 0.4, statements: 0.4, frame: 0.2, comment: 0.2, import: 0.1 };

/**
 * @param texts the code of each unit.
 * @returns a function from a question to the scores of the units, 0..1: as shares of the best one.
 */
export function codeRelevance(
  units: readonly CodeUnit[],
  texts: readonly string[],
): (question: string) => number[] {
  const lexicon = new Lexicon();
  const terms = texts.map((text) => lexicon.searchTerms(text));
  const names = units.map(({ names }) => new Set(lexicon.searchTerms(names.at(-1) ?? '')));
  const average = terms.reduce((sum, { length }) => sum + length, 0) / Math.max(1, terms.length);
  return (question) => {
    const asked = new Set(lexicon.queryTerms(question));
    const counts = terms.map((own) => countsOf(own, asked));
    const rarity = (having: number) => Math.log(1 + (units.length - having + 0.5) / (having + 0.5));
    const known = new Map<number, number>();
    for (const term of asked) known.set(term, rarity(counts.filter((own) => own.has(term)).length));
    const scores = units.map(({ is }, at) => {
      let sum = 0;
      for (const [term, count] of counts[at] as Map<number, number>) {
        const norm = K1 * (1 - B + (B * (terms[at] as Int32Array).length) / average);
        sum += ((known.get(term) as number) * count * (K1 + 1)) / (count + norm);
      }
      const name = [...(names[at] as Set<number>)];
      const share = name.length === 0 ? 0 : name.filter((term) => asked.has(term)).length / name.length;
      return (KIND[is] * sum * (1 + share)) / (1 + (texts[at] as string).length) ** BREVITY;
    });
    const best = Math.max(...scores);
    return best > 0 ? scores.map((score) => score / best) : scores;
  };
}

function countsOf(terms: Int32Array, asked: ReadonlySet<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
