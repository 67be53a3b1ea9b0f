import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { defined, orAborted, rethrowControlFlow } from '../../../src/internal.js';
import type { WebSearch } from '../types.js';
import { documentsIn } from './results-to-documents.js';
import { type SearchTool, searchKindOf, type WebSearchLike } from './search-kind.js';

type Call = { signal?: AbortSignal | undefined };
type Ask = (query: string, call: Call) => unknown;

/**
 * Converts any search to one that finds documents: plain objects with `source`, `title` and `score` in `metadata`, if
 * the search returns them. A document's id is its own id, else its address. If several results have the same address,
 * the first stays. Results without text are left out. At most the first 100 results are taken, and of each text the
 * first 100,000 UTF-16 code units.
 *
 * An abort ends the wait, also if the search ignores the signal. Errors of the search are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a search. The search throws `service` if it gets an error
 *   or an unknown form as its result.
 */
export function toWebSearch(search: WebSearchLike): WebSearch {
  const name = nameOf(search);
  const ask = askerOf(search);
  return async (query, { signal } = {}) => {
    signal?.throwIfAborted();
    let result: unknown;
    try {
      result = await orAborted(Promise.resolve(ask(query, defined({ signal }))), signal);
    } catch (error) {
      rethrowControlFlow(error, signal);
      throw error;
    }
    return documentsIn(result, name);
  };
}

function askerOf(search: WebSearchLike): Ask {
  switch (searchKindOf(search)) {
    case 'function':
      return search as Ask;
    case 'tool':
      return askerOfTool(search as SearchTool);
    case 'retriever':
      return (query, call) =>
        (search as Pick<BaseRetrieverInterface, 'invoke'>).invoke(query, call as object);
  }
}

function askerOfTool(tool: SearchTool): Ask {
  const field = queryFieldOf(tool.schema);
  const { responseFormat } = tool as { responseFormat?: unknown };
  const invoke = (input: unknown, call: Call) => tool.invoke(input as never, call as never);
  return (query, call) => {
    if (responseFormat !== 'content_and_artifact') {
      return invoke(field === undefined ? query : { [field]: query }, call);
    }
    // Only the message that answers a tool call has the artifact with the documents.
    const args = { [field ?? 'input']: query };
    return invoke({ type: 'tool_call', id: 'web-search', name: tool.name, args }, call);
  };
}

const USUAL_FIELDS = ['query', 'q', 'question', 'input'];

/** The field of the query; `undefined` if the tool takes no object with a string. */
function queryFieldOf(schema: unknown): string | undefined {
  let properties: Record<string, unknown> | undefined;
  try {
    ({ properties } = toJsonSchema(schema as never) as { properties?: Record<string, unknown> });
  } catch {
    // Some schemas have no form in JSON Schema, for instance because of a date.
    return USUAL_FIELDS[0];
  }
  const texts = Object.entries(properties ?? {})
    .filter(([, property]) => takesText(property))
    .map(([field]) => field);
  return USUAL_FIELDS.find((field) => texts.includes(field)) ?? texts[0];
}

function takesText(property: unknown): boolean {
  const {
    type,
    anyOf,
    enum: values,
  } = (property ?? {}) as { type?: unknown; anyOf?: unknown; enum?: unknown };
  if (values !== undefined) return false;
  return [type].flat().includes('string') || (Array.isArray(anyOf) && anyOf.some(takesText));
}

function nameOf(search: WebSearchLike): string {
  const { name } = (search ?? {}) as { name?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof search === 'object' ? (search?.constructor?.name ?? 'webSearch') : 'webSearch';
}
