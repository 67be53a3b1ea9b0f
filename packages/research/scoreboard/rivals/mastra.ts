import { importHost, missingHost, versionOfHost } from '../installed.js';
import type { Rival } from '../rival.js';

interface Message {
  role: 'user';
  content: { type: 'text'; text: string }[];
}

interface Processors {
  TokenLimiterProcessor: new (options: {
    limit: number;
    trimMode: 'best-fit' | 'contiguous';
  }) => { processLLMRequest(args: { prompt: Message[] }): Promise<{ prompt: Message[] } | undefined> };
}

interface Options {
  trimMode: 'best-fit' | 'contiguous';
  /** The limit over the budget: it counts by an estimate, and some tokens for each message. */
  share: number;
}

const NAME = '@mastra/core';

/** Each chunk is a message. Only age decides, so the best chunk is the newest. */
export default {
  name: 'Mastra',
  package: NAME,
  version: versionOfHost(NAME),
  missing: missingHost(NAME),
  settings: {
    'best fit': { trimMode: 'best-fit', share: 1 },
    contiguous: { trimMode: 'contiguous', share: 1 },
    'best fit, limit of 1.25 budgets': { trimMode: 'best-fit', share: 1.25 },
    'best fit, limit of 1.5 budgets': { trimMode: 'best-fit', share: 1.5 },
  },
  async select({ chunks }, maxTokens, { trimMode, share }: Options) {
    const { TokenLimiterProcessor } = await importHost<Processors>(NAME, 'dist/processors/index.js');
    const prompt = chunks
      .toReversed()
      .map(({ text }): Message => ({ role: 'user', content: [{ type: 'text', text }] }));
    const limiter = new TokenLimiterProcessor({ limit: Math.ceil(maxTokens * share), trimMode });
    // Undefined: everything fits.
    const kept = (await limiter.processLLMRequest({ prompt }).catch(nothingFits)) ?? { prompt };
    const texts = new Set(kept.prompt.flatMap(({ content }) => content.map(({ text }) => text)));
    return chunks.filter(({ text }) => texts.has(text));
  },
} satisfies Rival<Options>;

/** It refuses a request of which no message fits. */
function nothingFits(error: Error): { prompt: Message[] } {
  if (!/token|limit/i.test(error.message)) throw error;
  return { prompt: [] };
}
