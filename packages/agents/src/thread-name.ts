/** The option `thread` of hosts: a name, or a function that names the thread of each call. */

import { ContextShapingError } from 'context-shaping';
import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';

const schema = z.strictObject({
  thread: z
    .union([z.string(), z.custom<(call: never) => string>((value) => typeof value === 'function')], {
      error: 'must be a string, or a function that returns one',
    })
    .default(''),
});

/**
 * The function that names the thread of a call. It throws like {@link threadName}.
 *
 * @param given the option.
 * @throws ContextShapingError `invalid-options`.
 */
export function threadNamer<Call>(given: unknown): (call: Call) => string {
  const { thread } = parseOptions(schema, { thread: given });
  return typeof thread === 'string' ? () => thread : (call) => threadName(thread(call as never));
}

/**
 * The thread that a function of a user returned.
 *
 * @throws ContextShapingError `invalid-options`: it is a promise, for instance.
 */
export function threadName<T extends string | undefined>(thread: T): T {
  if (thread === undefined || typeof thread === 'string') return thread;
  throw new ContextShapingError('invalid-options', {
    field: 'thread',
    value: thread,
    is: 'must return a string',
    remedy: 'Give a synchronous function that returns the name of the conversation.',
  });
}
