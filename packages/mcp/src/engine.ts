/** The work on what tools answer. The thread of the proxy does it, or another one: {@link startWorkers}. */
import { createConversationShaper } from 'context-shaping/conversation';
import type { JsonObject } from 'context-shaping/internal';
import type { resolveOptions } from './options.js';
import { type Recall, recall } from './recall.js';
import { resultShaper, type Shaped, type ToolCall } from './result-shaper.js';

export type Settings = Pick<
  ReturnType<typeof resolveOptions>,
  'maxTokens' | 'queryFields' | 'thread' | 'shaping'
>;

/** What the work needs of the proxy. It asks one thing at a time. */
export interface Host {
  signal: AbortSignal;
  /** The output schema of the tool. Rejects if it cannot be known. */
  schema(): Promise<JsonObject | undefined>;
  /** Reads from the store. */
  get(key: string): Promise<string | undefined>;
  onError(error: unknown): unknown;
}

export interface Engine {
  /**
   * @param line the message with the result.
   * @returns undefined if the result stays as it is.
   */
  shape(line: string, call: ToolCall, host: Host): Promise<Shaped | undefined>;
  recall(call: Recall, host: Host): ReturnType<typeof recall>;
}

export async function engineOf(settings: Settings): Promise<Engine> {
  const { maxTokens: maxToolTokens, thread, shaping } = settings;
  const shape = await resultShaper(settings);
  return {
    shape: (line, call, host) => shape((JSON.parse(line) as { result: JsonObject }).result, call, host),
    recall(call, { get, signal }) {
      const store = { get, set: async () => {} };
      return recall(createConversationShaper({ ...shaping, maxToolTokens, store }), call, thread, signal);
    },
  };
}
