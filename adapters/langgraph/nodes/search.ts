import { Command } from '@langchain/langgraph';
import { tellingOf } from '../../../src/internal.js';
import type { WebSearch } from '../../crag/index.js';
import { callService } from '../call-service.js';
import type { Run } from '../settings.js';
import type { SearchResult, SearchTask, Update } from '../state.js';
import { inStep } from '../tracing.js';

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
