/** An index of threads that may have a review, in a LangGraph store. Without it, all checkpoints have to be read. */
import type { BaseStore } from '@langchain/langgraph';

// PostgresStore refuses underscores.
const NAMESPACE = ['context-shaping', 'reviews'];
const PAGE = 200;
/** A node writes its entry before it interrupts, so an entry without a review may get one soon. */
const STALE_MS = 24 * 60 * 60 * 1000;

export interface IndexedThread {
  threadId: string;
  stale: boolean;
}

/** A node calls it before it interrupts for a review. */
export async function indexReview(store: BaseStore, threadId: string): Promise<void> {
  await store.put(NAMESPACE, threadId, { threadId }, false);
}

export async function unindexReview(store: BaseStore, threadId: string): Promise<void> {
  await store.delete(NAMESPACE, threadId);
}

/** All threads of the index, each once. */
export async function indexedThreads(store: BaseStore, now: number): Promise<IndexedThread[]> {
  const found = new Map<string, IndexedThread>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.search(NAMESPACE, { limit: PAGE, offset });
    for (const { value, updatedAt } of page) {
      const { threadId } = value as { threadId?: unknown };
      // Stores match a prefix of the namespace as text, so other entries may be among the results.
      if (typeof threadId !== 'string') continue;
      found.set(threadId, { threadId, stale: now - new Date(updatedAt).getTime() > STALE_MS });
    }
    if (page.length < PAGE) return [...found.values()];
  }
}
