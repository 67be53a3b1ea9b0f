import type { Rewrite } from '../types.js';
import { type Term, termsOf } from './terms.js';

const MOST_TERMS = 12;
/** The longest query that search services accept, in UTF-16 code units. */
const LONGEST_QUERY = 300;

/**
 * The keywords of the question, without a model. The first attempt leaves out English function words. The second keeps
 * the rarer half of the rest (names, numbers, quoted phrases, long words). The third is the question itself. Queries
 * that were searched before are skipped if there are others.
 *
 * At most 12 terms, in the order of the question. If there are more terms, names, numbers, quoted phrases, negations
 * and long words stay. Up to 12 words, a question that is not clearly English keeps all its words. A question that
 * consists of stop words stays as it is.
 */
export const keywords: Rewrite = async ({ query, attempt, previous }, { signal } = {}) => {
  signal?.throwIfAborted();
  const question = shortened(query.trim().replace(/\s+/g, ' '));
  const terms = rarest(termsOf(query), MOST_TERMS);
  const half = Math.ceil(terms.length / 2);
  const sizes = [half, ...terms.map((_, place) => place + 1).reverse()];
  const [first, second, ...others] = [terms.length, ...sizes].map((size) => joined(rarest(terms, size)));
  const ways = [first, second, question, ...others].filter(
    (way): way is string => way !== undefined && way !== '',
  );
  const searched = new Set(previous.map(folded));
  const turn = Math.min(attempt, ways.length) - 1;
  const inTurn = [...ways.slice(turn), ...ways.slice(0, turn)];
  return inTurn.find((way) => !searched.has(folded(way))) ?? question;
};

/** The `most` rarest terms, in their order. Ties: the earlier term. */
function rarest(terms: readonly Term[], most: number): Term[] {
  const chosen = new Set(terms.toSorted((a, b) => b.rarity - a.rarity).slice(0, most));
  return terms.filter((term) => chosen.has(term));
}

const joined = (terms: readonly Term[]): string => shortened(terms.map(({ text }) => text).join(' '));

/** Cut at the end of a word, if there is one. */
const shortened = (text: string): string =>
  text.length <= LONGEST_QUERY ? text : text.slice(0, LONGEST_QUERY + 1).replace(/(?<!\s)\s+\S*$|.$/su, '');

const folded = (query: string): string => query.toLowerCase().replace(/\s+/g, ' ').trim();
