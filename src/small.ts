/** The public names without vocabularies, for programs in one small file. */
import type { ShapingOptions } from './input/shaping-options.js';
import { makeShaper } from './shaper.js';
import type { Shaper } from './shaping.js';
import { vocabularies } from './tokens/no-vocabularies.js';
import { counterOf } from './tokens/tokenizers.js';

export * from './index.js';

/**
 * Creates a shaper that counts tokens without a vocabulary: by the estimate (the default), the upper bound, or your own
 * function.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong. `shape` throws
 *   `missing-dependency` if `tokenizer` is an exact encoding.
 */
export const createShaper = (options: ShapingOptions = {}): Shaper =>
  makeShaper(options, (tokenizer) => counterOf(tokenizer, async () => ({ vocabularies })));
