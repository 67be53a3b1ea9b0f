/** English words that a search engine does not need. Negations are not among them. */

/** Words that are common only in English. */
// Unchecked prose: a list of words.
const ENGLISH_ALONE =
  'the what when where which who whom whose why how does did are were been has with from that this these ' +
  'those there their they you your would could should and about into than then ' +
  "it's what's who's where's how's when's that's there's let's i'm i've i'll you're we're they're";
// Unchecked prose: a list of words.
const FUNCTION_WORDS =
  `a an of to in on at by for over under or but if as so is was am be being do done doing have had having ` +
  `can will shall may might must i me my we us our he him his she her hers it its them ${ENGLISH_ALONE}`;
/** Words of polite requests. */
const FILLERS =
  'please kindly thanks thank hi hello hey tell explain describe know wonder wondering want let actually ' +
  'really just basically exactly also maybe';

const wordsOf = (list: string) => new Set(list.split(' '));
const STOP_WORDS = wordsOf(`${FUNCTION_WORDS} ${FILLERS}`);
const SURE = wordsOf(ENGLISH_ALONE);
const LEAST_SHARE = 0.25;

export const fold = (word: string): string => word.toLowerCase().replaceAll('’', "'");

export const isStopWord = (word: string): boolean => STOP_WORDS.has(fold(word));

/** Only if it is certain: an English stop word may be a word of substance in another language. */
export function looksEnglish(words: readonly string[]): boolean {
  // Names keep foreign letters in English too, so only words in lower case count.
  const foreign = words.some((word) => /^\p{Ll}/u.test(word) && /[^\0-\x7f’]/.test(word));
  const known = words.filter(isStopWord).length;
  return !foreign && words.some((word) => SURE.has(fold(word))) && known >= LEAST_SHARE * words.length;
}
