/** The rewrite of the question as a search query, and the search. */
import { beginningOf, defined } from '../../../src/internal.js';
import { serviceError } from '../../model-calls/index.js';
import { answerOf, documentsOf, questionOf, type Run } from '../run.js';
import type { State, Update } from '../state.js';
import type { WebSearch } from '../types.js';
import { findingDocuments } from '../web-search.js';

const MAX_LENGTH = 1000;
/** The longest query that search services accept, in UTF-16 code units. */
const LONGEST_QUESTION = 300;

/** Turns the question into a search query: the question itself, if there is no rewrite, or if it fails. */
export async function rewrite(state: State, run: Run): Promise<Update> {
  const query = questionOf(state);
  const asItIs = beginningOf(query.trim().replace(/\s+/g, ' '), LONGEST_QUESTION);
  const result = await answerOf(run, async (call) => {
    if (run.rewrite === undefined) return asItIs;
    const written: unknown = await run.rewrite({ query }, call);
    if (typeof written === 'string' && written.trim() !== '' && written.length <= MAX_LENGTH)
      return written.trim();
    throw serviceError(
      'rewrite',
      written,
      `must return a string of 1 to ${MAX_LENGTH} characters`,
      'Return the search query.',
    );
  });
  const degradations = [...state.degradations];
  if ('failure' in result) {
    const message = `The rewrite failed. The question itself was searched for. ${result.failure}`;
    degradations.push({ stage: 'rewrite', code: 'rewrite-failed', message });
  }
  const wording = 'answer' in result ? result.answer : asItIs;
  return { wording, degradations, isSearched: true, path: [...state.path, 'rewrite'] };
}

/** Searches, and adds the documents that the run does not have. If the search fails, the run continues with those. */
export async function search(state: State, run: Run): Promise<Update> {
  const query = state.wording as string;
  const result = await answerOf(run, (call) =>
    findingDocuments(run.webSearch as WebSearch)(query, defined(call)),
  );
  const failure = 'failure' in result ? result.failure : undefined;
  const seen = new Set(documentsOf(state).map(identityOf));
  const news = ('answer' in result ? result.answer : []).filter(
    (document) => !seen.has(identityOf(document)) && seen.add(identityOf(document)),
  );
  const entry = { query, found: news.length, ...defined({ failure }) };
  const degradations = [...state.degradations];
  if (failure !== undefined)
    degradations.push({ stage: 'search', code: 'search-failed', message: `The search failed. ${failure}` });
  return {
    found: [...state.found, ...news.map((document) => ({ document, origin: 'web' as const }))],
    searches: [...state.searches, entry],
    degradations,
    path: [...state.path, 'search'],
  };
}

const identityOf = ({ id, pageContent }: { id?: string; pageContent: string }) =>
  `${id ?? ''}\n${pageContent}`;
