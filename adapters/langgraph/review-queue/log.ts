/**
 * Logs that several processes append to at the same time, in LangGraph's own checkpointers.
 *
 * Checkpointers have no compare-and-set. But of two writes with the same checkpoint, task id and index they keep the
 * first and ignore the second, for ordinary channels (SQLite `INSERT OR IGNORE`, PostgreSQL `ON CONFLICT DO
 * NOTHING`, in memory once the checkpoint has any write). So a log is a thread with one checkpoint, and entry n is a
 * write of a task of its own. The first process that writes entry n has appended it. No graph uses the namespace of
 * logs, so code that lists threads of graphs finds no logs.
 *
 * A slow process may append to a log that was removed. Its write then shows up in the next log of the same name. So
 * each log has a life, which its first write names, and counts only the entries of that life.
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
  /** Creates the log if it does not exist. @returns its entries. */
  open(): Promise<Entry[]>;
  read(): Promise<Entry[] | undefined>;
  /**
   * @param at the number of entries that the writer has read.
   * @returns all entries after the write. The entry at `at` may be that of another process. `undefined` if the log is
   *   gone.
   */
  append(at: number, entry: Entry): Promise<Entry[] | undefined>;
  remove(): Promise<void>;
}

/** @param name of the log, unique within its kind. A checkpointer may have logs of several kinds. */
export function openLog<About, Entry>(
  checkpointer: BaseCheckpointSaver,
  kind: string,
  name: string,
  about: About,
): Log<About, Entry> {
  const thread_id = `${kind}.${name}`;
  const config = { configurable: { thread_id, checkpoint_ns: kind, checkpoint_id: CHECKPOINT } };
  /** The life that was read last. */
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
      // The second write tests whether the checkpointer keeps the first one, before anything depends on it.
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

/** @throws ContextShapingError `service`, if the checkpointer kept the second of two writes. */
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
    is: 'does not keep the first of two writes of one task, so two people could answer the same review',
    remedy: 'Use MemorySaver, SqliteSaver or PostgresSaver.',
  });
}
