/**
 * Logs that several processes append to at the same time, in LangGraph's own checkpointers.
 *
 * Those have no compare-and-set. But of two writes with the same checkpoint, task id and index they keep the
 * first and ignore the second, for ordinary channels (SQLite `INSERT OR IGNORE`, PostgreSQL `ON CONFLICT DO
 * NOTHING`, in memory once the checkpoint has any write). So a log is a thread of its own, with one checkpoint;
 * entry n is a write of a task of its own; whoever writes it first has appended it. The namespace is none that a
 * graph has, so that nothing which looks for threads of graphs finds logs.
 *
 * Who is late may append to a log that was removed, and its write is there when another log is opened under the
 * same name. So each has a life, which its first write names, and counts only the entries of its own.
 */
import { type BaseCheckpointSaver, emptyCheckpoint } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';

type Writes = readonly (readonly [task: string, channel: string, value: unknown])[];

interface Head<About> {
  about: About;
  life: string;
}

const CHANNEL = 'context_shaping';
const HEAD = 'about';
const CHECKPOINT = '00000000-0000-6000-8000-000000000000';

export interface Log<About, Entry> {
  about: About;
  /** Empty, if it was not there. */
  open(): Promise<Entry[]>;
  read(): Promise<Entry[] | undefined>;
  /**
   * @param at how many entries there were, as far as the writer knows.
   * @returns all entries after it: the one at `at` may be another's. Nothing, if the log is gone.
   */
  append(at: number, entry: Entry): Promise<Entry[] | undefined>;
  remove(): Promise<void>;
}

/** @param name of the log, no other of its kind may have. Not all of a checkpointer's logs are of one kind. */
export function openLog<About, Entry>(
  checkpointer: BaseCheckpointSaver,
  kind: string,
  name: string,
  about: About,
): Log<About, Entry> {
  const thread_id = `${kind}.${name}`;
  const config = { configurable: { thread_id, checkpoint_ns: kind, checkpoint_id: CHECKPOINT } };
  /** As it was last seen. */
  let life: string | undefined;
  const read = async () => {
    const tuple = await checkpointer.getTuple(config);
    const found = contents<About, Entry>(tuple?.pendingWrites, checkpointer);
    life = found?.life;
    return found?.entries;
  };
  return {
    about,
    read,
    async open() {
      const there = await read();
      if (there !== undefined) return there;
      await checkpointer.put(
        { configurable: { thread_id, checkpoint_ns: kind } },
        { ...emptyCheckpoint(), id: CHECKPOINT },
        { source: 'update', step: 0, parents: {} },
        {},
      );
      // The second one shows whether the checkpointer keeps the first, before anything depends on it.
      const head: Head<About> = { about, life: crypto.randomUUID() };
      await checkpointer.putWrites(config, [[CHANNEL, head]], HEAD);
      await checkpointer.putWrites(config, [[CHANNEL, null]], HEAD);
      return (await read()) ?? [];
    },
    async append(at, entry) {
      if (life === undefined) return undefined;
      await checkpointer.putWrites(config, [[CHANNEL, entry]], taskOf(life, at));
      return read();
    },
    remove: () => checkpointer.deleteThread(thread_id),
  };
}

/** All logs of a kind. */
export async function* openLogs<About, Entry>(
  checkpointer: BaseCheckpointSaver,
  kind: string,
): AsyncGenerator<{ log: Log<About, Entry>; entries: Entry[] }> {
  for await (const { config, pendingWrites } of checkpointer.list({
    configurable: { checkpoint_ns: kind },
  })) {
    const found = contents<About, Entry>(pendingWrites, checkpointer);
    const name = String(config.configurable?.thread_id).slice(kind.length + 1);
    if (found) yield { log: openLog(checkpointer, kind, name, found.about), entries: found.entries };
  }
}

const taskOf = (life: string, at: number) => `entry-${life}-${at + 1}`;

/** @throws ContextShapingError `service`, if the head is the second that was written. */
function contents<About, Entry>(
  writes: Writes = [],
  checkpointer: BaseCheckpointSaver,
): (Head<About> & { entries: Entry[] }) | undefined {
  const values = new Map(
    writes.filter(([, channel]) => channel === CHANNEL).map(([task, , value]) => [task, value]),
  );
  const head = values.get(HEAD) as Head<About> | null | undefined;
  if (head === undefined) return undefined;
  if (head === null) throw overwrites(checkpointer);
  const entries: Entry[] = [];
  for (let task = taskOf(head.life, 0); values.has(task); task = taskOf(head.life, entries.length)) {
    entries.push(values.get(task) as Entry);
  }
  return { ...head, entries };
}

function overwrites(checkpointer: BaseCheckpointSaver): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'checkpointer',
    value: checkpointer,
    is: 'does not keep the first of two writes of one task, so that two people could answer at once',
    remedy: 'Use MemorySaver, SqliteSaver or PostgresSaver.',
  });
}
