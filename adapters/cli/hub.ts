/**
 * Requests files from a model hub: `ENDPOINT/OWNER/MODEL/resolve/REVISION/FILE`, as the Hugging Face Hub serves
 * them. The hub redirects large files to another host. Their ETag and size are in the first answer (`x-linked-etag`,
 * `x-linked-size`), because that host may not send them.
 */
import { messageOf, within } from '../../src/internal.js';
import { UsageError } from './errors.js';
import { isPrivate, onlyPublic } from './private-network.js';

export interface Hub {
  endpoint: URL;
  /** Sent to the endpoint's origin, and nowhere else. */
  token: string | undefined;
  signal: AbortSignal;
}

/** Metadata of a file, known before the download. */
export interface RemoteFile {
  /** Without quotes. Usually a SHA-256, or the SHA-1 of a git blob. */
  etag: string | undefined;
  /** In bytes. */
  size: number | undefined;
  /** Commit of the repository that the branch points to. */
  commit: string | undefined;
}

const MOST_REDIRECTS = 10;

/** The longest wait for an answer of the hub, or for the next bytes of a file, in milliseconds. */
export const MOST_SILENCE = 30_000;

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

/** @returns the whole file (200) or, if `headers` request a range, a part (206) or the reply that there is none (416). */
export async function fetchFile(hub: Hub, url: URL, headers: Record<string, string>): Promise<Response> {
  const answer = (await send(hub, 'GET', url, headers)).at(-1) as Response;
  if (answer.ok || (answer.status === 416 && 'range' in headers)) return answer;
  await answer.body?.cancel();
  throw refusal(answer, url);
}

/**
 * All answers, redirects first. Redirects are followed by hand: for their headers, to keep the token from other hosts,
 * and because a link to another host may be signed for GET only. HEAD stops there.
 */
async function send(
  hub: Hub,
  method: 'HEAD' | 'GET',
  from: URL,
  headers: Record<string, string>,
): Promise<Response[]> {
  const answers: Response[] = [];
  let url = from;
  let connection: object = {};
  for (;;) {
    const atHome = url.origin === hub.endpoint.origin;
    if (!atHome && method === 'HEAD') return answers;
    const authorization = atHome && hub.token !== undefined ? { authorization: `Bearer ${hub.token}` } : {};
    const answer = await reach(hub, url, {
      method,
      // Compression would change the announced length and the ranges.
      headers: { 'accept-encoding': 'identity', ...headers, ...authorization },
      redirect: 'manual',
      ...connection,
    });
    answers.push(answer);
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    const isTold = method === 'HEAD' && answer.headers.has('x-linked-etag');
    if (location === null || isTold) return answers;
    await answer.body?.cancel();
    if (answers.length > MOST_REDIRECTS)
      throw new Error(
        `${from.host} redirects more than ${MOST_REDIRECTS} times. Check the address with --endpoint.`,
      );
    const there = new URL(location, url);
    // Errors of fetch would show them.
    Object.assign(there, { username: '', password: '' });
    connection = (await checkRedirect(hub, there)) ? onlyPublic() : {};
    url = there;
  }
}

/**
 * A public hub must not redirect into the network in which this program runs.
 *
 * @returns whether the connection has to be checked as well.
 */
async function checkRedirect({ endpoint }: Hub, url: URL): Promise<boolean> {
  if (url.origin === endpoint.origin || (await isPrivate(endpoint))) return false;
  if (!(await isPrivate(url))) return true;
  throw new Error(
    `${endpoint.host} redirects to ${url.host}, an address in the local network. If that is intended, name a hub in the local network with --endpoint.`,
  );
}

async function reach({ signal: caller }: Hub, url: URL, request: RequestInit): Promise<Response> {
  try {
    return await within(MOST_SILENCE, caller, (signal) => fetch(url, { ...request, signal }));
  } catch (cause) {
    caller.throwIfAborted();
    // The error of fetch only says that it failed; its cause has the reason.
    const reason = messageOf((cause as Error).cause ?? cause);
    throw new Error(`Cannot reach ${url.host}: ${reason}. Check the network and --endpoint.`, { cause });
  }
}

function refusal({ status }: Response, url: URL): Error {
  if (status === 401 || status === 403) {
    return new UsageError(
      `${url.host} denies access to ${url.pathname} (${status}). Check the spelling of OWNER/MODEL; ` +
        'if the model is private or requires consent, set HF_TOKEN to a token with read access.',
    );
  }
  if (status === 404) {
    return new UsageError(
      `${url.host} has no ${url.pathname} (404). Check the spelling of OWNER/MODEL and --revision; ` +
        'models in model2vec format have config.json, tokenizer.json and model.safetensors.',
    );
  }
  return new Error(`${url.host} answered ${url.pathname} with ${status}. Try again later.`);
}
