import type { Endpoint, JsonService, Refusal } from '../../json-service/index.js';

const REMEDY = 'Give the address of llama.cpp’s own server (llama-server), of 2025 or later.';

/** A llama-server. */
export class LlamaServer {
  constructor(readonly service: JsonService) {}

  get(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    return this.service.get(path, signal);
  }

  post(
    path: string,
    body: object,
    signal: AbortSignal | undefined,
    isFinal?: (refusal: Refusal) => boolean,
  ): Promise<unknown> {
    return this.service.post(path, body, signal, isFinal);
  }

  /** An endpoint; by default the one for completions. */
  endpoint(method = 'POST', path = 'completion'): Endpoint {
    return this.service.endpoint(method, path, REMEDY);
  }
}
