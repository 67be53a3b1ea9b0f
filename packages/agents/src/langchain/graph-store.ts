import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { memoryPassageStore, type PassageStore } from '../conversation/index.js';

/** The used part of LangGraph's `BaseStore`. */
interface GraphStore {
  get(namespace: string[], key: string): Promise<{ value: { entry?: unknown } } | null>;
  put(namespace: string[], key: string, value: object, index: false): Promise<void>;
}

/** One for all shapers, so that a recall tool with the key of an edit or a hook reads what that left out. */
const MEMORY = /* @__PURE__ */ memoryPassageStore();

const NAMESPACE = ['context_shaping', 'passages'];

/** Keeps left-out passages in the store of the running graph if it has one, else in the memory of this process. */
export function graphStore(): PassageStore {
  const current = () =>
    (AsyncLocalStorageProviderSingleton.getRunnableConfig() as { store?: GraphStore } | undefined)?.store;
  return {
    async get(key, options) {
      const store = current();
      if (store === undefined) return MEMORY.get(key, options);
      const entry = (await store.get(NAMESPACE, key))?.value.entry;
      return typeof entry === 'string' ? entry : undefined;
    },
    async set(entries, options) {
      const store = current();
      if (store === undefined) return MEMORY.set(entries, options);
      await Promise.all(entries.map(([key, entry]) => store.put(NAMESPACE, key, { entry }, false)));
    },
  };
}
