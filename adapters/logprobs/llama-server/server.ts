import type { ContextShapingError } from '../../../src/index.js';
import {
  type Endpoint,
  type JsonService,
  type Refusal,
  refusalOf,
  unknownModel,
} from '../../json-service/index.js';
import { serviceError } from '../../model-calls/index.js';
import { modelsIn } from './answers.js';

const REMEDY = 'Give the address of llama.cpp’s own server (llama-server), of 2025 or later.';

/**
 * A llama-server. One with several models, a router, forwards each request to the model that the request names: in its
 * body or, if it has none, in its address. Other servers ignore the name.
 */
export class LlamaServer {
  constructor(
    readonly service: JsonService,
    readonly model: string | undefined,
  ) {}

  get(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    const query = this.model === undefined ? '' : `?model=${encodeURIComponent(this.model)}`;
    return this.#explained(signal, this.service.get(path + query, signal));
  }

  post(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    isFinal?: (refusal: Refusal) => boolean,
  ): Promise<unknown> {
    const named = this.model === undefined ? body : { model: this.model, ...body };
    return this.#explained(signal, this.service.post(path, named, signal, isFinal));
  }

  /** An endpoint; by default the one for completions. */
  endpoint(method = 'POST', path = 'completion'): Endpoint {
    return this.service.endpoint(method, path, REMEDY);
  }

  /** The error of a router to which a request named no model. */
  async nameMissing(signal: AbortSignal | undefined, cause?: unknown): Promise<ContextShapingError> {
    return serviceError(
      'model',
      undefined,
      'is missing, and the server has several models',
      await this.#choice(signal),
      cause,
    );
  }

  async #explained(signal: AbortSignal | undefined, answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer;
    } catch (error) {
      const { status, message = '' } = refusalOf(error) ?? {};
      if (status === 400 && /model name is missing/i.test(message))
        throw await this.nameMissing(signal, error);
      if (this.model !== undefined && status === 400 && /^model '.*' not found$/is.test(message)) {
        throw unknownModel(this.model, 'the server', await this.#choice(signal), error);
      }
      throw error;
    }
  }

  /** Lists the models of the server. */
  async #choice(signal: AbortSignal | undefined): Promise<string> {
    const answer = await this.service.get('v1/models', signal);
    const names = modelsIn(answer, this.endpoint('GET', 'v1/models')).map(({ id }) => `"${id}"`);
    return names.length === 0
      ? 'Start the server with a folder of models (--models-dir), and name one of them.'
      : `Name one of its models: ${names.join(', ')}.`;
  }
}
