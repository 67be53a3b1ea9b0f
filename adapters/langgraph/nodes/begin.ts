import type { Query } from '../../../src/index.js';
import { invalidInput } from '../../../src/internal.js';
import { checkThresholds } from '../../crag/index.js';
import { chunksOf } from '../run-documents.js';
import type { Run } from '../settings.js';
import { fresh, type State, type Update } from '../state.js';

/** Checks the input, and resets the state that an earlier run of the same thread left. */
export function begin(state: State, run: Run): Update {
  const { query } = state;
  const remedy =
    'Give the graph { query, documents }. If the keys of the parent have other names, call the graph inside a node: crag.invoke({ query, documents }).';
  const text: unknown = typeof query === 'string' ? query : query?.text;
  if (typeof text !== 'string')
    throw invalidInput('query', query, 'must be a string, or an object with the string text', remedy);
  checkThresholds(run.thresholds, 'context.crag.thresholds.lower');
  const { documents }: { documents: unknown } = state;
  if (!Array.isArray(documents))
    throw invalidInput('documents', documents, 'must be an array of documents', remedy);
  const chunks = chunksOf({ documents, found: [] }, run);
  return { ...fresh(text, [...chunks.keys()]), verdict: 'incorrect', grades: null, query: plain(query) };
}

/** Checkpoints do not keep typed arrays. */
function plain(query: Query | string): Query | string {
  const embedding = typeof query === 'string' ? undefined : query.embedding;
  return ArrayBuffer.isView(embedding)
    ? { ...(query as Query), embedding: Array.from(embedding as never) }
    : query;
}
