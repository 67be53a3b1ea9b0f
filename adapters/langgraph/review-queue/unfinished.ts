/** Threads that took their answers, and whose runs have not ended. */
import type { CheckpointTuple } from '@langchain/langgraph';
import { latestOf, pendingReviews } from './pending.js';
import { type Given, givenLog, type QueueSettings } from './queue-logs.js';

/** The answers that the thread took, and no longer waits for. */
export async function unfinishedIn(threadId: string, settings: QueueSettings): Promise<Given[]> {
  return unfinishedOf(threadId, (await givenLog(settings, threadId).read()) ?? [], settings);
}

export async function unfinishedOf(
  threadId: string,
  given: readonly Given[],
  settings: QueueSettings,
): Promise<Given[]> {
  if (given.length === 0) return [];
  const latest = await latestOf(settings.checkpointer, threadId);
  if (latest === undefined) return [];
  const begun = await lastBegun(latest, threadId, settings);
  const asked = new Set(pendingReviews(latest).map(({ id }) => id));
  return given.filter(({ id, checkpoint }) => !asked.has(id) && checkpoint >= begun);
}

/** The first checkpoint of the last run. With a later input, the application gave up the earlier run. */
async function lastBegun(
  { metadata, checkpoint }: CheckpointTuple,
  threadId: string,
  { checkpointer }: QueueSettings,
): Promise<string> {
  if (metadata?.source === 'input') return checkpoint.id;
  const ofThread = { configurable: { thread_id: threadId, checkpoint_ns: '' } };
  const inputs = checkpointer.list(ofThread, { filter: { source: 'input' }, limit: 1 });
  for await (const { metadata, checkpoint } of inputs) if (metadata?.source === 'input') return checkpoint.id;
  return '';
}
