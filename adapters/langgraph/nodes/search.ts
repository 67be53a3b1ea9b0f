/** The rewrite of the question as a search query, and the search. */
import { Command, Send } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { tellingOf } from '../../../src/internal.js';
import { keywords, type RewriteRequest, type WebSearch } from '../../crag/index.js';
import { callService, emitStep, type Run, type Settings } from '../run.js';
import type { SearchResult, SearchTask, State, Update } from '../state.js';
import { inStep } from '../tracing.js';

const MAX_LENGTH = 1000;

/** Turns the question into a search query. A person may be asked whether to search for it. */
export async function rewrite(state: State, run: Run): Promise<Command> {
  const request = requestOf(state);
  const search = await inStep(
    { kind: 'rewrite', attempt: request.attempt },
    run,
    () => askForQuery(request, run),
    (query) => ({ query }),
  );
  return next(search, {}, state, run);
}

async function askForQuery(request: RewriteRequest, run: Run): Promise<string> {
  const search: unknown = await callService((call) => run.rewrite(request, call), run);
  if (typeof search !== 'string' || search.trim() === '' || search.length > MAX_LENGTH) {
    throw new ContextShapingError('service', {
      field: 'rewrite',
      value: search,
      is: `must return a string of 1 to ${MAX_LENGTH} characters`,
      remedy: 'Return the search query.',
    });
  }
  return search.trim();
}

/** After the last failure of the rewrite: the graph searches for the keywords of the question. */
export async function rewriteFailed(state: State, error: unknown, run: Run): Promise<Command> {
  const search = await keywords(requestOf(state), {});
  const message = `The rewrite failed. The keywords of the question were searched for. ${tellingOf(run.shaper.options)(error)}`;
  const degradations = [
    ...state.degradations,
    { stage: 'rewrite', code: 'rewrite-failed' as const, message },
  ];
  return next(search, { degradations }, state, run);
}

async function next(search: string, update: Update, state: State, run: Run): Promise<Command> {
  await emitStep({ step: 'rewrite', search }, run);
  const isAsked = run.review.on.includes('before-search');
  return new Command({
    goto: isAsked ? 'review' : [new Send('search', { search } satisfies SearchTask)],
    update: { ...update, wording: search, attempts: state.attempts + 1, path: [...state.path, 'rewrite'] },
  });
}

/** The cache key: the inputs of the step. The whole state would never match, since it contains times. */
export const rewriteKey =
  ({ review }: Settings) =>
  (state: State): string =>
    JSON.stringify([requestOf(state), state.path, review.on.includes('before-search')]);

const requestOf = ({ question, attempts, searches }: State): RewriteRequest => ({
  query: question,
  attempt: attempts + 1,
  previous: searches.map(({ query }) => query),
});

/** Searches, in a step of its own: after a crash, a finished search is not paid for again. */
export async function search({ search: query }: SearchTask, run: Run): Promise<Update> {
  const webSearch = run.webSearch as WebSearch;
  const documents = await inStep(
    { kind: 'search', query },
    run,
    () => callService((call) => webSearch(query, call), run),
    (found) => ({ found: found.map(({ id, pageContent }) => ({ id, text: pageContent })) }),
  );
  return { result: { search: query, documents } };
}

/** After the last failure of the search: the run continues with the documents that it has. */
export function searchFailed({ search }: SearchTask, error: unknown, run: Run): Command {
  const failure = tellingOf(run.shaper.options)(error);
  const result: SearchResult = { search, documents: [], failure };
  // LangGraph does not take the edge of a failed node.
  return new Command({ goto: 'shape', update: { result } satisfies Update });
}
