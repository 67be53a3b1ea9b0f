import { Lexicon } from '../text/lexicon.js';
import { supportOf } from './answerable.js';
import { withoutEchoes } from './echo.js';
import { type Passage, questionOf, titledTerms, titleTerms } from './passage.js';

/**
 * Estimates the support of each text, 0..1: the probability that a pool answers the question in which this text is the
 * best. It returns 0 for a blank text, and 0 for all texts if the question has no words. The order of the texts has no
 * influence.
 *
 * @param texts the whole pool, because words that few texts contain count for more. A pool of one text is valid. A title
 *   counts as part of its text.
 * @param lexicon keeps the analyses of texts. Give the same one again to reuse them.
 */
export function support(
  query: string,
  texts: readonly { text: string; title?: string | undefined }[],
  lexicon: Lexicon = new Lexicon(),
): number[] {
  const question = questionOf(query, lexicon);
  const whole = texts.map(({ text, title: heading }): Passage => {
    const title = titleTerms(heading, lexicon);
    const terms = titledTerms({ text, heading, title }, lexicon);
    return { text, heading, title, terms, runs: lexicon.runs(text) };
  });
  const passages = withoutEchoes(whole, question, lexicon.vocabulary);
  return supportOf(question, passages, lexicon) ?? texts.map(() => 0);
}
