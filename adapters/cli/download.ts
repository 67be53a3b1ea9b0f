/**
 * One file from a hub, whole or not at all. What has arrived lies in `FILE.part`, with its ETag in
 * `FILE.part.etag`, until it is complete and checked; a later run goes on where an earlier one stopped, if
 * the file is still the same (RFC 9110, section 13.1.5: If-Range).
 */
import { constants } from 'node:fs';
import { lstat, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '../../src/internal.js';
import { type Check, compare } from './checksum.js';
import { fetchFile, type Hub, type RemoteFile } from './hub.js';

export interface Outcome {
  how: 'already there' | 'fetched' | 'resumed and fetched';
  by: Check;
  /** In bytes. */
  size: number;
}

/**
 * @param onBytes hears how many bytes have arrived: those of an earlier run at once, then each piece.
 * @throws if the file does not arrive whole, or is not what the hub says it is. The first leaves what there
 *   is for the next run, the second deletes it.
 */
export async function download(
  hub: Hub,
  url: URL,
  target: string,
  remote: RemoteFile,
  onBytes: (count: number) => void,
): Promise<Outcome> {
  // Whatever compares nothing cannot tell that a file is the right one.
  const there = await compareIfThere(target, remote, hub.signal);
  if (there?.same && there.by !== 'nothing') {
    return { how: 'already there', by: there.by, size: await sizeOf(target) };
  }
  const part = `${target}.part`;
  const resumed = await fill(hub, url, part, remote.size, onBytes);
  const { by, same } = await compare(part, remote, hub.signal);
  if (!same) {
    await discard(part);
    throw new Error(
      `${basename(target)} did not arrive as it left: its ${by} is wrong. Run the command again.`,
    );
  }
  const size = await sizeOf(part);
  await rename(part, target);
  await discard(part);
  return { how: resumed ? 'resumed and fetched' : 'fetched', by, size };
}

/** @returns whether an earlier run had some of it. */
async function fill(
  hub: Hub,
  url: URL,
  part: string,
  size: number | undefined,
  onBytes: (count: number) => void,
): Promise<boolean> {
  const etag = await readFile(etagOf(part), 'utf8').catch(() => '');
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

/** The rest of a file; undefined if the server does not give it, or it has become another file. */
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

/** A weak ETag does not promise the same bytes: without a strong one the next run starts anew. */
async function keepEtag(part: string, { headers }: Response): Promise<void> {
  const etag = headers.get('etag');
  await unlinkIfThere(etagOf(part));
  if (etag !== null && !etag.startsWith('W/')) await writeFile(etagOf(part), etag, { flag: 'wx' });
}

/**
 * To the file itself, never to what a link of its name leads to.
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
  if (start === 0) await unlinkIfThere(part);
  await using file = await open(part, start > 0 ? APPEND : 'wx');
  const pieces = answer.body?.getReader();
  try {
    for (;;) {
      const piece = await pieces?.read().catch((cause: unknown) => {
        signal.throwIfAborted();
        throw brokeOff(part, arrived, cause);
      });
      if (piece === undefined || piece.done) break;
      if (arrived + piece.value.length > size) {
        await discard(part);
        throw new Error(
          `${basename(part, '.part')} goes on after the ${size} bytes that the server announced. Run the command again, or name another hub with --endpoint.`,
        );
      }
      await file.appendFile(piece.value);
      arrived += piece.value.length;
      onBytes(piece.value.length);
    }
  } finally {
    // When the disk is full, the connection must not keep the program from ending.
    await pieces?.cancel().catch(() => {});
  }
  await file.sync();
  return arrived;
}

function brokeOff(part: string, arrived: number, cause?: unknown): Error {
  const reason = cause === undefined ? '' : ` (${messageOf(cause)})`;
  const name = basename(part, '.part');
  return new Error(
    `The connection broke off after ${arrived} bytes of ${name}${reason}. Run the command again: it goes on from there.`,
    { cause },
  );
}

async function compareIfThere(path: string, remote: RemoteFile, signal: AbortSignal) {
  return (await sizeOf(path)) === -1 ? undefined : compare(path, remote, signal);
}

/** In bytes; -1 if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.size ?? -1;
}

/** 0 unless it is a file: an earlier run has left no link. */
async function sizeOfPart(part: string): Promise<number> {
  const found = await lstat(part).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(etagOf(part), { force: true });
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

const etagOf = (part: string) => `${part}.etag`;
