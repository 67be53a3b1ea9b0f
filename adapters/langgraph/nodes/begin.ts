import { ContextShapingError } from '../../../src/index.js';
import { chunksOf, type Services } from '../services.js';
import { fresh, type State, type Update } from '../state.js';

/** Checks what came in, and forgets what an earlier run of the same thread has left. */
export const begin =
  (services: Services) =>
  (state: State): Update => {
    const { query } = state;
    const text: unknown = typeof query === 'string' ? query : query?.text;
    if (typeof text !== 'string') {
      throw new ContextShapingError('invalid-input', {
        field: 'query',
        value: query,
        is: 'must be a string, or an object with the string text',
        remedy: 'Give the graph { query, documents }.',
      });
    }
    const chunks = chunksOf({ ...state, found: [] }, services);
    return fresh(
      text,
      chunks.map((_, place) => place),
    );
  };
