/** The work on what tools answer. The thread of the proxy does it, or another one: {@link startWorkers}. */

import type { JsonObject } from 'context-shaping/kit';
import { createConversationShaper, type RecallInput } from 'context-shaping-agents';
import type { Settings } from './options.js';
import { recall } from './recall.js';
import { type Host, resultShaper, type Shaped, type ToolCall } from './result-shaper.js';

export interface Engine {
  /**
   * @param line the message with the result.
   * @returns undefined if the result stays as it is.
   */
  shape(line: string, call: ToolCall, host: Host): Promise<Shaped | undefined>;
  recall(call: RecallInput, host: Host): ReturnType<typeof recall>;
}

export async function engineOf(settings: Settings): Promise<Engine> {
  const { maxTokens: maxToolTokens, thread, shaping } = settings;
  const shape = await resultShaper(settings);
  return {
    shape: async (line, call, host) => {
      const { result } = JSON.parse(line) as { result: JsonObject };
      return shape(result, call, host).catch((error) => {
        // The stack has an end, and JSON has none.
        throw error instanceof RangeError
          ? new Error('its values are nested too deep', { cause: error })
          : error;
      });
    },
    recall(call, { get, signal }) {
      const store = { get, set: async () => {} };
      return recall(createConversationShaper({ ...shaping, maxToolTokens, store }), call, thread, signal);
    },
  };
}
