/** Is a text a question, or the words of a search? And where is the word that asks? */

/** Words that ask, in English. */
const INTERROGATIVES = new Set(
  "who whom whose what which when where why how who's what's where's how's when's why's".split(' '),
);
/** A question that begins with one of these, in English, needs no other. */
const AUXILIARIES = new Set(
  (
    'is are was were am do does did can could will would shall should may might must has have had ' +
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't"
  ).split(' '),
);
/** Words. What is longer is a text, and nobody writes it above another to be found. */
const LONGEST_QUESTION = 100;
const QUESTION_MARK = /[?？؟\u037e︖]\s*["'”’»)]*\s*$/u;

/** The form of a question. */
export interface Form {
  /** Does it ask, or is it the words of a search? Those are what a good text has, one after the other. */
  readonly asks: boolean;
  /** Place of the word that makes it a question, among its words, as far as that is known: of English. */
  readonly interrogative?: number;
  /** Where it is not known: finds the question as a sentence of its own. "How high is it?" may be "Its height:". */
  readonly sentence?: RegExp;
}

export function formOf(text: string, words: readonly string[]): Form {
  if (words.length > LONGEST_QUESTION) return { asks: false };
  const hasMark = QUESTION_MARK.test(text);
  const interrogative = words.findIndex((word) => INTERROGATIVES.has(word));
  // "The man who sold the world" asks nothing.
  if (interrogative >= 0 && (hasMark || interrogative < 2)) return { asks: true, interrogative };
  if (AUXILIARIES.has(words[0] as string)) return { asks: true, interrogative: 0 };
  return hasMark ? { asks: true, sentence: sentenceOf(words) } : { asks: false };
}

/** The words of a sentence with nothing else before its end. */
function sentenceOf(words: readonly string[]): RegExp {
  const between = String.raw`[^\p{L}\p{N}\p{M}]*`;
  const literal = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`${literal.join(between)}\\s*["'”’»)]*(?:[.?!。？！؟\u037e\n:]|$)`, 'iu');
}
