/** JSON over HTTP: a time limit for each attempt, retries with growing pauses, errors that say what to do. */
import * as z from 'zod';
import { ContextShapingError, messageOf } from '../../src/index.js';

/** What every provider over HTTP takes. */
export const httpOptions = {
  headers: z.record(z.string(), z.string()).default({}),
  apiKey: z.string().min(1).optional(),
  timeoutMs: z
    .number()
    .positive()
    .max(2 ** 31 - 1)
    .default(120_000),
  maxRetries: z.int().min(0).default(2),
  maxConcurrency: z.int().min(1).default(4),
};

export interface HttpOptions {
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Sent as a bearer token to that address alone. */
  apiKey?: string | undefined;
  /** Longest wait for one attempt, in milliseconds. Default 120,000. */
  timeoutMs?: number | undefined;
  /** How often a request that may succeed later is tried again. Default 2. */
  maxRetries?: number | undefined;
  /** The most requests under way at once, within one call. Default 4. */
  maxConcurrency?: number | undefined;
}

interface ServiceOptions {
  baseUrl: string;
  headers: Record<string, string>;
  apiKey?: string | undefined;
  timeoutMs: number;
  maxRetries: number;
}

/** What a service answered that is no success. */
export interface Refusal {
  status: number;
  /** As JSON where it is, else as text. */
  body: unknown;
}

const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
const MAY_SUCCEED_LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

export class JsonService {
  /** Requests that were sent, each attempt counted. */
  requests = 0;
  readonly #base: URL;

  /** @throws ContextShapingError `invalid-options`, if `baseUrl` is no address. */
  constructor(readonly options: ServiceOptions) {
    const { baseUrl } = options;
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new ContextShapingError('invalid-options', {
        field: 'baseUrl',
        value: baseUrl,
        is: 'must be an address',
        remedy: 'Give the address of the server, such as http://127.0.0.1:8080.',
      });
    }
    url.pathname = url.pathname.replace(/\/*$/, '/');
    this.#base = url;
  }

  /**
   * A service of the same address with a count of its own: one for each call, so that calls at once are told
   * apart.
   */
  counted(): JsonService {
    return new JsonService(this.options);
  }

  get(path: string, signal?: AbortSignal): Promise<unknown> {
    return this.#send('GET', path, undefined, signal);
  }

  post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    return this.#send('POST', path, JSON.stringify(body), signal);
  }

  /**
   * @throws ContextShapingError `service`; {@link refusalOf} tells what was answered, if anything was.
   * @throws the signal's reason, when aborted.
   */
  async #send(
    method: string,
    path: string,
    body: string | undefined,
    signal?: AbortSignal,
  ): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(method, path, body, signal);
      if ('answer' in outcome) return outcome.answer;
      if (!outcome.again || attempt >= this.options.maxRetries) throw outcome.error;
      await pause(outcome.pause ?? FIRST_PAUSE_MILLISECONDS * 2 ** attempt, signal);
    }
  }

  async #attempt(
    method: string,
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | { error: ContextShapingError; again: boolean; pause?: number }> {
    signal?.throwIfAborted();
    const { timeoutMs, headers, apiKey } = this.options;
    const url = new URL(path.replace(/^\//, ''), this.#base);
    const late = AbortSignal.timeout(timeoutMs);
    this.requests++;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        // A key goes to the address that was given, and to no other.
        redirect: 'error',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const error = late.aborted
        ? this.#failed(method, url, `no answer within ${timeoutMs} ms`, 'gives no answer in time', cause)
        : this.#failed(method, url, reasonOf(cause), 'cannot be reached', cause);
      return { error, again: true };
    }
    const answer = parse(text);
    if (response.ok && answer.isJson) return { answer: answer.value };
    if (response.ok) {
      const error = this.#failed(method, url, text, 'answers with something that is no JSON');
      return { error, again: true };
    }
    const refusal: Refusal = { status: response.status, body: answer.value };
    const error = this.#failed(
      method,
      url,
      `${response.status} ${messageIn(answer.value)}`,
      'refuses',
      new Refused(refusal),
    );
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      error,
      again: MAY_SUCCEED_LATER.has(response.status),
      ...(Number.isFinite(seconds) ? { pause: seconds * 1000 } : {}),
    };
  }

  #failed(method: string, url: URL, value: string, is: string, cause?: unknown): ContextShapingError {
    return new ContextShapingError('service', {
      field: `${method} ${url.origin}${url.pathname}`,
      value,
      is,
      remedy: 'Check that the server runs, that the address is right, and what its log says.',
      cause,
    });
  }
}

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(messageIn(refusal.body));
  }
}

/** What was answered, if the error is about an answer that is no success. */
export function refusalOf(error: unknown): Refusal | undefined {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause instanceof Refused ? cause.refusal : undefined;
}

/** Of an answer that is JSON but not of the form that is documented. */
export function wrongShape(field: string, value: unknown, is: string, remedy: string): ContextShapingError {
  return new ContextShapingError('service', { field, value, is, remedy });
}

/** The message within an error's body: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }`. */
export function messageIn(body: unknown): string {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return '';
  const { error, message, detail } = body as { error?: unknown; message?: unknown; detail?: unknown };
  return [message, detail].find((each) => typeof each === 'string') ?? messageIn(error);
}

function parse(text: string): { isJson: boolean; value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false, value: text };
  }
}

/** What lies beneath "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return messageOf(cause ?? error) || String((cause as NodeJS.ErrnoException | undefined)?.code ?? error);
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(milliseconds, LONGEST_PAUSE_MILLISECONDS),
    );
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
