import type { ShapingQuery } from '../stage.js';
import * as everyday from '../text/background.js';
import type { Lexicon } from '../text/lexicon.js';
import { carriedFrom } from './history.js';
import { type Question, questionOf } from './passage.js';

/** Analyses a query, with the conversation before it if there is one. A query without text continues nothing. */
export function questionInContext(
  { text, history }: ShapingQuery,
  candidates: readonly { text: string }[],
  lexicon: Lexicon,
): Question {
  const question = questionOf(text, lexicon);
  if (history === undefined || question.words.length === 0) return question;
  const passages = candidates.map((each) => lexicon.searchTerms(each.text));
  return { ...question, carried: carriedFrom(history, text, passages, lexicon, everyday) };
}
