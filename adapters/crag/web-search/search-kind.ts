import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { ContextShapingError } from '../../../src/index.js';

/** The used part of a LangChain tool. */
export interface SearchTool {
  name: string;
  schema: unknown;
  invoke(input: never, config?: never): Promise<unknown>;
}

/** A LangChain search tool, a retriever, or a function with a result in any form of such tools. */
export type WebSearchLike =
  | ((query: string, call: { signal?: AbortSignal | undefined }) => unknown)
  | Pick<BaseRetrieverInterface, 'invoke'>
  | SearchTool;

/** @throws ContextShapingError `invalid-options`, if it is not a search. */
export function searchKindOf(search: WebSearchLike): 'function' | 'tool' | 'retriever' {
  if (typeof search === 'function') return 'function';
  const { invoke, schema, _getRelevantDocuments } = (search ?? {}) as Record<string, unknown>;
  if (typeof invoke === 'function') {
    if (typeof schema === 'object' && schema !== null) return 'tool';
    if (typeof _getRelevantDocuments === 'function') return 'retriever';
  }
  throw new ContextShapingError('invalid-options', {
    field: 'webSearch',
    value: search,
    is: 'must be a function, a LangChain tool or a LangChain retriever',
    remedy: 'Give one of these, such as (query, { signal }) => runnable.invoke(query, { signal }).',
  });
}
