/** Which threads may have a review, in a store of LangGraph: without it, all checkpoints have to be read. */
import type { BaseStore } from '@langchain/langgraph';

// PostgresStore takes no underscores.
const NAMESPACE = ['context-shaping', 'reviews'];
const PAGE = 200;
/** A node writes its entry before it interrupts: entries that lead nowhere may still be about to. */
const STALE_MS = 24 * 60 * 60 * 1000;

export interface IndexedThread {
  threadId: string;
  stale: boolean;
}

/** To be called by a node before it interrupts for a review. */
export async function indexReview(store: BaseStore, threadId: string): Promise<void> {
  await store.put(NAMESPACE, threadId, { threadId }, false);
}

export async function unindexReview(store: BaseStore, threadId: string): Promise<void> {
  await store.delete(NAMESPACE, threadId);
}

/** All threads that were entered, each once. */
export async function indexedThreads(store: BaseStore, now: number): Promise<IndexedThread[]> {
  const found = new Map<string, IndexedThread>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.search(NAMESPACE, { limit: PAGE, offset });
    for (const { value, updatedAt } of page) {
      const { threadId } = value as { threadId?: unknown };
      // Stores look for a beginning of the namespace, as text.
      if (typeof threadId !== 'string') continue;
      found.set(threadId, { threadId, stale: now - new Date(updatedAt).getTime() > STALE_MS });
    }
    if (page.length < PAGE) return [...found.values()];
  }
}
