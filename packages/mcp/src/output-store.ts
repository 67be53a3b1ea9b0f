/**
 * Whole outputs of tools, each in a file of a folder, so that what a shaped output leaves out can be recalled. Not an
 * export.
 *
 *   handle = base64url(SHA-256(output)[0..16])
 *
 * An output has the same handle wherever it occurs, and is kept once. A handle says nothing about the output, and cannot
 * be computed without it.
 */
import { createHash } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent, makeFolder, openOwn, readOwn } from 'context-shaping/kit';

/** Name of the tool that reads kept outputs. */
export const RECALL_OUTPUT_TOOL = 'recall_output';

/** Most bytes of the outputs of a folder. Beyond that, those that were written first go. */
const MOST_BYTES = 2 ** 28;

const BYTES = 16;
const HANDLE = /^[\w-]{22}$/;
const ENDING = '.txt';

/**
 * Writes an output into a folder, which is made for this user alone if it is missing. The file appears with its whole text.
 *
 * @param most most bytes of all outputs of the folder.
 * @returns the handle.
 * @throws the errors of the file system.
 */
export async function keepOutput(folder: string, output: string, most = MOST_BYTES): Promise<string> {
  const handle = handleOf(output);
  const path = pathOf(folder, handle);
  if ((await readOutput(folder, handle)) !== undefined) return handle;
  await makeFolder(folder, 0o700);
  const own = `${path}.${process.pid}.new`;
  try {
    const file = await openOwn(own, 'w');
    await file.writeFile(output).finally(() => file.close());
    await rename(own, path);
  } catch (error) {
    await rm(own, { force: true }).catch(() => {});
    throw error;
  }
  await forgetOldest(folder, most, path);
  return handle;
}

/**
 * The output of a handle; undefined if the folder has none, or if its file has changed.
 *
 * @throws the errors of the file system, except that the file is missing.
 */
export async function readOutput(folder: string, handle: string): Promise<string | undefined> {
  if (!HANDLE.test(handle)) return undefined;
  const output = await ifPresent(readOwn(pathOf(folder, handle)));
  return output !== undefined && handleOf(output) === handle ? output : undefined;
}

const handleOf = (output: string): string =>
  createHash('sha256').update(output).digest().subarray(0, BYTES).toString('base64url');

const pathOf = (folder: string, handle: string): string => join(folder, handle + ENDING);

/** Removes the oldest outputs until the rest fits. The newest one stays. */
async function forgetOldest(folder: string, most: number, newest: string): Promise<void> {
  const files = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (path === newest || !name.endsWith(ENDING)) continue;
    // Another process may have removed it.
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) files.push({ path, size: found.size, time: found.mtimeMs });
  }
  files.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  let left = most - (await stat(newest)).size;
  for (const { path, size } of files) {
    left -= size;
    if (left < 0) await rm(path, { force: true });
  }
}
