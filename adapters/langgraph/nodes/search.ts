import { Command, type NodeError } from '@langchain/langgraph';
import { messageOf } from '../../../src/internal.js';
import type { WebSearch } from '../../crag/index.js';
import { callService } from '../call-service.js';
import type { Config, Settings } from '../settings.js';
import type { SearchResult, SearchTask, Update } from '../state.js';

/** A step of its own: once it is done, a crash does not pay for it again. */
export const search =
  ({ webSearch }: Settings) =>
  async ({ search }: SearchTask, config: Config): Promise<Update> => {
    const documents = await callService(
      () => (webSearch as WebSearch)(search, { signal: config.signal }),
      config,
    );
    return { result: { search, documents } };
  };

/** It failed for good: go on with what there is. */
export const searchFailed =
  () =>
  ({ search }: SearchTask, { error }: NodeError, config: Config = {}): Command => {
    config.signal?.throwIfAborted();
    const result: SearchResult = { search, documents: [], failure: messageOf(error) };
    // The edge of the node that failed is not taken.
    return new Command({ goto: 'shape', update: { result } satisfies Update });
  };
