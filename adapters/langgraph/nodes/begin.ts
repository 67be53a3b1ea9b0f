import { ContextShapingError, type Query } from '../../../src/index.js';
import { chunksOf } from '../run-documents.js';
import { type Config, type Settings, thresholdsOf } from '../settings.js';
import { fresh, type State, type Update } from '../state.js';

/** Checks the input, and resets the state that an earlier run of the same thread left. */
export const begin =
  (settings: Settings) =>
  (state: State, config: Config): Update => {
    const { query } = state;
    const { keys } = settings;
    const remedy = `Give the graph { ${keys.query}, ${keys.documents} }. If the keys of the parent have other names, give createCragGraph these names: keys: { query: …, documents: … }.`;
    const text: unknown = typeof query === 'string' ? query : query?.text;
    if (typeof text !== 'string') {
      throw new ContextShapingError('invalid-input', {
        field: keys.query,
        value: query,
        is: 'must be a string, or an object with the string text',
        remedy,
      });
    }
    const { lower, upper } = thresholdsOf(settings, config);
    if (lower > upper) {
      throw new ContextShapingError('invalid-options', {
        field: 'context.crag.thresholds.lower',
        value: lower,
        is: `must be at most thresholds.upper, which is ${upper}`,
        remedy: 'Give both, lower first.',
      });
    }
    const { documents }: { documents: unknown } = state;
    if (!Array.isArray(documents)) {
      throw new ContextShapingError('invalid-input', {
        field: keys.documents,
        value: documents,
        is: 'must be an array of documents',
        remedy,
      });
    }
    const chunks = chunksOf({ documents, found: [] }, settings, config);
    const places = chunks.map((_, place) => place);
    return { ...fresh(text, places), query: plain(query) };
  };

/** Checkpoints do not keep typed arrays. */
function plain(query: Query | string): Query | string {
  const embedding = typeof query === 'string' ? undefined : query.embedding;
  return ArrayBuffer.isView(embedding)
    ? { ...(query as Query), embedding: Array.from(embedding as never) }
    : query;
}
