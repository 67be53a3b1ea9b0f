/** Entries of a store: the passages of a result under their common handle, and their places under their own handles. */
import { isObject, parseJson } from 'context-shaping/kit';
import { type HandleOf, type Handles, isSame, tagIn } from './handles.js';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';

export interface StoredResult {
  callId: string;
  /** `result`: all that it showed before it was relieved or cut again. */
  of: HandleOf;
  /** An earlier shaping of this result stored its rest. */
  hasRest: boolean;
  are: 'documents' | 'blocks';
  passages: readonly Passage[];
}

/** An entry of a store. */
export type Entry = readonly [key: string, value: string];

/**
 * @param key the handle of the result.
 * @param listed how many of the first passages are to be found by their own handles.
 */
export function entriesOf(
  key: string,
  { passages, ...stored }: StoredResult,
  thread: string,
  listed: number,
  handles: Handles,
): Entry[] {
  return [
    [key, JSON.stringify({ ...stored, passages: passages.map(toStored) })],
    ...placesOf(key, passages, passages.slice(0, listed), thread, handles),
  ];
}

/** Lets some of the passages of an entry be found by their own handles. */
export const placesOf = (
  key: string,
  passages: readonly Passage[],
  listed: readonly Passage[],
  thread: string,
  handles: Handles,
): Entry[] =>
  listed.map((passage) => [
    handles.ofPassage(thread, passage),
    JSON.stringify({ in: key, at: passages.indexOf(passage) }),
  ]);

/** Reads the passages of a handle of this thread; undefined if there are none, or if the handle is of another thread. */
export async function readStored(
  handle: string,
  thread: string,
  { store, handles }: Pick<Settings, 'store' | 'handles'>,
  signal: AbortSignal | undefined,
): Promise<Pick<StoredResult, 'are' | 'passages'> | undefined> {
  const valueAt = async (key: string) => {
    const value = parseJson((await store.get(key, { signal })) ?? '');
    return isObject(value) ? value : undefined;
  };
  const resultAt = async (key: string): Promise<Pick<StoredResult, 'are' | 'passages'> | undefined> => {
    const value = await valueAt(key);
    if (!arePassages(value?.passages) || typeof value?.callId !== 'string') return undefined;
    const { callId, hasRest } = value;
    const of = value.of === 'rest' ? 'rest' : 'result';
    if (!handles.isOfResult(key, of, thread, callId)) return undefined;
    const own = value.passages.map(fromStored);
    const isMore = of === 'result' && hasRest === true;
    const rest = isMore ? await resultAt(handles.ofResult('rest', thread, callId, tagIn(key))) : undefined;
    const more = rest?.passages.filter(({ text }) => !own.some((each) => each.text === text)) ?? [];
    return { are: value.are === 'documents' ? 'documents' : 'blocks', passages: [...own, ...more] };
  };
  const value = await valueAt(handle);
  if (typeof value?.in !== 'string') return resultAt(handle);
  const { are, passages = [] } = (await resultAt(value.in)) ?? {};
  const passage = passages[Number(value.at)];
  const isIts = passage !== undefined && isSame(handle, handles.ofPassage(thread, passage));
  return isIts && are !== undefined ? { are, passages: [passage] } : undefined;
}

/** A passage as plain JSON, without its vector. */
interface StoredPassage {
  id: string;
  text: string;
  /** The parts of `rendered` before and after the text. */
  around?: [before: string, after: string];
  /** The passage as the model sees it, if the text does not occur in that. */
  rendered?: string;
  score?: number;
  metadata?: Readonly<Record<string, unknown>>;
}

const arePassages = (value: unknown): value is StoredPassage[] =>
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

function toStored(passage: Passage): StoredPassage {
  const { id, text, rendered, score, metadata } = passage;
  const around = rendered == null ? undefined : aroundOf(passage);
  return {
    id,
    text,
    ...(rendered == null ? {} : around === undefined ? { rendered } : { around }),
    ...(score == null ? {} : { score }),
    ...(metadata == null ? {} : { metadata: { ...metadata } }),
  };
}

function fromStored({ around, rendered, ...passage }: StoredPassage): Passage {
  if (around !== undefined) return { ...passage, rendered: around[0] + passage.text + around[1] };
  return rendered === undefined ? passage : { ...passage, rendered };
}
