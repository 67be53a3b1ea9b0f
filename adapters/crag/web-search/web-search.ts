import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { orAborted, rethrowControlFlow } from '../../../src/internal.js';
import type { WebSearch } from '../types.js';
import { documentsIn } from './results-to-documents.js';
import { searchKindOf } from './search-kind.js';

/** What is used of a LangChain tool. */
export interface SearchTool {
  name: string;
  schema: unknown;
  invoke(input: never, config?: never): Promise<unknown>;
}

/** A LangChain search tool, a retriever, or a function whose answer has any form that such tools have. */
export type WebSearchLike =
  | ((query: string, call: { signal?: AbortSignal | undefined }) => unknown)
  | Pick<BaseRetrieverInterface, 'invoke'>
  | SearchTool;

type Call = { signal?: AbortSignal | undefined };
type Ask = (query: string, call: Call) => unknown;

/**
 * Any search as one that finds documents: plain objects whose `metadata` has `source`, `title` and `score` where
 * the search tells them. A document's id is its own, else its address. Of results with the same address the
 * first stays; one without any text is left out. Of more than 100 the first are taken, and of a text the first
 * 100,000 UTF-16 code units.
 *
 * An abort ends the waiting also where the search does not heed it. What the search throws is thrown on.
 *
 * @throws ContextShapingError `invalid-options`, if it is no search; when searching `service`, if the search
 *   answers with an error, or with what cannot be understood.
 */
export function toWebSearch(search: WebSearchLike): WebSearch {
  const name = nameOf(search);
  const ask = askerOf(search);
  return async (query, { signal } = {}) => {
    signal?.throwIfAborted();
    let result: unknown;
    try {
      result = await orAborted(Promise.resolve(ask(query, signal === undefined ? {} : { signal })), signal);
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
    // The artifact, which has the documents, comes only with the message that answers a tool call.
    const args = { [field ?? 'input']: query };
    return invoke({ type: 'tool_call', id: 'web-search', name: tool.name, args }, call);
  };
}

const USUAL_FIELDS = ['query', 'q', 'question', 'input'];

/** Where the tool wants the query; nothing, if it takes no object with a text. */
function queryFieldOf(schema: unknown): string | undefined {
  let properties: Record<string, unknown> | undefined;
  try {
    ({ properties } = toJsonSchema(schema as never) as { properties?: Record<string, unknown> });
  } catch {
    // Of a schema that has no form in JSON, because of a date for instance.
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
