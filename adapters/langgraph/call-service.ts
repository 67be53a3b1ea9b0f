import { messageOf, orAborted, rethrowControlFlow } from '../../src/internal.js';
import type { Config } from './settings.js';

/**
 * What a service answers. An abort ends the waiting, heeded or not. LangGraph writes on what is thrown, so that
 * what cannot be written on, a text for instance, is thrown as an error with the same message.
 */
export async function callService<T>(call: () => Promise<T>, { signal }: Config): Promise<T> {
  try {
    // A signal of its own: eight calls at once on the one of the run, and Node warns of a leak.
    return await orAborted(call(), signal && AbortSignal.any([signal]));
  } catch (error) {
    rethrowControlFlow(error, signal);
    const isError = typeof (error as { message?: unknown } | null | undefined)?.message === 'string';
    throw isError && Object.isExtensible(error) ? error : new Error(messageOf(error), { cause: error });
  }
}
