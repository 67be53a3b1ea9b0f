/** Compares a file with the checksum or size that a hub announced. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { RemoteFile } from './hub.js';

/** The property that was compared: `nothing` if the hub gives neither a checksum nor a size. */
export type Check = 'SHA-256' | 'SHA-1' | 'size' | 'nothing';

export interface Comparison {
  by: Check;
  same: boolean;
}

/**
 * The ETag of a large file is its SHA-256. The ETag of a small file is the id of a git blob: the SHA-1 of `blob SIZE\0`
 * and the content. Other ETags are not checksums; then only the sizes are compared.
 */
export async function compare(
  path: string,
  { etag = '', size }: RemoteFile,
  signal: AbortSignal,
): Promise<Comparison> {
  const actual = (await stat(path)).size;
  const by = checkFor(etag, size);
  if (size !== undefined && actual !== size) return { by: 'size', same: false };
  if (by === 'SHA-256') return { by, same: (await digest(path, createHash('sha256'), signal)) === etag };
  if (by === 'SHA-1') {
    return { by, same: (await digest(path, createHash('sha1').update(`blob ${actual}\0`), signal)) === etag };
  }
  return { by, same: true };
}

function checkFor(etag: string, size: number | undefined): Check {
  if (/^[0-9a-f]{64}$/.test(etag)) return 'SHA-256';
  if (/^[0-9a-f]{40}$/.test(etag)) return 'SHA-1';
  return size === undefined ? 'nothing' : 'size';
}

async function digest(path: string, hash: Hash, signal: AbortSignal): Promise<string> {
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
