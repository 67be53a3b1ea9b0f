import type { ShapingOptions } from './input/shaping-options.js';
import { makeShaper, type Shaper } from './shaper.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';

/**
 * Creates a shaper. This function checks the options once, for all calls of `shape`.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export const createShaper = (options: ShapingOptions = {}): Shaper => makeShaper(options, loadTokenCounter);
