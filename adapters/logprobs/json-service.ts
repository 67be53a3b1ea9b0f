/** JSON over HTTP: a time limit for each attempt, retries with growing pauses, errors that say what to do. */
import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { type ErrorText, messageOf, withDeadline } from '../../src/internal.js';
import {
  LONGEST_PAUSE_MILLISECONDS,
  mayBeReachedLater,
  maySucceedLater,
  pause,
  pauseAfter,
  wasTooLate,
} from '../asking/index.js';
import { TooLarge, textOfBody } from './body-text.js';
import { addressOf, headersOf, secretsOf, timeoutMs } from './http-options.js';
import { excerpt, messageIn, parse, type Refusal, Refused } from './refusals.js';

export { messageIn, type Refusal, refusalOf } from './refusals.js';

/** What every provider over HTTP takes. */
export const httpOptions = {
  headers: z.record(z.string(), z.string()).default({}),
  apiKey: z.string().min(1).optional(),
  timeoutMs: timeoutMs.default(120_000),
  maxRetries: z.int().min(0).default(2),
  maxConcurrency: z.int().min(1).default(4),
};

export interface HttpOptions {
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Sent as a bearer token to that address alone. */
  apiKey?: string | undefined;
  /** Longest wait for one attempt, in whole milliseconds; Node itself waits at most 300,000. Default 120,000. */
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

interface Failure {
  error: ContextShapingError;
  again: boolean;
  retryAfter: string | null;
}

const MORE_TIME =
  'Give it more time with `timeoutMs`, or less in one request: a smaller `batchSize`, where there is that option.';

const keyFields = (name: (field: string) => string) =>
  [...new Set(['apiKey', 'headers'].map(name))].join(' or ');

const REMEDIES: Readonly<Record<number, ErrorText>> = {
  401: (name) => `Give the key that the server expects in ${keyFields(name)}.`,
  403: (name) => `Give a key with permission for this in ${keyFields(name)}.`,
  404: 'Check the address: the server that answers there does not know this path.',
};

export class JsonService {
  /** Requests that were sent, each attempt counted. */
  requests = 0;
  readonly #base: URL;
  readonly #headers: Headers;
  readonly #secrets: ReturnType<typeof secretsOf>;

  /** @throws ContextShapingError `invalid-options`, if `baseUrl` is no address or a header cannot be sent. */
  constructor(readonly options: ServiceOptions) {
    this.#base = addressOf(options.baseUrl);
    this.#headers = headersOf(options.headers, options.apiKey);
    this.#secrets = secretsOf(this.#headers);
  }

  /**
   * A service of the same address with a count of its own: one for each call, so that calls at once are told
   * apart.
   */
  counted(): JsonService {
    return new JsonService(this.options);
  }

  get(path: string, signal?: AbortSignal): Promise<unknown> {
    return this.#send('GET', path, undefined, signal, neverFinal);
  }

  /**
   * @param body halves of surrogate pairs in it are sent as U+FFFD.
   * @param isFinal says of an answer that is no success that it will not change, whatever its status.
   */
  post(
    path: string,
    body: object,
    signal?: AbortSignal,
    isFinal: (refusal: Refusal) => boolean = neverFinal,
  ): Promise<unknown> {
    return this.#send('POST', path, wellFormed(JSON.stringify(body)), signal, isFinal);
  }

  /** How errors name what was asked: `POST http://127.0.0.1:8080/completion`. */
  nameOf(method: string, path: string): string {
    const { origin, pathname } = this.#urlOf(path);
    return `${method} ${origin}${pathname}`;
  }

