import type { ShapingOptions } from './input/shaping-options.js';
import { Store } from './session/recall.js';
import type { Tape } from './session/tape.js';
import { makeShaper } from './shaper.js';
import type { Shaper } from './shaping.js';

/**
 * Creates a shaper. This function checks the options once, for all calls of `shape`.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export const createShaper = (options: ShapingOptions = {}): Shaper => makeShaper(options);

/** A shaper whose services are asked only for answers that the tape does not have. Its observers are not called. */
export const createShaperOnTape = (options: ShapingOptions, tape: Tape): Shaper =>
  makeShaper(options, { tape, store: new Store() });
