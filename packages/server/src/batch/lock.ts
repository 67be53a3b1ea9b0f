/** One process at a time writes a file: a lock file beside it names the process. */
import { randomUUID } from 'node:crypto';
import { link, rename, rm, stat } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { ContextShapingError } from 'context-shaping';
import { ifPresent, messageOf, openOwn, readOwn } from 'context-shaping/internal';
import * as z from 'zod';

const holderSchema = z.strictObject({ pid: z.int(), host: z.string(), token: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** The locks of this process, by their tokens. */
const held = new Set<string>();

interface Lock {
  /** @throws ContextShapingError `service`: the lock is gone, or another process has it. */
  check(): Promise<void>;
  /**
   * Does nothing the second time.
   *
   * @param checkpoint the checkpoint of a complete batch. It takes the place of the lock of the first file in one step, and
   *   is removed with it. So a batch that is killed at its end left one of them, and is complete when it starts again.
   */
  release(checkpoint?: string): Promise<void>;
}

/**
 * Locks files, by their names in messages.
 *
 * @throws ContextShapingError `invalid-options`: another process has a lock, or a lock cannot be written.
 */
export async function lockFiles(files: Readonly<Record<string, string>>): Promise<Lock> {
  const locks: Lock[] = [];
  const release = async (checkpoint?: string) => {
    for (let lock = locks.pop(); lock !== undefined; lock = locks.pop())
      await lock.release(locks.length === 0 ? checkpoint : undefined);
  };
  const check = async () => {
    for (const lock of locks) await lock.check();
  };
  try {
    for (const [field, file] of Object.entries(files)) locks.push(await lockFile(file, field));
  } catch (error) {
    await release();
    throw error;
  }
  return { check, release };
}

/**
 * Locks a file. A lock is left behind by a process that was killed: if no process of this machine has its number, or the
 * machine has started since, the lock is taken over. A lock of another machine is never taken over.
 *
 * @param field the file's name in messages.
 */
async function lockFile(file: string, field: string): Promise<Lock> {
  const path = `${file}.lock`;
  const token = randomUUID();
  const own: Holder = { pid: process.pid, host: hostname(), token };
  const draft = `${path}.${token}`;
  try {
    await writeWhole(draft, JSON.stringify(own));
  } catch (cause) {
    const remedy = 'Name a file in a folder that can be written.';
    throw new ContextShapingError('invalid-options', {
      ...{ field, value: file, remedy, cause },
      is: `cannot be written: ${messageOf(cause)}`,
    });
  }
  try {
    while (!(await isMade(link(draft, path)))) {
      const holder = await holderOf(path);
      if (holder === undefined) continue;
      if (holder === 'complete') {
        // Another process may have done it.
        await ifPresent(rename(path, `${file}.checkpoint`));
        continue;
      }
      if (!(await isLeft(path, holder))) throw inUse(file, field, path, holder);
      await remove(path, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  held.add(token);
  return {
    async check() {
      if (!(await isHeldBy(path, token))) throw lost(file, field, path);
    },
    async release(checkpoint) {
      held.delete(token);
      if (!(await isHeldBy(path, token))) return;
      if (checkpoint !== undefined) await rename(checkpoint, path);
      await rm(path, { force: true });
    },
  };
}

/** Writes a new file that is whole on the disk before anything names it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await openOwn(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** False if the file was there before. */
async function isMade(making: Promise<void>): Promise<boolean> {
  try {
    await making;
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;

/** A checkpoint, which is no lock. */
const CHECKPOINT = /^\{"version":.*\}\n[\da-f]{64}\n$/;

async function isHeldBy(path: string, token: string): Promise<boolean> {
  const holder = await holderOf(path);
  return holder !== 'complete' && holder?.token === token;
}

/** Undefined if there is no lock any more; `complete` if a batch was killed when it had released it. */
async function holderOf(path: string): Promise<Holder | 'complete' | undefined> {
  try {
    const text = await ifPresent(readOwn(path));
    if (text === undefined) return undefined;
    return CHECKPOINT.test(text) ? 'complete' : holderSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return { pid: 0, host: '', token: '' };
    throw error;
  }
}

async function isLeft(path: string, { pid, host, token }: Holder): Promise<boolean> {
  if (host !== hostname()) return false;
  if (pid === process.pid) return !held.has(token);
  const started = Date.now() - 1000 * uptime();
  const { mtimeMs } = await stat(path);
  return mtimeMs < started || !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Removes a left lock. A process that took it over in the meantime gets its own back. */
async function remove(path: string, left: Holder): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  if (!(await ifPresent(rename(path, aside).then(() => true)))) return;
  if (!(await isHeldBy(aside, left.token))) await isMade(link(aside, path));
  await rm(aside, { force: true });
}

function inUse(file: string, field: string, path: string, { pid, host }: Holder): ContextShapingError {
  const by = host === hostname() || host === '' ? `process ${pid}` : `process ${pid} of the machine ${host}`;
  return new ContextShapingError('invalid-options', {
    field,
    value: file,
    is: host === '' ? 'has a lock that cannot be read' : `is written by ${by}`,
    remedy: `Wait for its end, or name another file. If no such process runs, delete ${path}.`,
  });
}

function lost(file: string, field: string, path: string): ContextShapingError {
  return new ContextShapingError('service', {
    field,
    value: file,
    is: `has lost its lock ${path}`,
    remedy: 'Run the command again when no other process writes the file.',
  });
}
