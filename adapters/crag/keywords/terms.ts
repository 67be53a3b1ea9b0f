/** A question as terms for a search engine. */
import { fold, isStopWord, looksEnglish } from './english.js';

export interface Term {
  text: string;
  /** Higher for terms on fewer pages: quoted phrases, names and numbers, then longer words. */
  rarity: number;
}

interface Word {
  text: string;
  isQuoted: boolean;
  /** The first word of a sentence, whose capital is no evidence of a name. */
  isFirst: boolean;
}

const QUOTED_OR_WORD = /"([^"]{1,200})"|[“„]([^“”]{1,200})[“”]|«([^»]{1,200})»|\S+/g;
const BEFORE = /^[([{<"'“”„‘’«»¿¡*_,;:!?–—-]+/;
const END = String.raw`[)\]}>"'“”‘’«»*_,;:!?.…–—-]`;
// The lookbehind starts a match only at the first mark of a run. Otherwise a long run takes quadratic time.
const AFTER = new RegExp(`(?<!${END})${END}+$`);
/** Between two names they are part of one name: Bank of England, War and Peace. */
const LINKS = new Set(['of', 'the', 'and', 'in', 'for']);
const LONGEST_LINK = 3;
const IS_NEGATION = /^(not?|never|without|neither|nor|none|except|cannot)$|n't$/;
const OF_A_NAME = 1000;
const OF_A_NEGATION = 500;

/** In the order of the question. An English question yields each word once, without stop words; it may yield none. */
export function termsOf(question: string): Term[] {
  const words = wordsOf(question);
  const unquoted = words.filter(({ isQuoted }) => !isQuoted).map(({ text }) => text);
  if (words.every(({ text, isQuoted }) => !isQuoted && isStopWord(text))) return [];
  // In a question in capitals, WHO and US may be names or plain words.
  const isEnglish = /\p{Ll}/u.test(question) && looksEnglish(unquoted);
  const seen = new Set<string>();
  return words.flatMap((word, place) => {
    const isPart = isLink(words, place);
    const isWanted = word.isQuoted || isPart || isName(word) || !isStopWord(word.text);
    const isNew = !seen.has(fold(word.text)) && isWanted;
    if (isNew) seen.add(fold(word.text));
    return isEnglish && !isNew
      ? []
      : [{ text: word.text, rarity: rarityOf(word) + (isPart ? OF_A_NAME : 0) }];
  });
}

function wordsOf(question: string): Word[] {
  let isFirst = true;
  return Array.from(question.matchAll(QUOTED_OR_WORD), ([found, ...quotes]): Word => {
    const quoted = quotes.find((quote) => quote !== undefined)?.trim();
    const text = quoted ? `"${quoted}"` : stripped(found);
    const word = { text, isQuoted: Boolean(quoted), isFirst };
    if (text !== '') isFirst = /[.!?]["')\]]*$/.test(found);
    return word;
  }).filter(({ text }) => text !== '');
}

/** Removes the punctuation around a word; C++, .NET, $5 and U.S. stay unchanged. */
function stripped(word: string): string {
  const inner = word.replace(BEFORE, '').replace(AFTER, '').trim();
  return /^(\p{L}\.)+\p{L}$/u.test(inner) ? `${inner}.` : inner;
}

/** By a capital within a sentence, or several: WHO, US and The Beatles, but not I. */
const isName = ({ text, isFirst }: Word): boolean =>
  /\p{Lu}.*\p{Lu}/u.test(text) || (!isFirst && /^\P{L}*\p{Lu}/u.test(text) && !/^I\b/.test(text));

function isLink(words: readonly Word[], place: number): boolean {
  const isPart = ({ text }: Word) => LINKS.has(text);
  if (!isPart(words[place] as Word)) return false;
  const before = words.slice(Math.max(0, place - LONGEST_LINK), place).findLast((word) => !isPart(word));
  const after = words.slice(place + 1, place + 1 + LONGEST_LINK).find((word) => !isPart(word));
  return [before, after].every((word) => word !== undefined && isName(word) && !isStopWord(word.text));
}

function rarityOf({ text, ...word }: Word): number {
  if (word.isQuoted || /\p{N}/u.test(text) || isName({ text, ...word })) return OF_A_NAME + text.length;
  return (IS_NEGATION.test(fold(text)) ? OF_A_NEGATION : 0) + text.length;
}
