import type { RunnableConfig } from '@langchain/core/runnables';
import { rethrowControlFlow } from '../../src/internal.js';

/** The `type` of the stream event about dropped turns. */
export const DROPPED_EVENT = 'context_shaping.dropped';

/** Messages that one request leaves out. They stay in the agent's state. */
export interface DroppedEvent {
  /** In order of the messages; an empty string for a message without an id. */
  messageIds: string[];
}

/** Sends an event to the stream of the graph if there is one and messages were dropped. */
export async function emitDropped(
  dropped: readonly { id?: string | undefined }[],
  { writer, signal }: RunnableConfig & { writer?: unknown },
): Promise<void> {
  if (dropped.length === 0 || typeof writer !== 'function') return;
  const event: DroppedEvent = { messageIds: dropped.map(({ id }) => id ?? '') };
  try {
    writer({ type: DROPPED_EVENT, ...event });
  } catch (error) {
    // A closed stream must not fail the request.
    rethrowControlFlow(error, signal);
  }
}
