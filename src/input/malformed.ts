/** The errors about malformed inputs. Loaded when there is one. */
import { type ContextShapingError, invalidInput } from '../errors.js';
import type { Malformed } from './malformed-in.js';

type Text = readonly [is: string, remedy: string];

const QUESTION = 'Give the question as a string; an empty one is fine.';

const TEXTS: Readonly<Record<Malformed['part'], Text>> = {
  input: ['must be an object', 'Call shape({ query, chunks }).'],
  option: [
    'is an option of the shaper, not of a call',
    'Give it to createShaper, or to shaper.with for one call.',
  ],
  signal: ['must be an AbortSignal', 'Give the signal of an AbortController, or leave it out.'],
  ranked: [
    'must be true, false, "reranked" or a number from 0 to 1',
    'Give true if a retriever put the best chunk first, "reranked" if a reranker did, false if the order means nothing, or leave it out.',
  ],
  query: ['must be a string or { text, embedding?, history? }', QUESTION],
  'query.text': ['must be a string', QUESTION],
  'query.answer': [
    'must be a string that is not blank',
    'Give the right answer, or leave it out if it is not known.',
  ],
  'query.history': ['must be an array', 'Give the turns before the query, oldest first, or leave it out.'],
  turn: ['must be an object', 'Give each turn as { role, text }.'],
  'turn.role': [
    "must be 'user' or 'assistant'",
    'Give the turns of the user and of the assistant. Leave out system prompts and calls of tools.',
  ],
  'turn.text': ['must be a string', 'Give the words of the turn as a string; an empty one is fine.'],
  chunks: ['must be an array', 'Give the retrieved chunks as an array; an empty one is fine.'],
  chunk: ['must be an object', 'Give each chunk as { id, text, score?, embedding?, metadata? }.'],
  id: ['must be a non-empty string', 'Give each chunk an id: the report identifies chunks by it.'],
  text: ['must be a string', 'Give the passage as a string; an empty one is fine.'],
  rendered: ['must be a string', 'Give the text as the model will see it, or leave it out.'],
  score: ['must be a finite number', 'Leave score out if the retriever gives none.'],
  metadata: ['must be an object', 'Give metadata as an object, or leave it out.'],
};

/** The error about a malformed part. It recognises objects of LangChain and LlamaIndex, which adapters take. */
export function malformed({ part, field, value, owner }: Malformed): ContextShapingError {
  if (part === 'chunks') return invalidInput(field, value, ...(listOfHost(owner) ?? TEXTS.chunks));
  const host = part === 'id' || part === 'text' ? objectOfHost(owner) : undefined;
  return host === undefined
    ? invalidInput(field, value, ...TEXTS[part])
    : invalidInput(field.replace(/\.\w+$/, ''), owner, ...host);
}

const LANGCHAIN =
  'Use ContextShapingCompressor or ShapedRetriever of context-shaping/langchain, which take documents.';
const LLAMAINDEX = 'Use ContextShapingPostprocessor of context-shaping/llamaindex, which takes nodes.';

/** The texts about an object that is no chunk, but that one of the adapters takes. */
function objectOfHost(given: unknown): Text | undefined {
  if (Array.isArray(given) && given[0]?.pageContent !== undefined) {
    return ['is a pair of a document and its score', LANGCHAIN];
  }
  const { pageContent, node = given } = given as { pageContent?: unknown; node?: unknown };
  if (pageContent !== undefined) return ['is a LangChain document', LANGCHAIN];
  return typeof (node as { getContent?: unknown } | null)?.getContent === 'function'
    ? ['is a LlamaIndex node', LLAMAINDEX]
    : undefined;
}

/** The texts about an input that has its list under the name that a host uses. */
function listOfHost(input: unknown): Text | undefined {
  const { documents, nodes } = input as { documents?: unknown; nodes?: unknown };
  const is = 'must be an array';
  if (documents !== undefined) return [is, LANGCHAIN];
  return nodes === undefined ? undefined : [is, LLAMAINDEX];
}
