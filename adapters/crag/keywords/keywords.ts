import type { Rewrite } from '../types.js';
import { type Term, termsOf } from './terms.js';

const MOST_TERMS = 12;
/** What search services take. */
const LONGEST_QUERY = 300;

/**
 * The question as key words, without a model: first without the words that only hold an English sentence together,
 * then the rarer half of these (names, numbers, quoted phrases, long words), then the question as it is. What was
 * searched for before is passed over, as long as there is anything else.
 *
 * At most 12 terms, in the order of the question; of more the names, numbers, quoted phrases, negations and long
 * words stay. Up to that number a question that is not surely English keeps all its words. One of nothing but stop
 * words stays as it is.
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

/** So many at most, in their order; of equals the earlier. */
function rarest(terms: readonly Term[], most: number): Term[] {
  const chosen = new Set(terms.toSorted((a, b) => b.rarity - a.rarity).slice(0, most));
  return terms.filter((term) => chosen.has(term));
}

const joined = (terms: readonly Term[]): string => shortened(terms.map(({ text }) => text).join(' '));

/** At the end of a word, if there is one. */
const shortened = (text: string): string =>
  text.length <= LONGEST_QUERY ? text : text.slice(0, LONGEST_QUERY + 1).replace(/\s+\S*$|.$/su, '');

const folded = (query: string): string => query.toLowerCase().replace(/\s+/g, ' ').trim();
