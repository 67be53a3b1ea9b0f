/** One process at a time writes a file: a lock file beside it names the process. */
import { randomUUID } from 'node:crypto';
import { link, rename, rm, stat } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { ContextShapingError } from 'context-shaping';
import { ifPresent, messageOf, openOwn, readOwn } from 'context-shaping/kit';

/** The locks that this process has. */
const held = new Set<string>();

/**
 * Locks files, by their names in messages. A lock is left behind by a process that was killed: if no process of this
 * machine has its number, or the machine has started since, the lock is taken over. A lock of another machine is never
 * taken over.
 *
 * @returns a function that releases the locks.
 * @throws ContextShapingError `invalid-options`: another process has a lock, or a lock cannot be written.
 */
export async function lockFiles(files: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const locks: string[] = [];
  const release = async () => {
    for (const lock of locks.splice(0)) {
      held.delete(lock);
      await rm(lock, { force: true });
    }
  };
  try {
    for (const [field, file] of Object.entries(files)) locks.push(await lockFile(file, field));
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

async function lockFile(file: string, field: string): Promise<string> {
  const path = `${file}.lock`;
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeWhole(draft, `${process.pid} ${hostname()}`);
  } catch (cause) {
    const remedy = 'Name a file in a folder that can be written.';
    const is = `cannot be written: ${messageOf(cause)}`;
    throw new ContextShapingError('invalid-options', { field, value: file, is, remedy, cause });
  }
  try {
    while (!(await isMade(link(draft, path)))) {
      const holder = await ifPresent(readOwn(path));
      if (holder === undefined) continue;
      if (!(await isLeft(path, holder))) throw inUse(file, field, path, holder);
      // A process that took it over in the meantime gets its own back.
      const aside = `${draft}.left`;
      if (!(await ifPresent(rename(path, aside).then(() => true)))) continue;
      if ((await readOwn(aside)) !== holder) await isMade(link(aside, path));
      await rm(aside, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  held.add(path);
  return path;
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

async function isLeft(path: string, holder: string): Promise<boolean> {
  const [pid, host] = holder.split(' ');
  if (host !== hostname()) return false;
  if (pid === String(process.pid)) return !held.has(path);
  const found = await ifPresent(stat(path));
  if (found === undefined || found.mtimeMs < Date.now() - 1000 * uptime()) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) !== 'EPERM';
  }
}

function inUse(file: string, field: string, path: string, holder: string): ContextShapingError {
  const [pid, host] = holder.split(' ');
  const by = host === hostname() ? `process ${pid}` : `process ${pid} of the machine ${host}`;
  return new ContextShapingError('invalid-options', {
    field,
    value: file,
    is: host === undefined ? 'has a lock that cannot be read' : `is written by ${by}`,
    remedy: `Wait for its end, or name another file. If no such process runs, delete ${path}.`,
  });
}
