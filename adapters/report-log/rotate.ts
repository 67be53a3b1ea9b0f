/**
 * Renames a full log to the next free number, without a lock that a killed process could leave behind.
 *
 * A process claims a number by creating its file exclusively, then renames the log over that file. Two processes never get
 * the same name, so nothing is overwritten. A process that still writes to the log writes to the renamed file. A process
 * that is killed in between leaves an empty file.
 */
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ifPresent } from '../own-file/index.js';

/**
 * @param inode of the full file. If another process has already rotated it, the name now belongs to another inode.
 * @param keep number of rotated files to keep; those with the lowest numbers are deleted.
 */
export async function rotate(file: string, inode: number, keep: number): Promise<void> {
  const number = await claim(file);
  const next = `${file}.${number}`;
  let isRenamed = false;
  try {
    const isFull = (await ifPresent(stat(file)))?.ino === inode;
    isRenamed = isFull && (await ifPresent(rename(file, next).then(() => true))) === true;
  } finally {
    if (!isRenamed) await rm(next, { force: true });
  }
  for (const old of await numbersOf(file)) {
    if (old <= number - keep) await rm(`${file}.${old}`, { force: true });
  }
}

async function claim(file: string): Promise<number> {
  for (let number = 1 + Math.max(0, ...(await numbersOf(file))); ; number++) {
    try {
      await (await open(`${file}.${number}`, 'wx')).close();
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Numbers of the rotated files. */
export async function numbersOf(file: string): Promise<number[]> {
  const start = `${basename(file)}.`;
  return (await readdir(dirname(file)))
    .filter((name) => name.startsWith(start) && /^[1-9]\d{0,14}$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)));
}
