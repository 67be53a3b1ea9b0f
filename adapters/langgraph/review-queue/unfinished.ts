/** Threads that have gone on with their answers, and whose runs have not come to their ends. */
import type { CheckpointTuple } from '@langchain/langgraph';
import type { Given, LeaseEntry } from './lease.js';
import { latestOf, pendingReviews } from './pending.js';
import { type Services, threadLog } from './services.js';

/** What the thread was given, and waits for no more. */
export async function unfinishedIn(threadId: string, services: Services): Promise<Given[]> {
  return unfinishedOf(threadId, await threadLog(services, threadId).read(), services);
}

/** @param entries of the log of who continues the thread. */
export async function unfinishedOf(
  threadId: string,
  entries: readonly LeaseEntry[] = [],
  services: Services,
): Promise<Given[]> {
  const given = new Map(entries.flatMap((entry) => entry.given ?? []).map((each) => [each.id, each]));
  if (given.size === 0) return [];
  const latest = await latestOf(services.checkpointer, threadId);
  if (latest === undefined) return [];
  const begun = await lastBegun(latest, threadId, services);
  const asked = new Set(pendingReviews(latest).map(({ id }) => id));
  return [...given.values()].filter(({ id, checkpoint }) => !asked.has(id) && checkpoint >= begun);
}

/** The checkpoint with which a run of the thread began. With a later one its application gave up what was before. */
async function lastBegun(
  { metadata, checkpoint }: CheckpointTuple,
  threadId: string,
  { checkpointer }: Services,
): Promise<string> {
  if (metadata?.source === 'input') return checkpoint.id;
  const ofThread = { configurable: { thread_id: threadId, checkpoint_ns: '' } };
  const inputs = checkpointer.list(ofThread, { filter: { source: 'input' }, limit: 1 });
  for await (const { metadata, checkpoint } of inputs) if (metadata?.source === 'input') return checkpoint.id;
  return '';
}
