/** The keywords of a question, for a search engine. */
import type { Rewrite } from './types.js';

const MOST_TERMS = 12;
/** The longest query that search services accept, in UTF-16 code units. */
const LONGEST_QUERY = 300;

/** Words that are common only in English. */
// Unchecked prose: a list of words.
const ENGLISH_ALONE =
  'the what when where which who whom whose why how does did are were been has with from that this these ' +
  'those there their they you your would could should and about into than then ' +
  "it's what's who's where's how's when's that's there's let's i'm i've i'll you're we're they're";
/** English words that a search engine does not need. Negations are not among them. */
// Unchecked prose: a list of words.
const FUNCTION_WORDS =
  `a an of to in on at by for over under or but if as so is was am be being do done doing have had having ` +
  `can will shall may might must i me my we us our he him his she her hers it its them ${ENGLISH_ALONE}`;
/** Words of polite requests. */
const FILLERS =
  'please kindly thanks thank hi hello hey tell explain describe know wonder wondering want let actually ' +
  'really just basically exactly also maybe';
const STOP_WORDS = new Set(`${FUNCTION_WORDS} ${FILLERS}`.split(' '));
const SURE = new Set(ENGLISH_ALONE.split(' '));
const LEAST_SHARE = 0.25;

const QUOTED_OR_WORD = /"([^"]{1,200})"|[“„]([^“”]{1,200})[“”]|«([^»]{1,200})»|\S+/g;
const BEFORE = /^[([{<"'“”„‘’«»¿¡*_,;:!?–—-]+/;
const END = String.raw`[)\]}>"'“”‘’«»*_,;:!?.…–—-]`;
// The lookbehind starts a match only at the first mark of a run. Otherwise a long run takes quadratic time.
const AFTER = new RegExp(`(?<!${END})${END}+$`);
const IS_NEGATION = /^(not?|never|without|neither|nor|none|except|cannot)$|n't$/;
const OF_A_NAME = 1000;
const OF_A_NEGATION = 500;

/**
 * The keywords of the question, without a model: it leaves out English function words.
 *
 * At most 12 terms, in the order of the question. If there are more terms, names, numbers, quoted phrases, negations
 * and long words stay. Up to 12 words, a question that is not clearly English keeps all its words. A question that
 * consists of stop words stays as it is.
 */
export const keywords: Rewrite = async ({ query }, { signal } = {}) => {
  signal?.throwIfAborted();
  const terms = rarest(termsOf(query), MOST_TERMS).map(({ text }) => text);
  return shortened(terms.length === 0 ? query.trim().replace(/\s+/g, ' ') : terms.join(' '));
};

interface Term {
  text: string;
  /** Higher for terms on fewer pages: quoted phrases, names and numbers, then longer words. */
  rarity: number;
}

/** The `most` rarest terms, in their order. Ties: the earlier term. */
function rarest(terms: readonly Term[], most: number): Term[] {
  const chosen = new Set(terms.toSorted((a, b) => b.rarity - a.rarity).slice(0, most));
  return terms.filter((term) => chosen.has(term));
}

/** Cut at the end of a word, if there is one. */
const shortened = (text: string): string =>
  text.length <= LONGEST_QUERY ? text : text.slice(0, LONGEST_QUERY + 1).replace(/(?<!\s)\s+\S*$|.$/su, '');

const fold = (word: string): string => word.toLowerCase().replaceAll('’', "'");
const isStopWord = (word: string): boolean => STOP_WORDS.has(fold(word));

interface Word {
  text: string;
  isQuoted: boolean;
  /** By a capital within a sentence, or several: WHO, US and The Beatles, but not I. */
  isName: boolean;
}

/** In the order of the question. An English question yields each word once, without stop words; it may yield none. */
function termsOf(question: string): Term[] {
  const words = wordsOf(question);
  if (words.every(({ text, isQuoted }) => !isQuoted && isStopWord(text))) return [];
  // In a question in capitals, WHO and US may be names or plain words.
  const isEnglish =
    /\p{Ll}/u.test(question) &&
    looksEnglish(words.filter(({ isQuoted }) => !isQuoted).map(({ text }) => text));
  const seen = new Set<string>();
  const wanted = words.filter(({ text, isQuoted, isName }) => {
    const isWanted = isQuoted || isName || !isStopWord(text);
    return isWanted && !seen.has(fold(text)) && seen.add(fold(text));
  });
  return (isEnglish ? wanted : words).map((word) => ({ text: word.text, rarity: rarityOf(word) }));
}

function wordsOf(question: string): Word[] {
  // The capital of the first word of a sentence is no evidence of a name.
  let isFirst = true;
  return Array.from(question.matchAll(QUOTED_OR_WORD), ([found, ...quotes]): Word => {
    const quoted = quotes.find((quote) => quote !== undefined)?.trim();
    const text = quoted ? `"${quoted}"` : stripped(found);
    const isName =
      /\p{Lu}.*\p{Lu}/u.test(text) || (!isFirst && /^\P{L}*\p{Lu}/u.test(text) && !/^I\b/.test(text));
    if (text !== '') isFirst = /[.!?]["')\]]*$/.test(found);
    return { text, isQuoted: Boolean(quoted), isName };
  }).filter(({ text }) => text !== '');
}

/** Removes the punctuation around a word; C++, .NET, $5 and U.S. stay unchanged. */
function stripped(word: string): string {
  const inner = word.replace(BEFORE, '').replace(AFTER, '').trim();
  return /^(\p{L}\.)+\p{L}$/u.test(inner) ? `${inner}.` : inner;
}

/** Only if it is certain: an English stop word may be a word of substance in another language. */
function looksEnglish(words: readonly string[]): boolean {
  // Names keep foreign letters in English too, so only words in lower case count.
  const foreign = words.some((word) => /^\p{Ll}/u.test(word) && /[^\0-\x7f’]/.test(word));
  const known = words.filter(isStopWord).length;
  return !foreign && words.some((word) => SURE.has(fold(word))) && known >= LEAST_SHARE * words.length;
}

function rarityOf({ text, isQuoted, isName }: Word): number {
  if (isQuoted || isName || /\p{N}/u.test(text)) return OF_A_NAME + text.length;
  return (IS_NEGATION.test(fold(text)) ? OF_A_NEGATION : 0) + text.length;
}
