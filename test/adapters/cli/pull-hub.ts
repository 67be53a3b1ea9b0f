/** A stand-in for a model hub, with the layout of the Hugging Face Hub: it is the service that is not there. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const gitBlob = (bytes: Uint8Array) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

export interface Hub {
  endpoint: string;
  /** Method, path and what matters of the headers of every request, in order. */
  log: { method: string; path: string; range?: string; ifRange?: string; token?: string }[];
  files: Record<string, Uint8Array>;
  /** The faults of the server, and its variants. */
  behaviour: {
    /** Sends so many bytes of the next large file and then waits. */
    stallAfter?: number | undefined;
    /** Ends the connection that waits, once this is so. */
    breakWhen?: (() => boolean) | undefined;
    ignoreRange?: boolean;
    /** Answers 206 with bytes of the current file, even if it has changed. */
    ignoreIfRange?: boolean;
    /** Says another checksum than that of the large file. */
    wrongChecksum?: boolean;
    /** Sends more of the large file than it says that there is. */
    tooMuch?: boolean;
    /** ETags that are no checksums, and no x-linked-etag. */
    plainEtags?: boolean;
    /** Neither ETags nor lengths. */
    silent?: boolean;
    status?: number;
    redirectInCircles?: boolean;
    /** The address of large files, if it is elsewhere. */
    elsewhere?: string;
  };
  close(): void;
}

/**
 * @param files their names and bytes; `model.safetensors` is the large one, which is somewhere else.
 */
export async function startHub(files: Record<string, Uint8Array>): Promise<Hub> {
  const server: Server = createServer((request, response) => answer(hub, request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const hub: Hub = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: [],
    files: { ...files },
    behaviour: {},
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return hub;
}

function answer(hub: Hub, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  const { range, authorization, 'if-range': ifRange } = request.headers;
  hub.log.push({
    method: request.method ?? '',
    path,
    ...(range === undefined ? {} : { range }),
    ...(ifRange === undefined ? {} : { ifRange: String(ifRange) }),
    ...(authorization === undefined ? {} : { token: authorization }),
  });
  const { behaviour } = hub;
  if (behaviour.status !== undefined) return void response.writeHead(behaviour.status).end('no');
  if (behaviour.redirectInCircles) return void response.writeHead(302, { location: path }).end();

  const name = path.split('/').at(-1) ?? '';
  const bytes = hub.files[name];
  if (bytes === undefined) return void response.writeHead(404).end('Entry not found');
  const hasNoSums = behaviour.silent || behaviour.plainEtags;
  if (path.startsWith('/cdn/')) {
    // Links to large files are signed for GET alone, after the hub itself has given their size and hash.
    if (request.method === 'HEAD' && !hasNoSums) return void response.writeHead(403).end();
    sendLarge(hub, request, bytes, response);
    return;
  }
  if (name === 'model.safetensors') {
    const etag = behaviour.wrongChecksum ? '0'.repeat(64) : sha256(bytes);
    const size = behaviour.tooMuch ? 18 : bytes.length;
    const linked = { 'x-linked-etag': `"${etag}"`, 'x-linked-size': size };
    const location = `${behaviour.elsewhere ?? ''}/cdn/${name}`;
    return void response
      .writeHead(302, { location, 'x-repo-commit': COMMIT, ...(hasNoSums ? {} : linked) })
      .end();
  }
  const etag = behaviour.plainEtags ? 'W/"v1"' : `"${gitBlob(bytes)}"`;
  response.writeHead(200, {
    ...(behaviour.silent ? {} : { etag, 'content-length': bytes.length }),
    'x-repo-commit': COMMIT,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function sendLarge(
  { behaviour }: Hub,
  { method, headers }: IncomingMessage,
  bytes: Uint8Array,
  response: ServerResponse,
): void {
  const etag = `"content-${sha256(bytes).slice(0, 8)}"`;
  const isSame = headers['if-range'] === etag || behaviour.ignoreIfRange;
  const from =
    headers.range === undefined || behaviour.ignoreRange || !isSame
      ? 0
      : Number(/^bytes=(\d+)-$/.exec(headers.range)?.[1]);
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    ...(behaviour.silent ? {} : { etag, 'content-length': rest.length }),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  if (method === 'HEAD') return void response.end();
  const { stallAfter, breakWhen } = behaviour;
  if (stallAfter === undefined) return void response.end(rest);
  response.write(rest.subarray(0, stallAfter));
  if (breakWhen === undefined) return;
  Object.assign(behaviour, { stallAfter: undefined, breakWhen: undefined });
  const timer = setInterval(() => {
    if (!breakWhen()) return;
    clearInterval(timer);
    response.destroy();
  }, 5);
}
