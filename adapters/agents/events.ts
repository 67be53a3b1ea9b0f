import type { RunnableConfig } from '@langchain/core/runnables';
import { rethrowControlFlow } from '../../src/internal.js';

/** The `type` of what goes to a graph's stream when whole turns did not fit. */
export const DROPPED_EVENT = 'context_shaping.dropped';

/** Messages that one request goes without. In the agent's state they stay. */
export interface DroppedEvent {
  /** In their order; empty where a message has none. */
  messageIds: string[];
}

/** Tells the stream of the graph, if there is one, and if anything was dropped. */
export async function emitDropped(
  dropped: readonly { id?: string | undefined }[],
  { writer, signal }: RunnableConfig & { writer?: unknown },
): Promise<void> {
  if (dropped.length === 0 || typeof writer !== 'function') return;
  const event: DroppedEvent = { messageIds: dropped.map(({ id }) => id ?? '') };
  try {
    writer({ type: DROPPED_EVENT, ...event });
  } catch (error) {
    // A stream that its reader has closed costs no answer.
    rethrowControlFlow(error, signal);
  }
}
