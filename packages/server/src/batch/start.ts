/** The place at which a batch begins: the first line, or the one after the checkpoint. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { ContextShapingError } from 'context-shaping';
import { ifPresent, type JsonObject, messageOf } from 'context-shaping/kit';
import { type Checkpoint, NOTHING, prefixOf, readCheckpoint } from './checkpoint.js';
import type { BatchOptions, BatchProgress } from './types.js';

interface Start {
  checkpoint: Checkpoint;
  progress: BatchProgress;
}

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
  { in: inPath, settings, overwrite }: BatchOptions,
  input: FileHandle,
  { size, dev, ino }: Stats,
  { path, rejectsPath }: { path: string; rejectsPath: string },
): Promise<Start> {
  const out = await statsOf(path);
  const rejects = await statsOf(rejectsPath);
  for (const [field, file, found] of [
    ['out', path, out],
    ['rejects', rejectsPath, rejects],
  ] as const) {
    if (found?.ino === ino && found.dev === dev)
      throw wrong(field, file, 'is the input', 'Name another file.');
    if (found?.isFile() === false) throw wrong(field, file, 'is not a file', 'Name a file.');
  }
  if (out !== undefined && out.ino === rejects?.ino && out.dev === rejects.dev)
    throw wrong('rejects', rejectsPath, 'is the file of the results', 'Name another file.');

  const found = overwrite ? undefined : await readCheckpoint(`${path}.checkpoint`);
  if (found !== undefined) {
    await assertSame(found, { inPath, settings, size }, input);
    const { line, shaped, rejected, blank } = found;
    // Nothing is done yet, so the settings may be others.
    const checkpoint = { ...found, settings };
    return { checkpoint, progress: { line, shaped, rejected, blank, bytes: found.in.bytes, size } };
  }
  for (const [field, file, existing] of [
    ['out', path, out],
    ['rejects', rejectsPath, rejects],
  ] as const) {
    if (existing === undefined || overwrite) continue;
    throw wrong(
      field,
      file,
      'exists, and no batch on it was interrupted',
      'Name another file, or begin anew with overwrite.',
    );
  }
  const counts = { line: 0, shaped: 0, rejected: 0, blank: 0 };
  const checkpoint = {
    version: 1 as const,
    ...counts,
    size,
    in: NOTHING,
    out: NOTHING,
    rejects: NOTHING,
    settings,
  };
  return { checkpoint, progress: { ...counts, bytes: 0, size } };
}

async function assertSame(
  found: Checkpoint,
  { inPath, settings, size }: { inPath: string; settings: JsonObject; size: number },
  input: FileHandle,
): Promise<void> {
  if (found.line === 0) return;
  const remedy = 'Give the same input as before, or begin anew with overwrite.';
  if (found.size !== size)
    throw wrong('in', inPath, `has ${size} bytes, but had ${found.size} when the batch began`, remedy);
  if ((await prefixOf(input, found.in.bytes)).digest !== found.in.digest)
    throw wrong('in', inPath, `differs from the input of which ${found.line} lines are done`, remedy);
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

/** @throws ContextShapingError `invalid-input`: the input was written to during the batch. */
export function assertUnchanged(path: string, before: Stats, now: Stats): void {
  if (now.size === before.size && now.mtimeMs === before.mtimeMs) return;
  throw wrong(
    'in',
    path,
    'changed while it was read',
    'Begin anew with overwrite when the input is complete.',
  );
}

const statsOf = (path: string): Promise<Stats | undefined> => ifPresent(stat(path));

function wrong(
  field: string,
  value: unknown,
  is: string,
  remedy: string,
  cause?: unknown,
): ContextShapingError {
  const kind = field === 'in' ? 'invalid-input' : 'invalid-options';
  return new ContextShapingError(kind, { field, value, is, remedy, cause });
}
