import type * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';

/**
 * Checks an adapter's options, which are one level deep, and fills in defaults.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function parseOptions<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = unknown ?? issue.path[0]?.toString();
  throw new ContextShapingError('invalid-options', {
    field: field ?? 'options',
    value: field === undefined ? given : (given as Record<string, unknown>)[field],
    is: unknown === undefined ? issue.message : 'is not an option',
    remedy:
      unknown === undefined
        ? `Give ${field ?? 'options'} such a value.`
        : `Remove it or correct its name; known here: ${Object.keys(schema.shape).join(', ')}.`,
  });
}
