/** Reads and writes files, with errors for users. */
import { constants } from 'node:buffer';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { messageOf } from '../../src/internal.js';
import { UsageError } from './errors.js';

/**
 * The text of a file without a byte order mark.
 *
 * @param remedy a sentence that says which file to name instead.
 */
export async function readText(file: string, remedy: string, signal: AbortSignal): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(`Cannot read ${file}: ${why(cause)}. ${remedy}`, { cause });
  }
  return decode(bytes, file);
}

/** Bytes to text without a byte order mark. Rejects other encodings: some Windows shells write UTF-16 by default. */
export function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      const [size, most] = [bytes.length, constants.MAX_STRING_LENGTH].map((each) => Math.floor(each / 1e6));
      throw new UsageError(`${name} is too large: ${size} MB of at most ${most} MB. Give fewer chunks.`, {
        cause,
      });
    }
    throw new UsageError(`${name} is not UTF-8 text. Save it as UTF-8, as JSON requires.`, { cause });
  }
}

/** Checks before long work that its result can be written. Leaves the disk unchanged. */
export async function checkWritable(file: string, remedy: string): Promise<void> {
  try {
    try {
      await (await open(file, 'wx')).close();
      await rm(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await (await open(file, 'r+')).close();
    }
  } catch (cause) {
    throw new UsageError(`Cannot write ${file}: ${why(cause)}. ${remedy}`, { cause });
  }
}

/** @throws Error with exit code 1, since {@link checkWritable} succeeded before. */
export async function writeText(file: string, text: string, remedy: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new Error(`Cannot write ${file}: ${why(cause)}. ${remedy}`, { cause });
  }
}

const REASONS = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of that path is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
]);

/** An error of the system in words. */
export function why(error: unknown): string {
  return REASONS.get((error as NodeJS.ErrnoException | null)?.code ?? '') ?? messageOf(error);
}
