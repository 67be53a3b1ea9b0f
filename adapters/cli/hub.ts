/**
 * Asks a model hub for files: `ENDPOINT/OWNER/MODEL/resolve/REVISION/FILE`, as the Hugging Face Hub serves
 * them. Large files are redirected to another host; the first answer says what they are (`x-linked-etag`,
 * `x-linked-size`), for that host may not.
 */
import { messageOf } from '../../src/internal.js';
import { UsageError } from './errors.js';
import { isPrivate } from './private-network.js';

export interface Hub {
  endpoint: URL;
  /** Sent to the endpoint's origin, and nowhere else. */
  token: string | undefined;
  signal: AbortSignal;
}

/** What the hub says of a file before it is fetched. */
export interface RemoteFile {
  /** Without quotes; a SHA-256 or the SHA-1 of a git blob, on a hub that keeps to the custom. */
  etag: string | undefined;
  /** In bytes. */
  size: number | undefined;
  /** Of the repository: which one a branch stands for. */
  commit: string | undefined;
}

const MOST_REDIRECTS = 10;

export const fileUrl = (hub: Hub, model: string, revision: string, file: string): URL =>
  new URL(`${hub.endpoint.href.replace(/\/$/, '')}/${model}/resolve/${encodeURIComponent(revision)}/${file}`);

export async function describe(hub: Hub, url: URL): Promise<RemoteFile> {
  const answers = await send(hub, 'HEAD', url, {});
  const last = answers.at(-1) as Response;
  if (last.status >= 400) throw refusal(last, url);
  const first = (name: string) =>
    answers.map(({ headers }) => headers.get(name)).find((value) => value !== null) ?? undefined;
  const size = first('x-linked-size') ?? (last.ok ? last.headers.get('content-length') : undefined);
  const etag = first('x-linked-etag') ?? (last.ok ? last.headers.get('etag') : undefined);
  return {
    etag: etag?.replace(/^W\//, '').replaceAll('"', ''),
    size: size && /^\d{1,15}$/.test(size) ? Number(size) : undefined,
    commit: first('x-repo-commit'),
  };
}

/** @returns the file, in whole (200) or, if `headers` ask for one, a part (206), or that there is none (416). */
export async function fetchFile(hub: Hub, url: URL, headers: Record<string, string>): Promise<Response> {
  const answer = (await send(hub, 'GET', url, headers)).at(-1) as Response;
  if (answer.ok || (answer.status === 416 && 'range' in headers)) return answer;
  await answer.body?.cancel();
  throw refusal(answer, url);
}

/**
 * All answers on the way, redirects first. Followed by hand: for their headers, to keep the token from other
 * hosts, and because a link to a file elsewhere may be signed for GET alone, so that HEAD ends there.
 */
async function send(
  hub: Hub,
  method: 'HEAD' | 'GET',
  from: URL,
  headers: Record<string, string>,
): Promise<Response[]> {
  const answers: Response[] = [];
  let url = from;
  for (;;) {
    const atHome = url.origin === hub.endpoint.origin;
    if (!atHome && method === 'HEAD') return answers;
    const authorization = atHome && hub.token !== undefined ? { authorization: `Bearer ${hub.token}` } : {};
    const answer = await reach(url, {
      method,
      // Compressed, a file would have other lengths and ranges than those that were announced.
      headers: { 'accept-encoding': 'identity', ...headers, ...authorization },
      redirect: 'manual',
      signal: hub.signal,
    });
    answers.push(answer);
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    const isTold = method === 'HEAD' && answer.headers.has('x-linked-etag');
    if (location === null || isTold) return answers;
    await answer.body?.cancel();
    if (answers.length > MOST_REDIRECTS) throw new Error(`${from.host} redirects without end.`);
    const there = new URL(location, url);
    // What fetch throws of them would show them.
    Object.assign(there, { username: '', password: '' });
    await checkRedirect(hub, there);
    url = there;
  }
}

/** A hub on the net has nothing to look for in the network that this program runs in. */
async function checkRedirect({ endpoint }: Hub, url: URL): Promise<void> {
  if (url.origin === endpoint.origin || !(await isPrivate(url)) || (await isPrivate(endpoint))) return;
  throw new Error(
    `${endpoint.host} redirects to ${url.host}, an address within this network. If that is meant, name a hub within it with --endpoint.`,
  );
}

async function reach(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    request.signal?.throwIfAborted();
    // What fetch throws says only that it failed; the reason is in its cause.
    const reason = messageOf((cause as Error).cause ?? cause);
    throw new Error(`Cannot reach ${url.host}: ${reason}. Check the network and --endpoint.`, { cause });
  }
}

function refusal({ status }: Response, url: URL): Error {
  if (status === 401 || status === 403) {
    return new UsageError(
      `${url.host} does not give out ${url.pathname} (${status}). Check the spelling of OWNER/MODEL; ` +
        'if the model is private or asks for consent, set HF_TOKEN to a token that may read it.',
    );
  }
  if (status === 404) {
    return new UsageError(
      `${url.host} has no ${url.pathname} (404). Check the spelling of OWNER/MODEL and --revision; ` +
        'models of the model2vec format have config.json, tokenizer.json and model.safetensors.',
    );
  }
  return new Error(`${url.host} answered ${url.pathname} with ${status}. Try again later.`);
}
