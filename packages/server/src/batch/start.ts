/** The place at which a batch begins: the first line, or the one after the checkpoint. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { ifPresent, invalidInput, invalidOption, type JsonObject, messageOf } from 'context-shaping/kit';
import { type Checkpoint, readCheckpoint } from './checkpoint.js';
import type { BatchOptions } from './types.js';

/** The file for the lines without a result. */
export const rejectsOf = (out: string): string => `${out}.rejects.jsonl`;

/** @throws ContextShapingError `invalid-input`: not a file that can be read. */
export async function openInput(path: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // A pipe is refused below. Without the flag, it would wait for its writer first.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if ((await handle.stat()).isFile()) return handle;
  } catch (cause) {
    throw wrong('in', path, `cannot be read: ${messageOf(cause)}`, 'Name a file of JSON lines.', cause);
  }
  await handle.close();
  throw wrong(
    'in',
    path,
    'is not a file',
    'Write the lines into a file: only a file can be read again from its middle.',
  );
}

/** @throws ContextShapingError `invalid-options` or `invalid-input`: the batch cannot begin, or not go on. */
export async function startOf(
  { in: inPath, out: path, settings, overwrite }: BatchOptions,
  { size, dev, ino, mtimeMs: changed }: Stats,
): Promise<Checkpoint> {
  const existing: string[] = [];
  for (const file of [path, rejectsOf(path)]) {
    const found = await ifPresent(stat(file));
    if (found === undefined) continue;
    if (found.ino === ino && found.dev === dev)
      throw wrong('out', file, 'is the input', 'Name another file.');
    if (!found.isFile()) throw wrong('out', file, 'is not a file', 'Name a file.');
    existing.push(file);
  }

  const found = overwrite ? undefined : await readCheckpoint(`${path}.checkpoint`);
  if (found !== undefined) {
    assertSame(found, inPath, { settings, size, changed });
    // If nothing is done yet, the settings may be others.
    return { ...found, settings, size, changed };
  }
  if (existing[0] !== undefined && !overwrite)
    throw wrong(
      'out',
      existing[0],
      'exists, and no batch on it was interrupted',
      'Name another file, or begin anew with overwrite.',
    );
  const counts = { line: 0, shaped: 0, rejected: 0, blank: 0, bytes: 0 };
  // In the order of the schema, so that reading and writing changes nothing.
  return { version: 2, ...counts, size, changed, out: 0, rejects: 0, settings };
}

function assertSame(
  found: Checkpoint,
  inPath: string,
  { settings, size, changed }: { settings: JsonObject; size: number; changed: number },
): void {
  if (found.line === 0) return;
  if (found.size !== size || found.changed !== changed) {
    const remedy = 'Give the same input as before, or begin anew with overwrite.';
    throw wrong('in', inPath, 'has changed since the batch began', remedy);
  }
  for (const name of new Set([...Object.keys(found.settings), ...Object.keys(settings)])) {
    const [was, is] = [found.settings[name], settings[name]].map(
      (value) => JSON.stringify(value) ?? 'absent',
    );
    if (was === is) continue;
    throw wrong(
      name,
      settings[name],
      `was ${was} when the batch began`,
      'Give the same value as before, or begin anew with overwrite.',
    );
  }
}

const wrong = (field: string, ...rest: [unknown, string, string, unknown?]) =>
  (field === 'in' ? invalidInput : invalidOption)(field, ...rest);
