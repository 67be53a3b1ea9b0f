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
