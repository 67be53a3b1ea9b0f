/**
 * Values that several processes change, one after the other, in LangGraph's own checkpointers.
 *
 * Checkpointers have no compare-and-set. But of two writes with the same checkpoint, task id and index they keep the
 * first and ignore the second, for ordinary channels (SQLite `INSERT OR IGNORE`, PostgreSQL `ON CONFLICT DO
 * NOTHING`, in memory once the checkpoint has any write). So a value is a thread with one checkpoint, and version n is
 * a write of a task of its own. The first process that writes version n has made it; the last version counts. No graph
 * uses the namespace of these threads, so code that lists threads of graphs finds none of them.
 *
 * A slow process may write a version of a value that was removed. Its write then shows up in the next value of the same
 * name. So each value has a life, which its first write names, and counts only the versions of that life.
 */
import { type BaseCheckpointSaver, emptyCheckpoint } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';

const CHANNEL = 'context_shaping';
const HEAD = 'about';
const CHECKPOINT = '00000000-0000-6000-8000-000000000000';

export interface Shared<About, Value extends object> {
  about: About;
  /** Creates it, as yet without a value, if it does not exist. */
  open(): Promise<void>;
  read(): Promise<Value | undefined>;
  /** @param next the value after this one; `undefined` refuses the change. It is asked again if another process was first. */
  change(next: (value: Value | undefined) => Value | undefined): Promise<Change<Value>>;
  remove(): Promise<void>;
}

export type Change<Value> =
  | { is: 'made'; value: Value }
  | { is: 'refused'; value: Value | undefined }
  /** There was nothing to change. */
  | { is: 'gone' }
  /** Another process removed it after the change was written, and before it was read again. */
  | { is: 'removed' };

/** @param name is unique within its kind. A checkpointer may have values of several kinds. */
export function sharedValue<About, Value extends object>(
  checkpointer: BaseCheckpointSaver,
  kind: string,
  name: string,
  about: About,
): Shared<About, Value> {
  const thread = { thread_id: `${kind}.${name}`, checkpoint_ns: kind };
  const config = { configurable: { ...thread, checkpoint_id: CHECKPOINT } };
  const write = (task: string, value: unknown) => checkpointer.putWrites(config, [[CHANNEL, value]], task);
  const contents = async () =>
    contentsOf<About, Value>((await checkpointer.getTuple(config))?.pendingWrites, checkpointer);
  return {
    about,
    remove: () => checkpointer.deleteThread(thread.thread_id),
    read: async () => (await contents())?.versions.at(-1),
    async open() {
      if ((await contents()) !== undefined) return;
      const checkpoint = { ...emptyCheckpoint(), id: CHECKPOINT };
      await checkpointer.put(
        { configurable: thread },
        checkpoint,
        { source: 'update', step: 0, parents: {} },
        {},
      );
      // The second write tests whether the checkpointer keeps the first one, before anything depends on it.
      await write(HEAD, { about, life: crypto.randomUUID() });
      await write(HEAD, null);
      await contents();
    },
    async change(next) {
      for (;;) {
        const before = await contents();
        if (before === undefined) return { is: 'gone' };
        const last = before.versions.at(-1);
        const value = next(last);
        if (value === undefined) return { is: 'refused', value: last };
        // Identifies the write among those that other processes make of the same version.
        const key = crypto.randomUUID();
        const at = before.versions.length;
        await write(taskOf(before.life, at), { ...value, key });
        const after = await contents();
        if (after?.life !== before.life) return { is: 'removed' };
        if (after.versions[at]?.key === key) return { is: 'made', value };
      }
    },
  };
}

/** All values of a kind. */
export async function* sharedValues<About, Value extends object>(
  checkpointer: BaseCheckpointSaver,
  kind: string,
): AsyncGenerator<{ shared: Shared<About, Value>; value: Value | undefined }> {
  for await (const { config, pendingWrites } of checkpointer.list({
    configurable: { checkpoint_ns: kind },
  })) {
    const found = contentsOf<About, Value>(pendingWrites, checkpointer);
    const name = String(config.configurable?.thread_id).slice(kind.length + 1);
    if (found)
      yield { shared: sharedValue(checkpointer, kind, name, found.about), value: found.versions.at(-1) };
  }
}

const taskOf = (life: string, at: number) => `entry-${life}-${at + 1}`;

interface Contents<About, Value> {
  about: About;
  life: string;
  versions: (Value & { key?: string })[];
}

/** @throws ContextShapingError `service`, if the checkpointer kept the second of two writes. */
function contentsOf<About, Value>(
  writes: readonly (readonly [task: string, channel: string, value: unknown])[] = [],
  checkpointer: BaseCheckpointSaver,
): Contents<About, Value> | undefined {
  const values = new Map(
    writes.filter(([, channel]) => channel === CHANNEL).map(([task, , value]) => [task, value]),
  );
  const head = values.get(HEAD) as Omit<Contents<About, Value>, 'versions'> | null | undefined;
  if (head === undefined) return undefined;
  if (head === null) {
    throw new ContextShapingError('service', {
      field: 'checkpointer',
      value: checkpointer,
      is: 'does not keep the first of two writes of one task, so two people could answer the same review',
      remedy: 'Use MemorySaver, SqliteSaver or PostgresSaver.',
    });
  }
  const versions: Contents<About, Value>['versions'] = [];
  for (let task = taskOf(head.life, 0); values.has(task); task = taskOf(head.life, versions.length)) {
    versions.push(values.get(task) as Value & { key?: string });
  }
  return { ...head, versions };
}
