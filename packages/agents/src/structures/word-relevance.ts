/**
 * How much texts answer a question, by its words and the parts of its identifiers. Lines of code, paths and messages are no
 * sentences: a word that is rare in the result says more than a word that is rare in the language.
 *
 *   score(d) = weight(d) · BM25(d) · (1 + known(d)) / length(d)^0.2
 *
 * known(d) is the share of the words of the name of d that the question has. The length, in characters, is there because
 * a room holds several short texts in the place of a long one.
 *
 * Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
import { searchTermsOf } from 'context-shaping/internal';

const K1 = 1.2;
const B = 0.75;
const BREVITY = 0.2;

interface Named {
  readonly text: string;
  /** The name that it declares, for example. */
  readonly name?: string | undefined;
  /** Default 1. */
  readonly weight?: number | undefined;
}

/** @returns a function from a question to the scores of the texts, 0..1: as shares of the best one. 0 if no word is in any. */
export function wordRelevance(texts: readonly Named[]): (question: string) => number[] {
  return (question) => {
    const { asked, terms } = searchTermsOf(question, [
      ...texts.map(({ text }) => text),
      ...texts.map(({ name = '' }) => name),
    ]);
    const all = terms.slice(0, texts.length);
    const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
    const counts = all.map((terms) => countsOf(terms, asked));
    const rarity = new Map<number, number>();
    for (const term of asked) {
      const having = counts.reduce((sum, own) => sum + Number(own.has(term)), 0);
      rarity.set(term, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5)));
    }
    const scores = texts.map(({ text, weight = 1 }, at) => {
      let sum = 0;
      for (const [term, count] of counts[at] as Map<number, number>) {
        const norm = K1 * (1 - B + (B * (all[at] as Int32Array).length) / average);
        sum += ((rarity.get(term) as number) * count * (K1 + 1)) / (count + norm);
      }
      if (sum === 0) return 0;
      const words = [...new Set(terms[texts.length + at])];
      const known = words.length === 0 ? 0 : words.filter((word) => asked.has(word)).length / words.length;
      return (weight * sum * (1 + known)) / (1 + text.length) ** BREVITY;
    });
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    return best > 0 ? scores.map((score) => score / best) : scores;
  };
}

function countsOf(terms: Int32Array, asked: ReadonlySet<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
