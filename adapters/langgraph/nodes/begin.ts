import { ContextShapingError } from '../../../src/index.js';
import { toChunks } from '../../documents/index.js';
import { type Config, type Services, thresholdsOf } from '../services.js';
import { fresh, type State, type Update } from '../state.js';

/** Checks what came in, and forgets what an earlier run of the same thread has left. */
export const begin =
  (services: Services) =>
  (state: State, config: Config): Update => {
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
    const { lower, upper } = thresholdsOf(services, config);
    if (lower > upper) {
      throw new ContextShapingError('invalid-options', {
        field: 'context.crag.thresholds.lower',
        value: lower,
        is: `must be at most thresholds.upper, which is ${upper}`,
        remedy: 'Give both, lower first.',
      });
    }
    const chunks = toChunks(state.documents, services.documentOptions);
    return fresh(
      text,
      chunks.map((_, place) => place),
    );
  };