  #urlOf(path: string): URL {
    return new URL(path.replace(/^\//, ''), this.#base);
  }

  /**
   * @throws ContextShapingError `service`; {@link refusalOf} tells what was answered, if anything was.
   * @throws the signal's reason, when aborted.
   */
  async #send(
    method: string,
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
    isFinal: (refusal: Refusal) => boolean,
  ): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(method, path, body, signal, isFinal);
      if ('answer' in outcome) return outcome.answer;
      if (!outcome.again || attempt >= this.options.maxRetries) throw outcome.error;
      const wait = pauseAfter(attempt, outcome.retryAfter);
      if (wait > LONGEST_PAUSE_MILLISECONDS) throw this.#toldToWait(outcome.error, wait);
      await pause(wait, signal);
    }
  }

  async #attempt(
    method: string,
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
    isFinal: (refusal: Refusal) => boolean,
  ): Promise<{ answer: unknown } | Failure> {
    signal?.throwIfAborted();
    const { timeoutMs } = this.options;
    const { signal: stop, isLate, clear } = withDeadline(signal, timeoutMs);
    const headers = new Headers(this.#headers);
    if (body !== undefined) headers.set('content-type', 'application/json');
    let response: Response | undefined;
    let text: string;
    const failed = (
      is: string,
      value: string,
      cause: unknown,
      again: boolean,
      remedy?: ErrorText,
    ): Failure => ({
      error: this.#error(method, path, is, value, cause, remedy),
      again,
      retryAfter: response?.headers.get('retry-after') ?? null,
    });
    this.requests++;
    try {
      response = await fetch(this.#urlOf(path), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // A key goes to the address that was given, and to no other.
        redirect: 'manual',
        signal: stop ?? null,
      });
      text = await textOfBody(response.body);
    } catch (cause) {
      signal?.throwIfAborted();
      if (isLate() || wasTooLate(cause)) {
        const value = isLate() ? `nothing within ${timeoutMs} ms` : reasonOf(cause);
        return failed('gives no answer in time', value, cause, true, MORE_TIME);
      }
      if (cause instanceof TooLarge) {
        const remedy = 'Ask for less at once, or for fewer alternatives with `topLogprobs`.';
        return failed('answers with more than can be read', cause.message, cause, false, remedy);
      }
      const is = response === undefined ? 'cannot be reached' : 'breaks off in the middle of its answer';
      return failed(is, reasonOf(cause), cause, mayBeReachedLater(cause));
    } finally {
      clear();
    }
    if (response.ok) {
      const { isJson, value } = parse(without(this.#secrets.inAnswers, text));
      if (isJson) return { answer: value };
      return failed('answers with something that is no JSON', text, undefined, false);
    }
    const { status, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      const remedy = 'Give the address that it sends to, if you trust it: keys are not sent on.';
      return failed('sends to another address', String(status), undefined, false, remedy);
    }
    const safe = without(this.#secrets.inErrors, text);
    const said = parse(safe).value;
    const refusal: Refusal = { status, body: said, message: messageIn(said) || safe };
    const again = maySucceedLater(status) && !isFinal(refusal);
    return failed('refuses', `${status} ${refusal.message}`, new Refused(refusal), again, REMEDIES[status]);
  }

  #error(method: string, path: string, is: string, value: string, cause: unknown, remedy?: ErrorText) {
    return new ContextShapingError('service', {
      field: this.nameOf(method, path),
      value: excerpt(without(this.#secrets.inErrors, value)),
      is,
      remedy: remedy ?? 'Check that the server runs, that the address is right, and what its log says.',
      cause,
    });
  }

  #toldToWait({ field, value, problem, cause }: ContextShapingError, milliseconds: number) {
    const remedy = `Try again in ${Math.ceil(milliseconds / 1000)} s, as it asks: no call waits for so long.`;
    return new ContextShapingError('service', { field, value, is: problem, remedy, cause });
  }
}

const neverFinal = () => false;

const without = (secrets: readonly RegExp[], text: string): string =>
  secrets.reduce((rest, secret) => rest.replace(secret, '…'), text);

/** Of an answer that is JSON but not of the form that is documented. An error does not keep the whole of it. */
export function wrongShape(
  field: string,
  value: unknown,
  is: string,
  remedy: string,
  cause?: unknown,
): ContextShapingError {
  return new ContextShapingError('service', { field, value: brief(value), is, remedy, cause });
}

const MOST_CHARACTERS_OF_A_VALUE = 80;

function brief(value: unknown): unknown {
  const short = (text: string) => text.slice(0, MOST_CHARACTERS_OF_A_VALUE);
  if (typeof value === 'string') return short(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return `array of ${value.length}`;
  return short(`object of ${Object.keys(value).join(', ') || 'nothing'}`);
}

/** JSON escapes half a pair, which many a server refuses; an escaped backslash before `u` is none. */
const wellFormed = (json: string): string =>
  json.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, backslash?: string) => backslash ?? '\uFFFD');

/** What lies beneath "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return messageOf(cause ?? error) || String((cause as NodeJS.ErrnoException | undefined)?.code ?? error);
}
