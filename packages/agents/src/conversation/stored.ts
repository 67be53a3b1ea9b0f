/** Entries of a store: what results left out, under their handles. */
import { isObject, parseJson } from 'context-shaping/kit';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';

/** An entry of a store. */
export type Entry = readonly [key: string, value: string];

/** The key of an entry, and the name of each of its passages: `handle.3` is the third. */
export interface Place {
  key: string;
  nameOf(passage: Passage, place: number): string;
}

/**
 * The place of passages in the store.
 *
 * @param isLater an earlier shaping of this result stored what it left out; this has what the result showed then.
 */
export function placeOf(handle: string, isLater: boolean): Place {
  const key = isLater ? handle + LATER : handle;
  return { key, nameOf: (_, place) => `${key}.${place + 1}` };
}
const LATER = '.later';

export interface StoredPassages {
  are: 'documents' | 'blocks';
  passages: readonly Passage[];
}

export const entryOf = (key: string, callId: string, { are, passages }: StoredPassages): Entry => [
  key,
  JSON.stringify({ callId, are, passages: passages.map(toStored) }),
];

const NAME = /^([^.]*)(\.later)?(?:\.(\d+))?$/;

/**
 * Reads the passages of a handle of this thread, or the one that a name is of; undefined if there are none, or if the
 * handle is of another thread.
 */
export async function readStored(
  name: string,
  thread: string,
  { store, handles }: Pick<Settings, 'store' | 'handles'>,
  signal: AbortSignal | undefined,
): Promise<(StoredPassages & Pick<Place, 'nameOf'>) | undefined> {
  const [, handle = '', later = '', number] = NAME.exec(name) ?? [];
  const nameOf = new Map<Passage, string>();
  let are: StoredPassages['are'] | undefined;
  for (const key of number === undefined ? [handle + LATER, handle] : [handle + later]) {
    const value = parseJson((await store.get(key, { signal })) ?? '');
    if (!isObject(value) || !arePassages(value.passages) || typeof value.callId !== 'string') continue;
    if (!handles.isOf(handle, thread, value.callId)) continue;
    are = value.are === 'documents' ? 'documents' : 'blocks';
    const known = new Set([...nameOf.keys()].map(({ text }) => text));
    for (const [at, stored] of value.passages.entries())
      if (!known.has(stored.text) && (number === undefined || at + 1 === Number(number)))
        nameOf.set(stored, `${key}.${at + 1}`);
  }
  const passages = [...nameOf.keys()];
  return are === undefined || passages.length === 0
    ? undefined
    : { are, passages, nameOf: (passage) => nameOf.get(passage) ?? name };
}

const arePassages = (value: unknown): value is Passage[] =>
  Array.isArray(value) &&
  value.every((each) => isObject(each) && typeof each.text === 'string' && typeof each.id === 'string');

/** The passage as the model sees it. */
export const renderedOf = ({ text, rendered }: Passage): string => rendered ?? text;

/** The parts of the rendered passage before and after its text; undefined if the text does not occur there. */
export function aroundOf(passage: Passage): [before: string, after: string] | undefined {
  const rendered = renderedOf(passage);
  const at = rendered.lastIndexOf(passage.text);
  return at < 0 ? undefined : [rendered.slice(0, at), rendered.slice(at + passage.text.length)];
}

/** A passage as plain JSON, without its vector. */
const toStored = ({ id, text, rendered, score, metadata }: Passage): Passage => ({
  id,
  text,
  ...(rendered == null ? {} : { rendered }),
  ...(score == null ? {} : { score }),
  ...(metadata == null ? {} : { metadata }),
});
