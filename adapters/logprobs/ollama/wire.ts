/** Ways to an Ollama: over HTTP, or through a client that somebody else set up. */
import * as z from 'zod';
import { ContextShapingError } from '../../../src/index.js';
import { messageOf, orAborted, withDeadline } from '../../../src/internal.js';
import { type JsonService, messageIn, refusalOf } from '../json-service.js';

/** What is asked of `POST /api/generate`. */
export interface GenerateBody {
  model: string;
  prompt: string;
  raw: true;
  stream: false;
  truncate: false;
  shift: false;
  logprobs: true;
  top_logprobs: number;
  options: Record<string, unknown>;
}

/** What is needed of a client: that of the package `ollama` has it. */
export interface OllamaClient {
  generate(request: GenerateBody): PromiseLike<unknown>;
  list?(): PromiseLike<unknown>;
}

/** Something that carries such a client, as `ChatOllama` does. */
export interface OllamaClientHolder {
  client: OllamaClient;
}

export interface Wire {
  /** Requests that were sent, each attempt counted. */
  readonly requests: number;
  /** How errors name what is asked. */
  readonly names: { generate: string; list: string };
  generate(body: GenerateBody, signal: AbortSignal): Promise<unknown>;
  /** The models that there are; nothing, if there is no way to ask. */
  list(signal: AbortSignal | undefined): Promise<unknown>;
}

export class HttpWire implements Wire {
  readonly names;

  constructor(readonly service: JsonService) {
    this.names = {
      generate: service.nameOf('POST', 'api/generate'),
      list: service.nameOf('GET', 'api/tags'),
    };
  }

  get requests(): number {
    return this.service.requests;
  }

  generate(body: GenerateBody, signal: AbortSignal): Promise<unknown> {
    return this.service.post('api/generate', body, signal, ({ body }) => isTooLong(messageIn(body)));
  }

  list(signal: AbortSignal | undefined): Promise<unknown> {
    return this.service.get('api/tags', signal);
  }
}

export class ClientWire implements Wire {
  requests = 0;
  readonly names = { generate: 'client.generate()', list: 'client.list()' };

  constructor(
    readonly client: OllamaClient,
    readonly timeoutMs: number,
  ) {}

  generate(body: GenerateBody, signal: AbortSignal): Promise<unknown> {
    return this.#wait('generate', () => this.client.generate(body), signal);
  }

  async list(signal: AbortSignal | undefined): Promise<unknown> {
    const { client } = this;
    return client.list && this.#wait('list', () => client.list?.(), signal);
  }

  /** A client gives no way to end a request: it goes on, and nobody waits for it. */
  async #wait(
    name: keyof Wire['names'],
    send: () => PromiseLike<unknown> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const { signal: stop, isLate, clear } = withDeadline(signal, this.timeoutMs);
    this.requests++;
    try {
      return await orAborted((async () => send())(), stop);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ContextShapingError('service', {
        field: this.names[name],
        value: isLate() ? `no answer within ${this.timeoutMs} ms` : messageOf(cause),
        is: isLate() ? 'gives no answer in time' : 'fails',
        remedy: 'Check that Ollama runs, that the client has its address, and what its log says.',
        cause,
      });
    } finally {
      clear();
    }
  }
}

/** Says Ollama, or the llama.cpp within, that a text is longer than the context of the model? */
export const isTooLong = (message: string): boolean => /context (length|size)|longer than/i.test(message);

/** What Ollama answered, if the error is about an answer that is no success. */
export function ollamaRefusal(error: unknown): { status: number; message: string } | undefined {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return { status: refusal.status, message: within(messageIn(refusal.body)) };
  const cause = (error as { cause?: unknown } | null)?.cause;
  const status = (cause as { status_code?: unknown } | null | undefined)?.status_code;
  return typeof status === 'number' ? { status, message: within(messageOf(cause)) } : undefined;
}

/** The llama.cpp within answers with JSON, which Ollama hands on as the text of its own error. */
function within(message: string): string {
  try {
    return messageIn(JSON.parse(message)) || message;
  } catch {
    return message;
  }
}

const isClient = (value: unknown): value is OllamaClient =>
  typeof (value as { generate?: unknown } | null | undefined)?.generate === 'function';

/** `ChatOllama` has a method `generate` as well, which is another: what is carried comes first. */
const carries = (value: unknown): value is OllamaClientHolder =>
  isClient((value as { client?: unknown } | null | undefined)?.client);

/** A client, or what carries one. */
export const clientSchema = z.custom<OllamaClient | OllamaClientHolder>(
  (value) => carries(value) || isClient(value),
  { error: 'must be a client of Ollama, with a method generate' },
);

export const clientIn = (value: OllamaClient | OllamaClientHolder): OllamaClient =>
  carries(value) ? value.client : value;

/**
 * An address as Ollama itself takes it from `OLLAMA_HOST`: without a scheme that of HTTP and port 11434 are
 * meant, and an address to listen at (`0.0.0.0`) is one to be found at on this machine.
 */
export function ollamaAddress(host: string): string {
  const hasScheme = host.includes('://');
  const bare = host.startsWith(':') ? `127.0.0.1${host}` : host;
  const address = hasScheme ? host : `http://${bare}`;
  if (!URL.canParse(address)) return host;
  const url = new URL(address);
  if (!hasScheme && url.port === '' && !/:80(\/|$)/.test(bare)) url.port = '11434';
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href;
}
