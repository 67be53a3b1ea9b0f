/** The checkpoint of a batch: how far it is on disk, and what must be the same when it goes on. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ContextShapingError } from 'context-shaping';
import { ifPresent, readOwn } from 'context-shaping/kit';
import * as z from 'zod';
import { writeWhole } from './lock.js';

const count = z.int().min(0);
/** The first bytes of a file: how many, and a digest of their ends. */
const prefixSchema = z.strictObject({ bytes: count, digest: z.string() });

const checkpointSchema = z.strictObject({
  version: z.literal(1),
  /** Lines of the input that are done. */
  line: count,
  shaped: count,
  rejected: count,
  blank: count,
  /** The whole input, in bytes. */
  size: count,
  /** The done part of the input, and the safe parts of the outputs. */
  in: prefixSchema,
  out: prefixSchema,
  rejects: prefixSchema,
  /** Everything else that the outcomes depend on, by names for messages. */
  settings: z.record(z.string(), z.unknown()),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;
export type Prefix = z.infer<typeof prefixSchema>;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** The prefix of a file that does not exist yet. */
export const NOTHING: Prefix = { bytes: 0, digest: sha256('') };

/** Bytes of each end of a prefix that its digest covers. */
const END = 4096;

/** The first bytes of a file. Changes in the middle of a long prefix are not seen. */
export async function prefixOf(handle: FileHandle, bytes: number): Promise<Prefix> {
  const first = await bytesOf(handle, 0, Math.min(END, bytes));
  const last = await bytesOf(handle, Math.max(0, bytes - END), Math.min(END, bytes));
  return { bytes, digest: sha256(Buffer.concat([first, last])) };
}

async function bytesOf(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, position + at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}

/** Replaces the checkpoint at once: after a loss of power there is the old one or the new one. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const json = JSON.stringify(checkpoint);
  await writeWhole(`${path}.new`, `${json}\n${sha256(json)}\n`);
  await rename(`${path}.new`, path);
  await syncFolder(path);
}

/** So that a new name is safe too. Windows cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Undefined if there is none.
 *
 * @throws ContextShapingError `invalid-options`: the file is not a whole checkpoint of this version.
 */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await ifPresent(readOwn(path));
  if (text === undefined) return undefined;
  const [json = '', digest] = text.split('\n');
  const found = sha256(json) === digest ? checkpointSchema.safeParse(JSON.parse(json)) : undefined;
  if (found?.success) return found.data;
  throw new ContextShapingError('invalid-options', {
    field: 'out',
    value: path,
    is: 'is a damaged checkpoint, or one of another version',
    remedy: 'Begin anew with overwrite.',
  });
}
