import { Command, type NodeError } from '@langchain/langgraph';
import { messageOf } from '../../../src/internal.js';
import type { WebSearch } from '../../crag/index.js';
import { callService } from '../call-service.js';
import type { Config, Settings } from '../settings.js';
import type { SearchResult, SearchTask, Update } from '../state.js';

/** Searches, in a step of its own: after a crash, a finished search is not paid for again. */
export const search =
  ({ webSearch }: Settings) =>
  async ({ search }: SearchTask, config: Config): Promise<Update> => {
    const documents = await callService((call) => (webSearch as WebSearch)(search, call), config);
    return { result: { search, documents } };
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
