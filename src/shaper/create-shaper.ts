import { ContextShapingError } from '../errors.js';
import { isObject } from '../input/parse-options.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import { oldNode } from '../runtime/node-version.js';
import type { Recording } from '../session/recording.js';
import type { Shaper } from '../shaping.js';
import { makeShaper, overridden } from './shaper.js';

const problem = oldNode();
if (problem !== undefined) throw new Error(problem);

/**
 * Creates a shaper. This function checks the options once, for all calls of `shape`.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export const createShaper = (options: ShapingOptions = {}): Shaper => makeShaper(options);

/**
 * The shaper that a caller gave in place of its options.
 *
 * @param options those that were given beside it.
 * @throws ContextShapingError `invalid-options`, if it is no shaper, or if there are options beside it.
 */
export function readyShaper(shaper: unknown, options: object): Shaper {
  const [besides] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (besides === undefined && isObject(shaper) && typeof shaper.shape === 'function')
    return shaper as unknown as Shaper;
  const problem =
    besides === undefined
      ? {
          field: 'shaper',
          value: shaper,
          is: 'must be a shaper',
          remedy: 'Give the result of createShaper, or give its options themselves in place of shaper.',
        }
      : {
          field: besides,
          value: (options as Record<string, unknown>)[besides],
          is: 'has no effect with a ready shaper',
          remedy: 'Give it to createShaper instead.',
        };
  throw new ContextShapingError('invalid-options', problem);
}

/**
 * A shaper whose services are asked only for answers that the recording does not have. Its observers are not called.
 *
 * @param overrides as for {@link Shaper.with}.
 */
export const createRecordedShaper = (
  options: Record<string, unknown>,
  overrides: unknown,
  recording: Recording,
): Shaper => makeShaper(overridden(options, overrides), { recording });
