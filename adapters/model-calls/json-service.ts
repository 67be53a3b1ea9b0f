/** JSON over HTTP: a time limit for each attempt, retries with growing pauses, errors with a remedy. */
import * as z from 'zod/mini';
import type { ContextShapingError } from '../../src/index.js';
import { connectionProblem, messageOf, parseJson, withDeadline } from '../../src/internal.js';
import { Endpoint, excerpt, messageIn, type Refusal, Refused } from './answers.js';
import { invalidOption, serviceError } from './errors.js';
import {
  type Attempt,
  LONGEST_PAUSE_MILLISECONDS,
  maySucceedLater,
  pauseAfter,
  timeoutMs,
  withRetries,
} from './retries.js';

/** The options of every provider over HTTP. */
export const httpOptions = {
  headers: z._default(z.record(z.string(), z.string()), {}),
  apiKey: z.optional(z.string().check(z.minLength(1))),
  timeoutMs: z._default(timeoutMs(), 120_000),
  maxRetries: z._default(z.int().check(z.minimum(0)), 2),
  maxConcurrency: z._default(z.int().check(z.minimum(1)), 4),
};

export interface HttpOptions {
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Sent as a bearer token, only to the given address. */
  apiKey?: string | undefined;
  /** Longest wait for one attempt, in whole milliseconds; Node itself waits at most 300,000. Default 120,000. */
  timeoutMs?: number | undefined;
  /** How often a request that may succeed later is repeated. Default 2. */
  maxRetries?: number | undefined;
  /** The largest number of requests under way at once, within one call. Default 4. */
  maxConcurrency?: number | undefined;
}

interface ServiceOptions {
  baseUrl: string;
  headers: Record<string, string>;
  apiKey?: string | undefined;
  timeoutMs: number;
  maxRetries: number;
}

const MORE_TIME =
  'Raise `timeoutMs`, or send less in one request: lower `batchSize` where that option exists.';

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Give the key that the server expects in apiKey or headers.',
  403: 'Give a key with permission for this in apiKey or headers.',
  404: 'Check the address: the server there does not know this path.',
};

/** One request, as all its attempts send it. */
interface Request {
  method: string;
  path: string;
  body?: string;
  signal: AbortSignal | undefined;
  isFinal: (refusal: Refusal) => boolean;
}

export class JsonService {
  /** The number of requests that were sent. Each attempt counts. */
  requests = 0;
  readonly #base: URL;
  readonly #headers: Headers;
  readonly #secrets: readonly string[];

  /** @throws ContextShapingError `invalid-options`, if `baseUrl` is not an address or a header cannot be sent. */
  constructor(readonly options: ServiceOptions) {
    this.#base = addressOf(options.baseUrl);
    this.#headers = headersOf(options.headers, options.apiKey);
    this.#secrets = secretsOf(this.#headers);
  }

  /** The same service with its own count of requests, so that concurrent calls have separate counts. */
  counted(): JsonService {
    return new JsonService(this.options);
  }

  get(path: string, signal?: AbortSignal): Promise<unknown> {
    return this.#send({ method: 'GET', path, signal, isFinal: neverFinal });
  }

  /**
   * @param body single halves of surrogate pairs in its texts are sent as U+FFFD: many servers refuse them.
   * @param isFinal returns true for a refusal that a retry cannot change, no matter which status it has.
   */
  post(
    path: string,
    body: object,
    signal?: AbortSignal,
    isFinal: (refusal: Refusal) => boolean = neverFinal,
  ): Promise<unknown> {
    return this.#send({ method: 'POST', path, body: JSON.stringify(body, wellFormed), signal, isFinal });
  }

  /** @param remedy what the user can do if an answer of this endpoint is not as documented. */
  endpoint(method: string, path: string, remedy: string): Endpoint {
    return new Endpoint(this.#nameOf(method, path), remedy);
  }

  /** As errors name it: `POST http://127.0.0.1:8080/completion`. */
  #nameOf(method: string, path: string): string {
    const { origin, pathname } = this.#urlOf(path);
    return `${method} ${origin}${pathname}`;
  }

  #urlOf(path: string): URL {
    return new URL(path.replace(/^\//, ''), this.#base);
  }

  /**
   * @throws ContextShapingError `service`; {@link refusalOf} gives the refusal, if the server answered.
   * @throws the signal's reason, when aborted.
   */
  async #send(request: Request): Promise<unknown> {
    const { maxRetries } = this.options;
    const last = await withRetries<unknown, ContextShapingError>(maxRetries, request.signal, (count) =>
      this.#attempt(request, count),
    );
    if ('result' in last) return last.result;
    throw last.failure;
  }

