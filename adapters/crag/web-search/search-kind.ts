import { ContextShapingError } from '../../../src/index.js';
import type { WebSearchLike } from './web-search.js';

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
