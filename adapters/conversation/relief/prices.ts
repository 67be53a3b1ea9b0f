import type { TokenPrices } from './types.js';

/**
 * Prices of input by provider, in prices of one input token, as published in November 2026; docs/concepts/prompt-caches.md
 * has the pages. `anthropic`: cache of five minutes, most models. `openai`: GPT-6.2 Sol. `google`: implicit cache of
 * Gemini 2.5 and newer; a write costs what any input costs.
 */
export const PRICES = {
  anthropic: { read: 0.1, write: 1.25, input: 1 },
  openai: { read: 0.05, write: 1.25, input: 1 },
  google: { read: 0.1, write: 1, input: 1 },
} as const satisfies Record<string, TokenPrices>;
