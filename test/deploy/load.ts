/** A mixed load of requests at a number of connections, each of which waits for its answer before it sends the next. */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** The outcome of a request. */
export interface Asked {
  id: string;
  kind: Kind;
  /** Milliseconds since the beginning of the load. */
  began: number;
  milliseconds: number;
  /** The digest of the answer; undefined if there was none, or only a part of it. */
  status?: number;
  /** Why there was no whole answer. */
  failure?: string;
}

/** `malformed`: not JSON, which the service refuses with 400. */
export type Kind = 'shape' | 'optimize' | 'events' | 'malformed';

interface Body {
  kind: Kind;
  path: string;
  content: Buffer;
}

/** Linear congruential, so that every run asks the same. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Paragraphs of the made-up manual of the demo. */
const paragraphs = (): string[] =>
  readdirSync('demo', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .flatMap((file) => readFileSync(join('demo', file), 'utf8').split('\n\n'))
    .filter((text) => text.length > 80);

/** In a hundred requests one is malformed, nine are answered with events, twenty ask as clients of SlimContext do. */
export function bodies(count: number, seed = 7): Body[] {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const texts = paragraphs();
  return Array.from({ length: count }, (_, at) => {
    const kind: Kind =
      at % 100 === 99 ? 'malformed' : at % 11 === 5 ? 'events' : at % 5 === 2 ? 'optimize' : 'shape';
    // The number makes one text of each request new, so that its vector is in no cache.
    const chunks = Array.from({ length: pick([10, 20, 20, 50]) }, (_, id) => ({
      id: String(id),
      text: id === 0 ? `${pick(texts)} Number ${seed}/${at}.` : pick(texts),
      ...(kind === 'optimize' && { embedding: Array.from({ length: 64 }, random), score: random() }),
    }));
    const query = 'How long does it retry a failed delivery?';
    const asked =
      kind === 'optimize'
        ? { query, query_embedding: Array.from({ length: 64 }, random), token_budget: 600, chunks }
        : { query, chunks, options: { budget: { maxTokens: 600 } } };
    const text = JSON.stringify(asked);
    const content = Buffer.from(kind === 'malformed' ? text.slice(0, -9) : text);
    return { kind, path: kind === 'optimize' ? '/v1/optimize' : '/v1/shape', content };
  });
}

/** @param signal ends the load: connections send no more, and wait for their last answers. */
export async function load(
  url: string,
  list: readonly Body[],
  connections: number,
  signal: AbortSignal,
): Promise<Asked[]> {
  const start = performance.now();
  const asked: Asked[] = [];
  const run = async (connection: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = 0; !signal.aborted; at++) {
      const body = list[(connection * 7919 + at) % list.length] as Body;
      const began = performance.now();
      const answer = await send(url, body, `load-${connection}-${at}`, agent);
      asked.push({
        id: `load-${connection}-${at}`,
        kind: body.kind,
        began: began - start,
        milliseconds: performance.now() - began,
        ...answer,
      });
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)));
  return asked;
}

/** By the plain client of Node, which repeats nothing. */
function send(
  url: string,
  { kind, path, content }: Body,
  id: string,
  agent: Agent,
): Promise<{ status?: number; failure?: string }> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': content.length,
      'x-request-id': id,
      ...(kind === 'events' && { accept: 'text/event-stream' }),
    };
    const failed = ({ code, message }: NodeJS.ErrnoException) => resolve({ failure: code ?? message });
    const sent = request(url + path, { method: 'POST', agent, headers }, async (response) => {
      const { statusCode: status = 0 } = response;
      try {
        let text = '';
        for await (const part of response.setEncoding('utf8')) text += part;
        const problem = status === 200 ? wrong(kind, text) : undefined;
        if (response.headers['x-request-id'] !== id) resolve({ failure: 'other id' });
        else resolve(problem === undefined ? { status } : { failure: problem });
      } catch (error) {
        failed(error as NodeJS.ErrnoException);
      }
    });
    sent.on('error', failed).end(content);
  });
}

/** Why an answer is not whole. */
function wrong(kind: Kind, text: string): string | undefined {
  if (kind === 'events')
    return /event: result\ndata: \{"chunks":\[\{.*\}\n\n$/s.test(text) ? undefined : 'stream without result';
  try {
    return JSON.parse(text).chunks?.length > 0 ? undefined : 'no chunks';
  } catch {
    return 'not JSON';
  }
}
