/** Files that hold texts: only their owner can read them, and they are never written through a link. Not an export. */
import type { FileHandle } from 'node:fs/promises';

/** As for `open`: `w` begins anew, `wx` makes a new file, `r+` needs one, and `a` and `a+` write at the end. */
export type HowToOpen = 'w' | 'wx' | 'r+' | 'a' | 'a+';

/**
 * Opens a file with the mode 0600, also if it was there before with another mode. The check for a link is that of the
 * system, when it opens the file. Windows has no such check. A pipe is refused at once: to open it would wait for another
 * program, and Node cannot end meanwhile.
 *
 * @throws Error if the path is a symbolic link or a pipe; the errors of `open`.
 */
export async function openOwn(path: string, how: HowToOpen): Promise<FileHandle> {
  // Bundlers for browsers could not resolve an import.
  const { constants, promises } = process.getBuiltinModule('node:fs');
  const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_TRUNC, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const flags = {
    w: O_WRONLY | O_CREAT | O_TRUNC,
    wx: O_WRONLY | O_CREAT | O_EXCL,
    'r+': O_RDWR,
    a: O_WRONLY | O_CREAT | O_APPEND,
    'a+': O_RDWR | O_CREAT | O_APPEND,
  };
  const handle = await promises.open(path, flags[how] | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((cause) => {
    if (cause?.code === 'ENXIO') throw isPipe(path, cause);
    if (!IS_LINK.includes(cause?.code)) throw cause;
    throw new Error(`${path} is a symbolic link`, { cause });
  });
  try {
    const found = await handle.stat();
    if (found.isFIFO()) throw isPipe(path);
    if (found.isFile()) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * The text of a file that this program keeps. A pipe is refused at once, as {@link openOwn} does.
 *
 * @throws Error if the path is a pipe; the errors of `open`; the reason of the signal.
 */
export async function readOwn(path: string, signal?: AbortSignal | undefined): Promise<string> {
  const { constants, promises } = process.getBuiltinModule('node:fs');
  const handle = await promises.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await handle.stat()).isFIFO()) throw isPipe(path);
    return await handle.readFile({ encoding: 'utf8', signal });
  } finally {
    await handle.close();
  }
}

/** FreeBSD has the second code. */
const IS_LINK = ['ELOOP', 'EMLINK'];

/** With the code of the system for it. */
const isPipe = (path: string, cause?: unknown) =>
  Object.assign(new Error(`${path} is a pipe, not a file`, { cause }), { code: 'ENXIO' });

/**
 * Makes a folder and the missing ones above it. Node's own `recursive` never ends where a folder exists that takes no more,
 * such as `/proc`.
 *
 * @throws the errors of `mkdir`.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const { dirname } = process.getBuiltinModule('node:path');
  const { mkdir, stat } = process.getBuiltinModule('node:fs').promises;
  const ifNew = async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  };
  await mkdir(path, { mode }).catch(async (error) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) return ifNew(error);
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch(ifNew);
  });
}

/** Writes a whole file. */
export async function writeOwn(path: string, text: string): Promise<void> {
  const handle = await openOwn(path, 'w');
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** The result; `undefined` if there is no such file. */
export const ifPresent = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