  async #attempt(request: Request, count: number): Promise<Attempt<unknown, ContextShapingError>> {
    const { method, path, body, signal, isFinal } = request;
    signal?.throwIfAborted();
    const { timeoutMs, maxRetries } = this.options;
    const { signal: stop, isLate, clear } = withDeadline(signal, timeoutMs);
    const headers = new Headers(this.#headers);
    if (body !== undefined) headers.set('content-type', 'application/json');
    let response: Response | undefined;
    let text: string;
    const failed = (is: string, value: string, cause: unknown, again: boolean, remedy?: string) => {
      const failure = this.#error(request, is, value, cause, remedy);
      const wait = pauseAfter(count, response?.headers.get('retry-after') ?? null);
      if (!again || count >= maxRetries || wait <= LONGEST_PAUSE_MILLISECONDS) {
        return { failure, again, pauseMilliseconds: wait };
      }
      const later = `Try again in ${Math.ceil(wait / 1000)} s, as the service asks. Calls do not wait that long.`;
      return { failure: this.#error(request, is, value, cause, later), again: false };
    };
    this.requests++;
    try {
      response = await fetch(this.#urlOf(path), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // The key goes only to the given address.
        redirect: 'manual',
        signal: stop ?? null,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      if (isLate())
        return failed('gives no answer in time', `nothing within ${timeoutMs} ms`, cause, true, MORE_TIME);
      const problem = connectionProblem(cause);
      if (problem !== undefined) {
        const remedy = `Start the server at ${this.#base.origin}, or correct the address.`;
        return failed('cannot be reached', problem, cause, false, remedy);
      }
      const is = response === undefined ? 'cannot be reached' : 'breaks off in the middle of its answer';
      return failed(is, reasonOf(cause), cause, true);
    } finally {
      clear();
    }
    if (response.ok) {
      const result = parseJson(text);
      return result !== undefined
        ? { result }
        : failed('sends an answer that is not JSON', text, undefined, false);
    }
    const { status, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      const remedy =
        'If you trust the address that it redirects to, give that one: keys are not sent to other addresses.';
      return failed('redirects to another address', String(status), undefined, false, remedy);
    }
    const safe = without(this.#secrets, text);
    const said = parseJson(safe) ?? safe;
    const refusal: Refusal = { status, body: said, message: messageIn(said) || safe };
    const again = maySucceedLater(status) && !isFinal(refusal);
    const value = `${status} ${refusal.message}`;
    return failed('refuses the request', value, new Refused(refusal), again, REMEDIES[status]);
  }

  #error({ method, path }: Request, is: string, value: string, cause: unknown, remedy?: string) {
    return serviceError(
      this.#nameOf(method, path),
      excerpt(without(this.#secrets, value)),
      is,
      remedy ?? 'Check that the server runs and that the address is right, and read its log.',
      cause,
    );
  }
}

const neverFinal = () => false;

const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

const wellFormed = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replace(/\p{Cs}/gu, '\uFFFD') : value;

/** The reason behind "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return messageOf(cause ?? error) || String((cause as NodeJS.ErrnoException | undefined)?.code ?? error);
}

/**
 * The base address of all paths. A `/v1` at its end is removed, because it is part of the paths.
 *
 * @throws ContextShapingError `invalid-options`, if it is not an address, or has a password or a query.
 */
export function addressOf(baseUrl: string): URL {
  const given = baseUrl.trim();
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!/^https?:$/.test(url?.protocol ?? '') || /[?#]|^https?:..[^/]*@/i.test(given)) {
    const shown = given.replace(/^.*@/s, '…@').replace(/[?#].*$/s, '');
    const is = 'must be an http or https address without a user name, a password or a query';
    const remedy = 'Give the address of the server, such as http://127.0.0.1:8080, and a key in `apiKey`.';
    throw invalidOption('baseUrl', shown, is, remedy);
  }
  const address = url as URL;
  address.pathname = address.pathname.replace(/(?:\/v1)?(?:(?<!\/)\/+)?$/, '/');
  return address;
}

/**
 * All headers of a request. A given `authorization` header replaces `apiKey`.
 *
 * @throws ContextShapingError `invalid-options`, if one cannot be sent.
 */
function headersOf(given: Readonly<Record<string, string>>, apiKey: string | undefined): Headers {
  const headers = new Headers();
  const set = (field: string, name: string, value: string) => {
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform quotes the value, which may be secret.
      const remedy = 'Give a value without line breaks and without characters outside Latin-1.';
      throw invalidOption(field, '…', 'cannot be sent as a header', remedy);
    }
  };
  if (apiKey !== undefined) set('apiKey', 'authorization', `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(given)) set(`headers.${name}`, name, value);
  return headers;
}

/** Shorter values are placeholders such as `none`, and may be parts of words. */
const SHORTEST_SECRET = 8;

/** The values of headers, without the name of their scheme. They are removed where an error of the service repeats them. */
const secretsOf = (headers: Headers): string[] =>
  Array.from(headers, ([, value]) => value.replace(/^(Bearer|Basic|Token|Api-?Key) /i, '')).filter(
    ({ length }) => length >= SHORTEST_SECRET,
  );
