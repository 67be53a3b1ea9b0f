/** One process at a time writes an output: a lock file beside it names the process. */
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ifPresent, invalidOption, messageOf, openOwn, readOwn } from 'context-shaping/kit';

/** The locks that this process has. */
const held = new Set<string>();

/**
 * Locks a file. The lock of a process of this machine that has ended is replaced; that of another machine never is.
 *
 * @returns a function that releases the lock.
 * @throws ContextShapingError `invalid-options`: another process has the lock, or it cannot be written.
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const path = `${file}.lock`;
  for (;;) {
    try {
      const handle = await openOwn(path, 'wx');
      await handle.writeFile(`${process.pid} ${hostname()}`).finally(() => handle.close());
      held.add(path);
      return async () => {
        if (held.delete(path)) await rm(path, { force: true });
      };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        const is = `cannot be written: ${messageOf(cause)}`;
        throw invalidOption('out', file, is, 'Name a file in a folder that can be written.', cause);
      }
    }
    const [pid, host] = ((await ifPresent(readOwn(path))) ?? '').split(' ');
    // A process that ends before it writes its name leaves an empty lock.
    if (host !== undefined && (host !== hostname() || isRunning(Number(pid), path))) {
      const remedy = `Wait for its end, or name another file. If no such process runs, delete ${path}.`;
      throw invalidOption('out', file, `is written by process ${pid} of the machine ${host}`, remedy);
    }
    await rm(path, { force: true });
  }
}

function isRunning(pid: number, path: string): boolean {
  // In a container, the process before may have had the same number.
  if (pid === process.pid) return held.has(path);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
