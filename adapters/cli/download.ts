/**
 * Downloads one file from a hub, completely or not at all. The received part is in `FILE.part`, and its ETag in
 * `FILE.part.etag`, until the file is complete and checked. A later run continues an earlier one if the file on the hub
 * is still the same (RFC 9110, section 13.1.5: If-Range).
 */
import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, within } from '../../src/internal.js';
import { ifPresent, readOwn } from '../own-file/index.js';
import { fetchFile, type Hub, MOST_SILENCE, type RemoteFile } from './hub.js';

/** The property that was compared: `nothing` if the hub gives neither a checksum nor a size. */
type Check = 'SHA-256' | 'SHA-1' | 'size' | 'nothing';

export interface Outcome {
  how: 'already there' | 'fetched' | 'resumed and fetched';
  by: Check;
  /** In bytes. */
  size: number;
}

/**
 * @param onBytes gets the number of new bytes: first the bytes of an earlier run, then those of each piece.
 * @throws if the file is incomplete, which keeps the part for the next run, or if its checksum or size is wrong, which
 *   deletes it.
 */
export async function download(
  hub: Hub,
  url: URL,
  target: string,
  remote: RemoteFile,
  onBytes: (count: number) => void,
): Promise<Outcome> {
  // Without a checksum and a size, an existing file cannot be checked.
  const there = await compareIfThere(target, remote, hub.signal);
  if (there?.same && there.by !== 'nothing') {
    return { how: 'already there', by: there.by, size: (await stat(target)).size };
  }
  const part = `${target}.part`;
  const resumed = await fill(hub, url, part, remote.size, onBytes);
  const { by, same } = await compare(part, remote, hub.signal);
  if (!same) {
    await discard(part);
    throw new Error(
      `The download of ${basename(target)} is corrupt: its ${by} differs from the hub's. Run the command again.`,
    );
  }
  const { size } = await stat(part);
  await rename(part, target);
  await discard(part);
  return { how: resumed ? 'resumed and fetched' : 'fetched', by, size };
}

/** @returns whether an earlier run had received a part. */
async function fill(
  hub: Hub,
  url: URL,
  part: string,
  size: number | undefined,
  onBytes: (count: number) => void,
): Promise<boolean> {
  const etag = await readOwn(etagOf(part)).catch(() => '');
  const had = etag === '' ? 0 : await sizeOfPart(part);
  if (had > 0 && had === size) return true;
  const rest = had > 0 ? await fetchRest(hub, url, had, etag) : undefined;
  const start = rest === undefined ? 0 : had;
  const answer = rest ?? (await fetchFile(hub, url, {}));
  onBytes(start);
  await keepEtag(part, answer);
  const arrived = await append(answer, part, { start, size }, onBytes, hub.signal);
  if (size !== undefined && arrived < size) throw brokeOff(part, arrived);
  return start > 0;
}

/** The rest of a file; undefined if the server does not support that, or the file has changed. */
async function fetchRest(hub: Hub, url: URL, from: number, etag: string): Promise<Response | undefined> {
  const answer = await fetchFile(hub, url, { range: `bytes=${from}-`, 'if-range': etag });
  const isRest =
    answer.status === 206 &&
    answer.headers.get('content-range')?.startsWith(`bytes ${from}-`) &&
    answer.headers.get('etag') === etag;
  if (isRest) return answer;
  await answer.body?.cancel();
  return undefined;
}

/** A weak ETag does not guarantee identical bytes: without a strong ETag the next run starts from the beginning. */
async function keepEtag(part: string, { headers }: Response): Promise<void> {
  const etag = headers.get('etag');
  await ifPresent(unlink(etagOf(part)));
  if (etag !== null && !etag.startsWith('W/')) await writeFile(etagOf(part), etag, { flag: 'wx' });
}

/**
 * Appends to the file itself; does not follow a link with its name.
 *
 * @returns how many bytes the file has afterwards.
 */
async function append(
  answer: Response,
  part: string,
  { start, size = Number.POSITIVE_INFINITY }: { start: number; size: number | undefined },
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<number> {
  let arrived = start;
  if (start === 0) await ifPresent(unlink(part));
  await using file = await open(part, start > 0 ? APPEND : 'wx');
  const pieces = answer.body?.getReader();
  try {
    for (;;) {
      const piece = await within(MOST_SILENCE, signal, async () => pieces?.read()).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw brokeOff(part, arrived, cause);
      });
      if (piece === undefined || piece.done) break;
      if (arrived + piece.value.length > size) {
        await discard(part);
        throw new Error(
          `The server sends more of ${basename(part, '.part')} than the ${size} bytes that it announced. Run the command again, or name another hub with --endpoint.`,
        );
      }
      await file.appendFile(piece.value);
      arrived += piece.value.length;
      onBytes(piece.value.length);
    }
  } finally {
    // An open connection would keep the program alive, for instance after the disk is full.
    await pieces?.cancel().catch(() => {});
  }
  await file.sync();
  return arrived;
}

function brokeOff(part: string, arrived: number, cause?: unknown): Error {
  const reason = cause === undefined ? '' : ` (${messageOf(cause)})`;
  const name = basename(part, '.part');
  return new Error(
    `The connection was lost after ${arrived} bytes of ${name}${reason}. Run the command again to continue from there.`,
    { cause },
  );
}

async function compareIfThere(path: string, remote: RemoteFile, signal: AbortSignal) {
  return (await ifPresent(stat(path))) && compare(path, remote, signal);
}

/** 0 if it is not a regular file: this program leaves no links. */
async function sizeOfPart(part: string): Promise<number> {
  const found = await lstat(part).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(etagOf(part), { force: true });
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

const etagOf = (part: string) => `${part}.etag`;

/**
 * The ETag of a large file is its SHA-256. The ETag of a small file is the id of a git blob: the SHA-1 of `blob SIZE\0`
 * and the content. Other ETags are not checksums; then only the sizes are compared.
 */
async function compare(
  path: string,
  { etag = '', size }: RemoteFile,
  signal: AbortSignal,
): Promise<{ by: Check; same: boolean }> {
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
