/** Entries of a store: left-out passages of results, under their handles. */
import { isObject, parseJson } from 'context-shaping/kit';
import { tagIn } from './handles.js';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';

/** An entry of a store. */
export type Entry = readonly [key: string, value: string];

export interface StoredPassages {
  are: 'documents' | 'blocks';
  passages: readonly Passage[];
}

export const entryOf = (key: string, callId: string, { are, passages }: StoredPassages): Entry => [
  key,
  JSON.stringify({ callId, are, passages: passages.map(toStored) }),
];

/**
 * Reads the passages of a handle of this thread, or the one of a name, `handle.3`; undefined if there are none, or if the
 * handle is of another thread.
 */
export async function readStored(
  name: string,
  thread: string,
  { store, handles }: Pick<Settings, 'store' | 'handles'>,
  signal: AbortSignal | undefined,
): Promise<(StoredPassages & { nameOf(passage: Passage): string }) | undefined> {
  const [, handle = '', number] = /^([^.]*)(?:\.(\d+))?$/.exec(name) ?? [];
  const entryAt = async (key: string) => {
    const value = parseJson((await store.get(key, { signal })) ?? '');
    const isRight =
      isObject(value) &&
      arePassages(value.passages) &&
      typeof value.callId === 'string' &&
      handles.isOf(key, thread, value.callId);
    return isRight ? (value as unknown as StoredPassages & { callId: string }) : undefined;
  };
  const own = await entryAt(handle);
  if (own === undefined) return undefined;
  // An earlier shaping may have stored its rest.
  const rest = handles.of('rest', thread, own.callId, tagIn(handle));
  const more = number === undefined && rest !== handle ? await entryAt(rest) : undefined;
  const known = new Set(own.passages.map(({ text }) => text));
  const nameOf = new Map<Passage, string>();
  for (const [at, each] of own.passages.entries())
    if (number === undefined || at + 1 === Number(number)) nameOf.set(each, `${handle}.${at + 1}`);
  for (const [at, each] of more?.passages.entries() ?? [])
    if (!known.has(each.text)) nameOf.set(each, `${rest}.${at + 1}`);
  const are = own.are === 'documents' ? 'documents' : 'blocks';
  return nameOf.size === 0
    ? undefined
    : { are, passages: [...nameOf.keys()], nameOf: (passage) => nameOf.get(passage) ?? name };
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
