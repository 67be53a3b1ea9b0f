/** Finds the first malformed part of an input. `malformed.ts` has the texts about it, and is loaded only then. */
import { optionsSchema } from './options.js';
import { isObject } from './parse-options.js';

/** The parts of an input that are checked. */
type Part =
  | 'input'
  | 'option'
  | 'signal'
  | 'ranked'
  | 'query'
  | 'query.text'
  | 'query.answer'
  | 'query.history'
  | 'turn'
  | 'turn.role'
  | 'turn.text'
  | 'chunks'
  | 'chunk'
  | keyof typeof CHUNK;

export interface Malformed {
  part: Part;
  /** Its path: `chunks[3].text`. */
  field: string;
  value: unknown;
  /** The object that it is a part of. */
  owner?: unknown;
}

const isString = (value: unknown) => typeof value === 'string';
const isAbsentOr = (is: (value: unknown) => boolean) => (value: unknown) => value == null || is(value);

/** The test of each part of a chunk. */
const CHUNK = {
  id: (value: unknown) => isString(value) && value !== '',
  text: isString,
  rendered: isAbsentOr(isString),
  score: isAbsentOr(Number.isFinite),
  metadata: isAbsentOr(isObject),
};
/** Each part with the name of its field, and its test. */
type Parts = readonly (readonly [Part, string, (value: unknown) => boolean])[];
const CHUNK_PARTS: Parts = Object.entries(CHUNK).map(([name, isRight]) => [name as Part, name, isRight]);
const TURN_PARTS: Parts = [
  ['turn.role', 'role', (value) => value === 'user' || value === 'assistant'],
  ['turn.text', 'text', isString],
];

/** The first malformed part; `undefined`, if there is none. Vectors are checked when they are packed. */
export function malformedIn(input: unknown): Malformed | undefined {
  if (!isObject(input)) return { part: 'input', field: 'input', value: input };
  const { signal, ranked, query, chunks } = input;
  const option = Object.keys(input).find(
    (name) => name !== 'ranked' && Object.hasOwn(optionsSchema().shape, name),
  );
  if (option !== undefined) return { part: 'option', field: option, value: input[option] };
  const wrong = (part: Part, value: unknown): Malformed => ({ part, field: part, value, owner: input });
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted !== 'function')
    return wrong('signal', signal);
  if (!isRanked(ranked)) return wrong('ranked', ranked);
  if (!isString(query)) {
    if (typeof query !== 'object' || query === null) return wrong('query', query);
    const { text, answer, history } = query as { text?: unknown; answer?: unknown; history?: unknown };
    if (!isString(text)) return wrong('query.text', text);
    if (answer != null && (!isString(answer) || (answer as string).trim() === ''))
      return wrong('query.answer', answer);
    if (history != null && !Array.isArray(history)) return wrong('query.history', history);
    const turn = malformedItem((history as unknown[] | null) ?? [], 'turn', 'query.history', TURN_PARTS);
    if (turn !== undefined) return turn;
  }
  if (!Array.isArray(chunks)) return wrong('chunks', chunks);
  return malformedItem(chunks, 'chunk', 'chunks', CHUNK_PARTS);
}

function malformedItem(
  items: readonly unknown[],
  part: 'turn' | 'chunk',
  list: string,
  parts: Parts,
): Malformed | undefined {
  for (let at = 0; at < items.length; at++) {
    const owner = items[at];
    if (typeof owner !== 'object' || owner === null) return { part, field: `${list}[${at}]`, value: owner };
    for (const [part, name, isRight] of parts) {
      const value = (owner as Record<string, unknown>)[name];
      if (!isRight(value)) return { part, field: `${list}[${at}].${name}`, value, owner };
    }
  }
  return undefined;
}

const isRanked = (ranked: unknown): boolean =>
  ranked === undefined ||
  typeof ranked === 'boolean' ||
  ranked === 'reranked' ||
  (typeof ranked === 'number' && ranked >= 0 && ranked <= 1);
