/** Distinguishes questions from search words, and finds the interrogative word of a question. */

/** English interrogative words. */
const INTERROGATIVES = new Set(
  "who whom whose what which when where why how who's what's where's how's when's why's".split(' '),
);
/** English auxiliary verbs. A question that begins with one needs no interrogative word. */
const AUXILIARIES = new Set(
  (
    'is are was were am do does did can could will would shall should may might must has have had ' +
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't"
  ).split(' '),
);
/** In words. A longer text is not a question, and no author repeats it above a text to have the text found. */
const LONGEST_QUESTION = 100;
const QUESTION_MARK = /[?？؟\u037e︖]\s*(?:["'”’»)]+\s*)?$/u;

/** The form of a question. */
export interface Form {
  /** True for a question, false for search words. A good text may contain search words in the same order. */
  readonly asks: boolean;
  /** Index of the interrogative word among the words of the question. Known only for English. */
  readonly interrogative?: number;
  /**
   * Finds the question as a sentence of its own, if the interrogative word is not known. A statement can begin with the
   * same words: in Japanese, "How high is it?" can have the words of "Its height is".
   */
  readonly sentence?: RegExp;
}

/**
 * Analyses the form of a question.
 *
 * @param words words of the text, folded.
 */
export function formOf(text: string, words: readonly string[]): Form {
  if (words.length > LONGEST_QUESTION) return { asks: false };
  const hasMark = QUESTION_MARK.test(text);
  const interrogative = words.findIndex((word) => INTERROGATIVES.has(word));
  // `The man who sold the world` is not a question.
  if (interrogative >= 0 && (hasMark || interrogative < 2)) return { asks: true, interrogative };
  if (AUXILIARIES.has(words[0] as string)) return { asks: true, interrogative: 0 };
  return hasMark ? { asks: true, sentence: sentenceOf(words) } : { asks: false };
}

/** Returns an expression for these words, followed by the end of a sentence. */
function sentenceOf(words: readonly string[]): RegExp {
  const between = String.raw`[^\p{L}\p{N}\p{M}]*`;
  const literal = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`${literal.join(between)}\\s*["'”’»)]*(?:[.?!。？！؟\u037e\n:]|$)`, 'iu');
}
