/** Connections to Ollama: over HTTP, or through a client of the caller. */
import * as z from 'zod';
import { connectionProblem, messageOf, parseJson, within } from '../../../src/internal.js';
import { Endpoint, type JsonService, messageIn, refusalOf } from '../../json-service/index.js';
import { serviceError, unreachable } from '../../model-calls/index.js';

/** The body of `POST /api/generate`. */
export interface GenerateBody {
  model: string;
  prompt: string;
  stream: false;
  think: false;
  keep_alive?: string | number;
  options: Record<string, unknown>;
  raw?: true;
  truncate?: false;
  logprobs?: true;
  top_logprobs?: number;
  /** Returns the rendered template in place of a generated text. */
  _debug_render_only?: true;
}

/** The methods that this package uses of a client of the package `ollama`. */
export interface OllamaClient {
  generate(request: GenerateBody): PromiseLike<unknown>;
  list?(): PromiseLike<unknown>;
  show?(request: { model: string }): PromiseLike<unknown>;
}

/** An object with such a client, such as `ChatOllama`. */
export interface OllamaClientHolder {
  client: OllamaClient;
}

export interface Connection {
  /** The number of requests that were sent. Each attempt counts. */
  readonly requests: number;
  readonly endpoints: { readonly generate: Endpoint; readonly list: Endpoint; readonly show: Endpoint };
  generate(body: GenerateBody, signal: AbortSignal | undefined): Promise<unknown>;
  /** The installed models; undefined, if the client cannot list them. */
  list(signal: AbortSignal | undefined): Promise<unknown>;
  /** The properties of a model; undefined, if the client cannot ask for them. */
  show(model: string, signal: AbortSignal | undefined): Promise<unknown>;
}

const REMEDY = 'Check that the address is that of an Ollama server, and check its version.';

export class HttpConnection implements Connection {
  readonly endpoints;

  constructor(readonly service: JsonService) {
    this.endpoints = {
      generate: service.endpoint('POST', 'api/generate', REMEDY),
      list: service.endpoint('GET', 'api/tags', REMEDY),
      show: service.endpoint('POST', 'api/show', REMEDY),
    };
  }

  get requests(): number {
    return this.service.requests;
  }

  generate(body: GenerateBody, signal: AbortSignal | undefined): Promise<unknown> {
    return this.service.post('api/generate', body, signal, ({ body }) => isTooLong(messageIn(body)));
  }

  list(signal: AbortSignal | undefined): Promise<unknown> {
    return this.service.get('api/tags', signal);
  }

  show(model: string, signal: AbortSignal | undefined): Promise<unknown> {
    return this.service.post('api/show', { model }, signal);
  }
}

export class ClientConnection implements Connection {
  requests = 0;
  readonly endpoints = {
    generate: new Endpoint('client.generate()', REMEDY),
    list: new Endpoint('client.list()', REMEDY),
    show: new Endpoint('client.show()', REMEDY),
  };

  constructor(
    readonly client: OllamaClient,
    readonly timeoutMs: number,
  ) {}

  generate(body: GenerateBody, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#wait('generate', () => this.client.generate(body), signal);
  }

  async list(signal: AbortSignal | undefined): Promise<unknown> {
    const { client } = this;
    return client.list && this.#wait('list', () => client.list?.(), signal);
  }

  async show(model: string, signal: AbortSignal | undefined): Promise<unknown> {
    const { client } = this;
    return client.show && this.#wait('show', () => client.show?.({ model }), signal);
  }

  /** A client cannot cancel a request. After an abort the request goes on, and its answer is dropped. */
  async #wait(
    name: keyof Connection['endpoints'],
    send: () => PromiseLike<unknown> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    this.requests++;
    const late = new Error(`no answer within ${this.timeoutMs} ms`);
    try {
      return await within(
        this.timeoutMs,
        signal,
        async () => send(),
        () => late,
      );
    } catch (cause) {
      signal?.throwIfAborted();
      const problem = connectionProblem(cause);
      if (problem !== undefined) throw unreachable(`ollama ${this.endpoints[name].name}`, problem, cause);
      throw serviceError(
        this.endpoints[name].name,
        messageOf(cause),
        cause === late ? 'gives no answer in time' : 'fails',
        'Check that Ollama runs and that the client has its address, and read its log.',
        cause,
      );
    }
  }
}

/** A message of Ollama, or of its llama.cpp, about a text that is longer than the context of the model. */
export const isTooLong = (message: string): boolean => /context (length|size)|longer than/i.test(message);

/** Ollama's status and message, if the error is about an answer that is not a success. */
export function ollamaRefusal(error: unknown): { status: number; message: string } | undefined {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return { status: refusal.status, message: innerOf(messageIn(refusal.body)) };
  const cause = (error as { cause?: unknown } | null)?.cause;
  const status = (cause as { status_code?: unknown } | null | undefined)?.status_code;
  return typeof status === 'number' ? { status, message: innerOf(messageOf(cause)) } : undefined;
}

/** llama.cpp inside Ollama answers with JSON, which Ollama passes on as the text of its own error. */
const innerOf = (message: string): string => messageIn(parseJson(message)) || message;

const isClient = (value: unknown): value is OllamaClient =>
  typeof (value as { generate?: unknown } | null | undefined)?.generate === 'function';

/** `ChatOllama` has another method named `generate`, so its `client` is looked up first. */
const holdsClient = (value: unknown): value is OllamaClientHolder =>
  isClient((value as { client?: unknown } | null | undefined)?.client);

/** A client, or an object with one. */
export const clientSchema = z.custom<OllamaClient | OllamaClientHolder>(
  (value) => holdsClient(value) || isClient(value),
  { error: 'must be an Ollama client with a method generate' },
);

export const clientIn = (value: OllamaClient | OllamaClientHolder): OllamaClient =>
  holdsClient(value) ? value.client : value;

/**
 * Reads an address the way Ollama reads `OLLAMA_HOST`. Without a scheme, the defaults are HTTP and port 11434. An
 * address for listening (`0.0.0.0`) becomes the address of this machine.
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
