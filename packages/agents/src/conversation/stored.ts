/** Entries of a store: the passages of a result under their common handle, and their places under their own handles. */
import { isObject, parseJson } from 'context-shaping/kit';
import { type Handles, isSame } from './handles.js';
import { arePassages, fromStored, toStored } from './held.js';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';
import type { ReadResult } from './result.js';

export interface StoredResult {
  callId: string;
  /** The passages of a result that it does not show in full, or all of them. */
  of: 'rest' | 'result';
  are: ReadResult['are'];
  passages: readonly Passage[];
}

/** An entry of a store. */
export type Entry = readonly [key: string, value: string];

/** @param listed how many of the first passages are to be found by their own handles. */
export function entriesOf(stored: StoredResult, thread: string, listed: number, handles: Handles): Entry[] {
  const { callId, of, are, passages } = stored;
  const key = keyOf(stored, thread, handles);
  return [
    [key, JSON.stringify({ callId, of, are, passages: passages.map(toStored) })],
    ...passages
      .slice(0, listed)
      .map((passage, at): Entry => [handles.ofPassage(thread, passage), JSON.stringify({ in: key, at })]),
  ];
}

const keyOf = (
  { callId, of }: Pick<StoredResult, 'callId' | 'of'>,
  thread: string,
  handles: Handles,
): string => (of === 'rest' ? handles.ofRest(thread, callId) : handles.ofResult(thread, callId));

/** Reads the passages of a handle of this thread; undefined if there are none, or if the handle is of another thread. */
export async function readStored(
  handle: string,
  thread: string,
  { store, handles }: Pick<Settings, 'store' | 'handles'>,
  signal: AbortSignal | undefined,
): Promise<Pick<StoredResult, 'are' | 'passages'> | undefined> {
  const resultAt = async (key: string) => {
    const value = parseJson((await store.get(key, { signal })) ?? '');
    if (!isObject(value) || !arePassages(value.passages) || typeof value.callId !== 'string')
      return undefined;
    const of = value.of === 'rest' ? 'rest' : 'result';
    if (!isSame(key, keyOf({ callId: value.callId, of }, thread, handles))) return undefined;
    const are: ReadResult['are'] = value.are === 'documents' ? 'documents' : 'blocks';
    return { are, passages: value.passages.map(fromStored) };
  };
  const value = parseJson((await store.get(handle, { signal })) ?? '');
  if (!isObject(value)) return undefined;
  if (typeof value.in !== 'string') return resultAt(handle);
  const { are, passages = [] } = (await resultAt(value.in)) ?? {};
  const passage = passages[Number(value.at)];
  const isIts = passage !== undefined && isSame(handle, handles.ofPassage(thread, passage));
  return isIts && are !== undefined ? { are, passages: [passage] } : undefined;
}
