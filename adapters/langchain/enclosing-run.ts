/** The LangChain run around a call: its config reaches the calls inside it, if the platform can carry it. */
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';

/**
 * Node, Bun, Deno and Workers have it. A browser does not: there a run is not found, and callbacks and signals have to
 * be given with each call. It is not imported by name, because bundles for browsers would fail.
 */
const hooks = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:async_hooks') as typeof import('node:async_hooks') | undefined;
if (hooks?.AsyncLocalStorage !== undefined)
  AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new hooks.AsyncLocalStorage());

export const enclosingConfig = (): RunnableConfig | undefined =>
  AsyncLocalStorageProviderSingleton.getRunnableConfig() as RunnableConfig | undefined;

export function inContext<T>(config: RunnableConfig, run: () => Promise<T>): Promise<T> {
  return AsyncLocalStorageProviderSingleton.runWithConfig(config, run);
}
