/** Threads that have gone on with their answers, and whose runs have not come to their ends. */
import type { CheckpointTuple } from '@langchain/langgraph';
import { latestOf, pendingReviews } from './pending.js';
import { type Given, givenLog, type QueueSettings } from './queue-logs.js';

/** What the thread was given, and waits for no more. */
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

/** The checkpoint with which a run of the thread began. With a later one its application gave up what was before. */
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
