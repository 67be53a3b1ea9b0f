import type { ModelUsage } from '../../src/index.js';
import { defined } from '../../src/internal.js';

/** Adds up the cost of the requests of one call. A sum is unknown as soon as one request does not report its part. */
export class UsageCounter {
  #tokens: number | undefined = 0;
  #cachedTokens: number | undefined;

  /** @param countsCached whether the service reports cached tokens at all. */
  constructor({ countsCached }: { countsCached: boolean }) {
    this.#cachedTokens = countsCached ? 0 : undefined;
  }

  add({ tokens, cachedTokens }: { tokens: number | undefined; cachedTokens?: number | undefined }): void {
    this.#tokens = sum(this.#tokens, tokens);
    this.#cachedTokens = sum(this.#cachedTokens, cachedTokens);
  }

  usage(requests: number): ModelUsage {
    return defined({ requests, tokens: this.#tokens, cachedTokens: this.#cachedTokens });
  }
}

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;
