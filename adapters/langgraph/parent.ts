/** The parent of a graph that is a node of another graph. */
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { ContextShapingError } from '../../src/index.js';
import type { Keys } from './keys.js';

/** The used part of the config that a task of a graph passes on. */
interface TaskConfig {
  configurable?: { __pregel_read?: unknown; __pregel_task_id?: unknown; [key: string]: unknown };
}

/**
 * LangGraph drops the output of a node whose key the parent does not have, without a message. The context is why the
 * graph is there, so its key must exist; the other keys of the output may be absent.
 *
 * @throws ContextShapingError `invalid-options`, before the first step.
 */
export function checkParent({ context }: Keys, config: TaskConfig | undefined): void {
  const read = config?.configurable?.__pregel_read;
  if (typeof read !== 'function' || mayBeCalledInside(config)) return;
  const has = (key: string) => {
    try {
      read(key);
      return true;
    } catch {
      return false;
    }
  };
  // A parent whose state is one value has the key `__root__`, and gets the whole output.
  if (has(context) || has('__root__')) return;
  throw new ContextShapingError('invalid-options', {
    field: 'keys.context',
    value: context,
    is: 'is not a key of the parent graph, so the context would be lost',
    remedy: `Add the key ${context} to the state of the parent, or give createCragGraph the key that it has: keys: { context: … }.`,
  });
}

/** A function that calls the graph inside a node uses the output itself. */
function mayBeCalledInside(config: TaskConfig | undefined): boolean {
  const storage = AsyncLocalStorageProviderSingleton.getInstance();
  // A browser has no such storage. There it is unknown.
  const isKept = storage.run({}, () => storage.getStore() !== undefined);
  const running = AsyncLocalStorageProviderSingleton.getRunnableConfig() as TaskConfig | undefined;
  return !isKept || running?.configurable?.__pregel_task_id === config?.configurable?.__pregel_task_id;
}
