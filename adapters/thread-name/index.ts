import { ContextShapingError } from '../../src/index.js';

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
