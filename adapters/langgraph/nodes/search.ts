import { Command, type NodeError } from '@langchain/langgraph';
import { messageOf } from '../../../src/internal.js';
import type { WebSearch } from '../../crag/index.js';
import { callService } from '../call-service.js';
import type { Config, Settings } from '../settings.js';
import type { SearchResult, SearchTask, Update } from '../state.js';
import { inStep } from '../tracing.js';

/** Searches, in a step of its own: after a crash, a finished search is not paid for again. */
export const search =
  (settings: Settings) =>
  async ({ search: query }: SearchTask, config: Config): Promise<Update> => {
    const webSearch = settings.webSearch as WebSearch;
    const documents = await inStep(
      { kind: 'search', query },
      settings,
      config,
      () => callService((call) => webSearch(query, call), config),
      (found) => ({ found: found.map(({ id, pageContent }) => ({ id, text: pageContent })) }),
    );
    return { result: { search: query, documents } };
  };

/** After the last failure of the search: the run continues with the documents that it has. */
export const searchFailed =
  () =>
  ({ search }: SearchTask, { error }: NodeError, config: Config = {}): Command => {
    config.signal?.throwIfAborted();
    const result: SearchResult = { search, documents: [], failure: messageOf(error) };
    // LangGraph does not take the edge of a failed node.
    return new Command({ goto: 'shape', update: { result } satisfies Update });
  };
