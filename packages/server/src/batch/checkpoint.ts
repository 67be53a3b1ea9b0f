/** The checkpoint of a batch: how far it is on disk, and what must be the same when it goes on. */
import { rename } from 'node:fs/promises';
import { ifPresent, invalidOption, openOwn, parseJson, readOwn } from 'context-shaping/kit';
import * as z from 'zod';

const count = z.int().min(0);

const checkpointSchema = z.strictObject({
  version: z.literal(2),
  /** Lines of the input that are done. */
  line: count,
  shaped: count,
  rejected: count,
  blank: count,
  /** The input: the bytes that are done, all bytes, and the time of its last change in milliseconds. */
  bytes: count,
  size: count,
  changed: z.number(),
  /** Bytes of the outputs that are safe. */
  out: count,
  rejects: count,
  /** Everything else that the outcomes depend on, by names for messages. */
  settings: z.record(z.string(), z.unknown()),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** Replaces the checkpoint at once: after a loss of power there is the old one or the new one. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const handle = await openOwn(`${path}.new`, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(checkpoint)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
}

/**
 * Undefined if there is none.
 *
 * @throws ContextShapingError `invalid-options`: the file is not a whole checkpoint of this version.
 */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await ifPresent(readOwn(path));
  if (text === undefined) return undefined;
  const found = checkpointSchema.safeParse(parseJson(text));
  if (found.success) return found.data;
  const is = 'is a damaged checkpoint, or one of another version';
  throw invalidOption('out', path, is, 'Begin anew with overwrite.');
}
