/**
 * Carries words of a conversation over to the query that continues it. "How much does it cost?" asks about a thing that
 * only an earlier turn names.
 *
 *   weight(w) = max over turns with w of  most · role · decay^e · open(e) · rarity(w)
 *   open(e)   = max(min(1, shared(e) / link), alone / (1 + (own / few)²))
 *   rarity(w) = min(1, bits(w) / RARE)²
 *
 * Exchange e, the last one 0, is a turn of the user and the answer. own is the sum of the rarity of the query's words,
 * shared(e) of those that exchange e has, too. So an exchange counts fully if it shares a rare word with the query.
 * Otherwise it counts the less, the more rare words the query has, because such a query may begin another subject.
 *
 *   bits(w)   = −log2 of the share of texts with w
 *
 * The texts are everyday English, and RARE is 12. In other languages they are the passages, and RARE is the greatest
 * value.
 *
 * Sources: K. Spärck Jones, "A statistical interpretation of term specificity", 1972 (bits). The settings were chosen on
 * conversations of MTRAG-UN: they are round values on the plateau of the best, and gain .049 with the own conversation and
 * lose .010 with another one. Chosen on three collections, they gain as much on the fourth.
 */
import { log2 } from '../math/elementary.js';
import type { ShapingQuery } from '../stage.js';
import type { Background } from '../text/background.js';
import type { Lexicon } from '../text/lexicon.js';

/** The constants of the formula that were chosen by measurement. Evaluations try others. */
export interface Settings {
  /** Weight of a carried word, if a word of the query has 1. */
  readonly most: number;
  /** Weight of answers, if a turn of the user has 1: they have many words that the user did not ask for. */
  readonly role: number;
  readonly decay: number;
  readonly alone: number;
  readonly few: number;
  readonly link: number;
}
export const SETTINGS: Settings = { most: 0.5, role: 0.4, decay: 0.6, alone: 0.4, few: 2, link: 0.3 };
const RARE = 12;
/** The rarest words of each turn are carried over. */
const WORDS = 8;
/** Lighter words are left out. */
const LEAST = 0.01;
/** The words of earlier turns would be lighter. */
const TURNS = 16;
/** If a text is longer, this number of characters at its beginning and at its end is read. */
const END = 1000;

/** A word of an earlier turn. */
export interface CarriedWord {
  readonly word: string;
  /** Its stem. */
  readonly term: number;
  /** 0..1; a word of the query has 1. */
  readonly weight: number;
}

/** The words and phrases that a query takes from the conversation before it. */
export interface Carried {
  /** Words that the query lacks, heaviest first; of equals, the word of the later turn, then the word said first. */
  readonly words: readonly CarriedWord[];
  /** Stems of the turns, in order. */
  readonly sequences: readonly Int32Array[];
}

type Rarity = (term: number) => number;

/**
 * Finds the words of `history` that the query lacks. It reads the last turns, and only the ends of long ones.
 *
 * @param passages terms of the passages. They show which words are rare if the conversation is not in English.
 */
export function carriedFrom(
  history: NonNullable<ShapingQuery['history']>,
  text: string,
  passages: readonly Int32Array[],
  lexicon: Lexicon,
  language: Background,
  { most, role: ofAnswers, decay, alone, few, link }: Settings = SETTINGS,
): Carried {
  const { vocabulary } = lexicon;
  const turns = history.slice(-TURNS).map(({ role, text }) => ({ role, ...wordsIn(endsOf(text), lexicon) }));
  const own = wordsIn(endsOf(text), lexicon);
  const all = new Set([own, ...turns].flatMap(({ said }) => [...said]));
  const rarity: Rarity = language.isEnglish(Array.from(all, (term) => vocabulary.wordOf(term)))
    ? (term) => squared(language.shareOfTexts(vocabulary.wordOf(term)), RARE)
    : rarityAmong(passages);
  const asked = [...own.content.keys()];
  const unlinked = alone / (1 + (sum(asked, rarity) / few) ** 2);
  const found = new Map<number, CarriedWord>();
  let worth = most;
  for (let at = turns.length - 1; at >= 0; at--) {
    const { role, content, said } = turns[at] as (typeof turns)[number];
    const other = turns[role === 'user' ? at + 1 : at - 1];
    const exchange = other === undefined || other.role === role ? [said] : [said, other.said];
    const shared = sum(
      asked.filter((term) => exchange.some((words) => words.has(term))),
      rarity,
    );
    const open = Math.max(Math.min(1, shared / link), unlinked);
    const weight = worth * open * (role === 'user' ? 1 : ofAnswers);
    const words = Array.from(content, ([term, word]) => ({ word, term, weight: weight * rarity(term) }));
    for (const each of words.sort(heaviestFirst).slice(0, WORDS)) {
      const known = found.get(each.term)?.weight ?? 0;
      if (!own.said.has(each.term) && each.weight > known) found.set(each.term, each);
    }
    if (role === 'user') worth *= decay;
  }
  return {
    words: [...found.values()].filter(({ weight }) => weight >= LEAST).sort(heaviestFirst),
    sequences: history.slice(-TURNS).map(({ text }) => lexicon.terms(endsOf(text))),
  };
}

const heaviestFirst = (a: CarriedWord, b: CarriedWord) => b.weight - a.weight;

const endsOf = (text: string) =>
  text.length <= 2 * END ? text : `${text.slice(0, END)}\n${text.slice(-END)}`;

/** Stems of all words, and of those that are no function words, each with the first word that has it. */
function wordsIn(text: string, lexicon: Lexicon) {
  const { vocabulary } = lexicon;
  const content = new Map<number, string>();
  for (const word of lexicon.contentWords(text)) {
    const term = vocabulary.stemOf(vocabulary.idOf(word));
    if (!content.has(term)) content.set(term, word);
  }
  return { content, said: new Set(lexicon.searchTerms(text)) };
}

const sum = (terms: readonly number[], rarity: Rarity) =>
  terms.reduce((total, term) => total + rarity(term), 0);

/** A word of no text is as rare as can be. */
const squared = (share: number, rare: number) => (share === 0 ? 1 : Math.min(1, -log2(share) / rare) ** 2);

function rarityAmong(passages: readonly Int32Array[]): Rarity {
  const having = new Map<number, number>();
  for (const words of passages) {
    for (const word of new Set(words)) having.set(word, (having.get(word) ?? 0) + 1);
  }
  const { length } = passages;
  return (term) => squared((having.get(term) ?? 0) / length, Math.max(1, log2(length)));
}
