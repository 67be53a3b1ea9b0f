/**
 * Logs that several processes append to at the same time, in LangGraph's own checkpointers.
 *
 * Those have no compare-and-set. But of two writes with the same checkpoint, task id and index they keep the
 * first and ignore the second, for ordinary channels (SQLite `INSERT OR IGNORE`, PostgreSQL `ON CONFLICT DO
 * NOTHING`, in memory once the checkpoint has any write). So a log is a thread of its own, with one checkpoint;
 * entry n is the write of the task `entry-n`; whoever writes it first has appended it. The namespace is none
 * that a graph has, so that nothing which looks for threads of graphs finds logs.
 */
import { type BaseCheckpointSaver, emptyCheckpoint } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';

type Writes = readonly (readonly [task: string, channel: string, value: unknown])[];

const CHANNEL = 'context_shaping';
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
  const read = async () => {
    const tuple = await checkpointer.getTuple(config);
    return contents<About, Entry>(tuple?.pendingWrites)?.entries;
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
      await checkpointer.putWrites(config, [[CHANNEL, about]], 'about');
      await checkpointer.putWrites(config, [[CHANNEL, null]], 'about');
      const tuple = await checkpointer.getTuple(config);
      const opened = contents<About, Entry>(tuple?.pendingWrites);
      if (opened?.about === null) throw overwrites(checkpointer);
      return opened?.entries ?? [];
    },
    async append(at, entry) {
      await checkpointer.putWrites(config, [[CHANNEL, entry]], `entry-${at + 1}`);
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
    const found = contents<About, Entry>(pendingWrites);
    const name = String(config.configurable?.thread_id).slice(kind.length + 1);
    if (found) yield { log: openLog(checkpointer, kind, name, found.about), entries: found.entries };
  }
}

function contents<About, Entry>(writes: Writes = []): { about: About; entries: Entry[] } | undefined {
  const values = new Map(
    writes.filter(([, channel]) => channel === CHANNEL).map(([task, , value]) => [task, value]),
  );
  if (!values.has('about')) return undefined;
  const entries: Entry[] = [];
  while (values.has(`entry-${entries.length + 1}`)) {
    entries.push(values.get(`entry-${entries.length + 1}`) as Entry);
  }
  return { about: values.get('about') as About, entries };
}

function overwrites(checkpointer: BaseCheckpointSaver): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'checkpointer',
    value: checkpointer,
    is: 'does not keep the first of two writes of one task, so that two people could answer at once',
    remedy: 'Use MemorySaver, SqliteSaver or PostgresSaver.',
  });
}
