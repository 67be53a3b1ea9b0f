/**
 * The costs of providers: requests by endpoint, tokens and cached tokens for 16 passages. The servers are imitations
 * with the numbers of the small model, and a real `llama-server`.
 */
import { createShaper, type Judge, type LogprobModel } from 'context-shaping';
import { llamaServer, ollamaModel, openAICompatible } from 'context-shaping/logprobs';
import { items, TINY_MODEL, tinyModel } from '../../../test/adapters/logprobs/items.js';
import { llamaServer as imitatedLlamaServer } from '../../../test/adapters/logprobs/servers/llama-server.js';
import { OLLAMA_MODEL, ollamaServer } from '../../../test/adapters/logprobs/servers/ollama.js';
import {
  REAL_LLAMA_SERVER,
  realLlamaServer,
} from '../../../test/adapters/logprobs/servers/real-llama-server.js';
import { type Quirks, VLLM_MODEL, vllmServer } from '../../../test/adapters/logprobs/servers/vllm.js';
import { Llama } from '../../../test/gguf/llama.js';

export interface Cost {
  provider: string;
  method: 'answer' | 'question' | 'judge';
  /** The number of requests to each endpoint. */
  requests: Readonly<Record<string, number>>;
  /** Tokens of all prompts and continuations, and how many came from a cache; absent, if the service does not tell. */
  tokens?: number;
  cachedTokens?: number;
}

interface Served {
  ecs: { model: LogprobModel } | { judge: Judge };
  close(): Promise<void>;
}

/** The question of the first item, with 16 different passages of the first items. */
const { question, answer } = items[0] as (typeof items)[number];
const texts = [...new Set(items.flatMap(({ candidates }) => candidates.map(({ text }) => text)))].slice(
  0,
  16,
);

function onVllm(quirks: Quirks) {
  return async (): Promise<Served> => {
    const { address, close } = await vllmServer(Llama.parse(tinyModel()), { tellsCache: 'last', ...quirks });
    const model = openAICompatible({ baseUrl: address, model: VLLM_MODEL });
    return { ecs: { model }, close };
  };
}

const PROVIDERS: Readonly<Record<string, () => Promise<Served>>> = {
  'llamaServer, imitated': async () => {
    const { address, close } = await imitatedLlamaServer(Llama.parse(tinyModel()));
    // With several slots, the cached tokens depend on which one is free first.
    return { ecs: { model: llamaServer({ baseUrl: address, maxConcurrency: 1 }) }, close };
  },
  'openAICompatible, vLLM imitated': onVllm({}),
  'ollamaModel, imitated': async () => {
    const { address, close } = await ollamaServer(Llama.parse(tinyModel()));
    return { ecs: { model: ollamaModel({ baseUrl: address, model: OLLAMA_MODEL }) }, close };
  },
};

/** Real servers, which are measured too if `isReal`. */
const REAL: typeof PROVIDERS = {
  'llamaServer, real': onRealLlamaServer(false),
  'llamaServer, real, chat template': onRealLlamaServer(true),
};

function onRealLlamaServer(chatTemplate: boolean) {
  return async (): Promise<Served> => {
    const { address, close } = await realLlamaServer('--model', TINY_MODEL, '--ctx-size', '16384');
    return { ecs: { model: llamaServer({ baseUrl: address, chatTemplate }) }, close };
  };
}

/** @param isReal measures the real servers too. Default: if there is one. */
export async function providerCosts(isReal = REAL_LLAMA_SERVER !== undefined): Promise<Cost[]> {
  const real = isReal ? REAL : {};
  const costs: Cost[] = [];
  for (const [provider, serve] of Object.entries({ ...PROVIDERS, ...real })) {
    for (const method of ['answer', 'question', 'judge'] as const) {
      const cost = await costOf(provider, method, serve);
      if (cost !== undefined) costs.push(cost);
    }
  }
  return costs;
}

/** One question on a server without a history; nothing, if the service cannot measure by the method. */
async function costOf(
  provider: string,
  method: Cost['method'],
  serve: () => Promise<Served>,
): Promise<Cost | undefined> {
  const { ecs, close } = await serve();
  const counting = countRequests();
  try {
    if (method !== 'judge' && 'judge' in ecs) return undefined;
    if (method !== 'judge' && 'model' in ecs && ecs.model.scoresGivenText === false) return undefined;
    const shaper = createShaper({
      k: 1,
      exactDedup: false,
      semanticDedup: false,
      ecs: {
        ...ecs,
        trust: 'always',
        rounds: 1,
        withoutAnswer: method === 'judge' ? 'judge' : 'question',
      },
    });
    const chunks = texts.map((text, place) => ({ id: `${place}`, text }));
    const { report } = await shaper.shape({
      query: method === 'answer' ? { text: question, answer } : { text: question },
      chunks,
    });
    const { scored, usage, method: used } = report.ecs ?? {};
    if (scored !== texts.length || used !== method || usage === undefined) {
      throw new Error(`${provider}: ${JSON.stringify(report.degradations)}`);
    }
    const { requests: _, ...tokens } = usage;
    return { provider, method, requests: counting.requests, ...tokens };
  } finally {
    counting.end();
    await close();
  }
}

/** Counts the requests of this process by their path. */
function countRequests() {
  const { fetch } = globalThis;
  const requests: Record<string, number> = {};
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    requests[pathname] = (requests[pathname] ?? 0) + 1;
    return fetch(input, init);
  };
  return {
    requests,
    end: () => {
      globalThis.fetch = fetch;
    },
  };
}

/** The costs as a table in Markdown. */
export function costTable(costs: readonly Cost[]): string {
  const rows = costs.map(({ provider, method, requests, tokens, cachedTokens }) => {
    const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
    // Concurrent requests have no order.
    const sorted = Object.entries(requests).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const paths = sorted.map(([path, count]) => `${count} \`${path}\``);
    const told = (count: number | undefined) => (count === undefined ? 'unknown' : String(count));
    return `| ${[provider, method, total, paths.join(', '), told(tokens), told(cachedTokens)].join(' | ')} |`;
  });
  return [
    '| provider | method | requests | by endpoint | tokens | cached |',
    '|---|---|---:|---|---:|---:|',
    ...rows,
  ].join('\n');
}
