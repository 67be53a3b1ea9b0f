import { onDemand } from '../runtime/on-demand.js';
import type { ShapingQuery } from '../stage.js';
import type { Background } from '../text/background.js';
import type { Lexicon } from '../text/lexicon.js';
import { type Question, questionOf } from './passage.js';

/** Pages load less at first. */
export const loadBackground = onDemand((): Promise<Background> => import('../text/background.js'));
const loadHistory = onDemand(() => import('./history.js'));

/** Analyses a query, with the conversation before it if there is one. A query without text continues nothing. */
export async function questionInContext(
  { text, history }: ShapingQuery,
  candidates: readonly { text: string }[],
  lexicon: Lexicon,
): Promise<Question> {
  const question = questionOf(text, lexicon);
  if (history === undefined || question.words.length === 0) return question;
  const { carriedFrom } = await loadHistory();
  const passages = candidates.map((each) => lexicon.searchTerms(each.text));
  return { ...question, carried: carriedFrom(history, text, passages, lexicon, await loadBackground()) };
}
