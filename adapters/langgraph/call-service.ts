import { messageOf, rethrowControlFlow, within } from '../../src/internal.js';
import type { Run } from './settings.js';

/**
 * The answer of a service. An abort ends the wait, also if the service ignores the signal. LangGraph adds fields to a
 * thrown value. A value that takes no fields, such as a string, is therefore thrown as an error with the same message.
 */
export async function callService<T>(
  call: (options: { signal: AbortSignal | undefined }) => Promise<T>,
  { config: { signal } }: Run,
): Promise<T> {
  try {
    return await within(undefined, signal, (own) => call({ signal: own }));
  } catch (error) {
    rethrowControlFlow(error, signal);
    const isError = typeof (error as { message?: unknown } | null | undefined)?.message === 'string';
    throw isError && Object.isExtensible(error) ? error : new Error(messageOf(error), { cause: error });
  }
}
