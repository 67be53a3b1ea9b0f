import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import { Bounded } from './bounded.js';

/**
 * Keeps what results leave out, for hosts that have no place for it in their messages. Keys contain no data. A store that
 * fails never fails a request: the passages then cannot be recalled, and the report says so.
 */
export interface PassageStore {
  get(key: string, options?: { signal?: AbortSignal | undefined }): Promise<string | undefined>;
  /** Writes all entries or none. An entry that exists is replaced. */
  set(
    entries: readonly (readonly [key: string, value: string])[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<void>;
}

const schema = z.strictObject({
  maxBytes: z
    .int()
    .min(1)
    .default(2 ** 26),
});

/**
 * A store in the memory of this process. It forgets the entries that were not used for longest when it exceeds `maxBytes`,
 * default 64 MiB: the lengths of keys and values, at 2 bytes for a UTF-16 code unit.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function memoryPassageStore(options: { maxBytes?: number | undefined } = {}): PassageStore {
  const { maxBytes } = parseOptions(schema, options);
  const entries = new Bounded<string>(maxBytes, (key, value) => 2 * (key.length + value.length));
  return {
    get: async (key, { signal } = {}) => {
      signal?.throwIfAborted();
      return entries.get(key);
    },
    set: async (given, { signal } = {}) => {
      signal?.throwIfAborted();
      for (const [key, value] of given) entries.set(key, value);
    },
  };
}
