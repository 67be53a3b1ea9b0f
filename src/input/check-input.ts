/** Checks an input. The first malformed part is an error with its path, the value and a remedy. */
import { invalidInput } from '../errors.js';
import { optionsSchema } from './options.js';
import { isObject } from './parse-options.js';

/** A field, its test, and the texts about a value that fails it. */
export type Part = readonly [name: string, isRight: (value: unknown) => boolean, is: string, remedy: string];

const isString = (value: unknown) => typeof value === 'string';
export const isAbsentOr = (is: (value: unknown) => boolean) => (value: unknown) => value == null || is(value);

const QUESTION = 'Give the question as a string; an empty one is fine.';
const CALL: readonly Part[] = [
  [
    'signal',
    (signal) =>
      signal === undefined || typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted === 'function',
    'must be an AbortSignal',
    'Give the signal of an AbortController, or leave it out.',
  ],
  [
    'ranked',
    (ranked) =>
      ranked === undefined ||
      typeof ranked === 'boolean' ||
      ranked === 'reranked' ||
      (typeof ranked === 'number' && ranked >= 0 && ranked <= 1),
    'must be true, false, "reranked" or a number from 0 to 1',
    'Give true if a retriever put the best chunk first, "reranked" if a reranker did, false if the order means nothing, or leave it out.',
  ],
];
const ELSEWHERE = 'Documents of LangChain and nodes of LlamaIndex go to their adapters.';
const QUERY: readonly Part[] = [
  ['text', isString, 'must be a string', QUESTION],
  [
    'answer',
    isAbsentOr((answer) => isString(answer) && (answer as string).trim() !== ''),
    'must be a string that is not blank',
    'Give the right answer, or leave it out if it is not known.',
  ],
];
const TURN: readonly Part[] = [
  [
    'role',
    (role) => role === 'user' || role === 'assistant',
    "must be 'user' or 'assistant'",
    'Give the turns of the user and of the assistant. Leave out system prompts and calls of tools.',
  ],
  ['text', isString, 'must be a string', 'Give the words of the turn as a string; an empty one is fine.'],
];
/** A chunk. Vectors are checked when they are packed. */
const CHUNK: readonly Part[] = [
  [
    'id',
    (id) => isString(id) && id !== '',
    'must be a non-empty string',
    `Give each chunk an id: the report identifies chunks by it. ${ELSEWHERE}`,
  ],
  ['text', isString, 'must be a string', `Give the passage as a string; an empty one is fine. ${ELSEWHERE}`],
  [
    'rendered',
    isAbsentOr(isString),
    'must be a string',
    'Give the text as the model will see it, or leave it out.',
  ],
  [
    'score',
    isAbsentOr(Number.isFinite),
    'must be a finite number',
    'Leave score out if the retriever gives none.',
  ],
  ['metadata', isAbsentOr(isObject), 'must be an object', 'Give metadata as an object, or leave it out.'],
];

/** @throws ContextShapingError `invalid-input`, naming the first malformed part. */
export function checkInput(input: unknown): void {
  if (!isObject(input))
    throw invalidInput('input', input, 'must be an object', 'Call shape({ query, chunks }).');
  const option = Object.keys(input).find(
    (name) => name !== 'ranked' && Object.hasOwn(optionsSchema().shape, name),
  );
  if (option !== undefined) {
    const remedy = 'Give it to createShaper, or to shaper.with for one call.';
    throw invalidInput(option, input[option], 'is an option of the shaper, not of a call', remedy);
  }
  checkParts(input, '', CALL);
  const { query, chunks } = input;
  if (!isString(query)) {
    if (typeof query !== 'object' || query === null)
      throw invalidInput('query', query, 'must be a string or { text, embedding?, history? }', QUESTION);
    checkParts(query, 'query.', QUERY);
    checkItems((query as { history?: unknown }).history ?? [], 'query.history', TURN, {
      list: 'Give the turns before the query, oldest first, or leave it out.',
      item: 'Give each turn as { role, text }.',
    });
  }
  checkItems(chunks, 'chunks', CHUNK, {
    list: `Give the retrieved chunks as an array; an empty one is fine. ${ELSEWHERE}`,
    item: 'Give each chunk as { id, text, score?, embedding?, metadata? }.',
  });
}

/**
 * @param field the path of the list.
 * @throws ContextShapingError `invalid-input`, naming the first malformed part of an item.
 */
function checkItems(
  items: unknown,
  field: string,
  parts: readonly Part[],
  remedies: { list: string; item: string },
): void {
  if (!Array.isArray(items)) throw invalidInput(field, items, 'must be an array', remedies.list);
  // By index, because a list may have holes.
  for (let at = 0; at < items.length; at++) {
    const item: unknown = items[at];
    if (typeof item !== 'object' || item === null)
      throw invalidInput(`${field}[${at}]`, item, 'must be an object', remedies.item);
    checkParts(item, `${field}[${at}].`, parts);
  }
}

function checkParts(owner: object, prefix: string, parts: readonly Part[]): void {
  for (const [name, isRight, is, remedy] of parts) {
    const value = (owner as Record<string, unknown>)[name];
    if (isRight(value)) continue;
    throw invalidInput(`${prefix}${name}`, value, is, remedy);
  }
}
