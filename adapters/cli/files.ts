/** Reads and writes files, with errors for users. */
import { constants } from 'node:buffer';
import { constants as flags, open } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { ShapingInput, ShapingOptions } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import { openOwn, writeOwn } from '../own-file/index.js';
import { UsageError } from './errors.js';
import { parseJson } from './parse-json.js';
import { type Io, printable, write } from './terminal.js';

/**
 * The text of a file without a byte order mark.
 *
 * @param remedy a sentence that says which file to name instead.
 * @param read reads the bytes if it is not a file.
 */
export async function readText(
  file: string,
  remedy: string,
  signal: AbortSignal,
  read: () => Promise<Uint8Array> = async () => {
    const pipe = await pipeAt(file, signal);
    return pipe === undefined ? readFile(file, { signal }) : buffer(pipe);
  },
): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await read();
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(`Cannot read ${file}: ${messageOf(cause)}. ${remedy}`, { cause });
  }
  return decode(bytes, file);
}

/**
 * The pipe of that name; undefined for a file. It waits for its writer, as standard input does, until the signal aborts.
 * Node opens a file in a way that neither an abort nor the end of the program interrupts.
 */
export async function pipeAt(file: string, signal: AbortSignal): Promise<Readable | undefined> {
  if (!(await stat(file).catch(() => undefined))?.isFIFO()) return undefined;
  const fd = await promisify(open)(file, flags.O_RDONLY | flags.O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}

/** The name of an input in messages. Absent or `-`: standard input. */
export const inputName = (file: string | undefined): string =>
  file === undefined || file === '-' ? 'standard input' : file;

/** The JSON of a file, or of standard input if the file is absent or `-`, and the name for messages. */
export async function readInput(
  file: string | undefined,
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
): Promise<{ value: unknown; name: string }> {
  const name = inputName(file);
  const remedy = 'Name a JSON file, or - for standard input.';
  const ofInput = () => buffer(stdin instanceof Readable ? addAbortSignal(signal, stdin) : stdin);
  const text = await readText(name, remedy, signal, name === file ? undefined : ofInput);
  return { value: parseJson(text, name), name };
}

/** The JSON of a file. @param remedy as for {@link readText}. */
export const readJson = async (file: string, remedy: string, signal: AbortSignal): Promise<unknown> =>
  parseJson(await readText(file, remedy, signal), file);

/** Bytes to text without a byte order mark. Rejects other encodings: some Windows shells write UTF-16 by default. */
function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const most = Math.floor(constants.MAX_STRING_LENGTH / 1e6);
    const remedy = 'Save it as UTF-8, as JSON requires';
    throw new UsageError(`${name} is not UTF-8 text of at most ${most} MB. ${remedy}.`, { cause });
  }
}

/** Checks before long work that its result can be written. Leaves the disk unchanged. */
export async function checkWritable(file: string, remedy: string): Promise<void> {
  try {
    try {
      await (await openOwn(file, 'wx')).close();
      await rm(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await (await openOwn(file, 'r+')).close();
    }
  } catch (cause) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(cause)}. ${remedy}`, { cause });
  }
}

/** @throws Error with exit code 1, since {@link checkWritable} succeeded before. */
export async function writeText(file: string, text: string, remedy: string): Promise<void> {
  try {
    await writeOwn(file, text);
  } catch (cause) {
    throw new Error(`Cannot write ${file}: ${messageOf(cause)}. ${remedy}`, { cause });
  }
}

const OTHER_FILE = 'Name another file with --save.';

/**
 * `--save FILE`: checks the file, and returns a function that writes a run to it, as the input of `context-shaping shape`.
 * Without a file that writes nothing.
 */
export async function saveTo(
  file: string | undefined,
  io: Io,
): Promise<(run: Pick<ShapingInput, 'query' | 'chunks'> & { options: ShapingOptions }) => Promise<void>> {
  if (file === undefined) return async () => {};
  await checkWritable(file, OTHER_FILE);
  return async ({ query, chunks, options }) => {
    await writeText(file, `${JSON.stringify({ query, chunks, options }, undefined, 2)}\n`, OTHER_FILE);
    await write(io.stderr, `Wrote ${printable(file)}.\n`);
  };
}
