/** Rerankers on a server: Jina's endpoint, which many servers have, and that of Text Embeddings Inference. */
import * as z from 'zod';
import type { Reranker } from '../../src/index.js';
import { defined, parseOptions } from '../../src/internal.js';
import {
  batchesOf,
  type Endpoint,
  type HttpOptions,
  httpOptions,
  inBatches,
  inOrder,
  JsonService,
  nothingToRank,
  type Ranked,
  type Refusal,
  SCALES,
  type Scale,
  UsageCounter,
} from '../model-calls/index.js';

const DIALECTS = ['v1', 'tei'] as const;

/** `v1`: `POST /v1/rerank`, as Jina, Cohere, vLLM and llama.cpp answer it. `tei`: Text Embeddings Inference. */
export type RerankDialect = (typeof DIALECTS)[number];

const optionsSchema = z.strictObject({
  dialect: z.enum(DIALECTS).default('v1'),
  baseUrl: z.string(),
  model: z.string().min(1),
  scale: z.enum(SCALES).default('probability'),
  batchSize: z.int().min(1).optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  ...httpOptions,
});

export interface HttpRerankerOptions extends HttpOptions {
  /**
   * `v1`: `POST /v1/rerank`, as Jina, Cohere, vLLM and llama.cpp's `llama-server` answer it. `tei`: Text Embeddings
   * Inference. Default `v1`.
   */
  dialect?: RerankDialect | undefined;
  /** The address of the server, without the path of its endpoint. `https` for any server but your own: texts go there. */
  baseUrl: string;
  /** The name of the model at the server. A server with one model ignores it; it names the model in a profile. */
  model: string;
  /**
   * The scale of the scores: probabilities of 0..1, or log-odds in nats. Default `'probability'`. Give `'logit'` for
   * llama.cpp, unless the model's graph ends in a softmax, as that of Qwen3-Reranker does, and for models whose scores
   * are cosines.
   */
  scale?: Scale | undefined;
  /** The largest number of texts in one request. Default 64, or 32 for `tei`. */
  batchSize?: number | undefined;
  /** More fields of each request, as the server documents them: `{ truncate_prompt_tokens: -1 }` of vLLM cuts long texts. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A reranker on a server of your own. All texts are scored: they are sent in batches, a few at the same time, and the scores are put
 * into the order of the texts. If the server refuses a batch, as it does if a text is too long, each text of it is asked
 * for by itself, and only the refused ones have no score. If it refuses all, the call fails.
 *
 * Its identity is the dialect, the host and the model; another scale than the default one and `parameters` follow.
 *
 * @throws ContextShapingError `invalid-options`; when asked `service`, if the server fails, if an answer does not have
 *   the documented form or does not score each text once, or if a score is not in the range of the scale.
 */
export function httpReranker(options: HttpRerankerOptions): Reranker {
  const {
    dialect: name,
    baseUrl,
    model,
    scale,
    batchSize,
    parameters,
    ...http
  } = parseOptions(optionsSchema, options);
  const dialect = DIALECT[name];
  const root = new JsonService({ ...http, baseUrl });
  // A profile must not hold for other scores of the same model.
  const sorted = Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
  const identity = [
    name,
    new URL(baseUrl.trim()).host,
    model,
    ...(scale === 'probability' ? [] : [scale]),
    ...(Object.keys(sorted).length === 0 ? [] : [JSON.stringify(sorted)]),
  ].join(':');

  return {
    specificationVersion: 'v1',
    provider: name,
    modelId: model,

    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return identity;
    },

    async rerank(query, texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return nothingToRank(scale);
      const service = root.counted();
      const remedy = `Check that the server speaks the dialect ${name}.`;
      const endpoint = service.endpoint('POST', dialect.path, remedy);
      const cost = new UsageCounter({ countsCached: false });
      const limits = { atOnce: http.maxConcurrency, signal, isRefused: isTooLarge };
      const batches = batchesOf(texts, batchSize ?? dialect.batchSize);
      const scores = await inBatches<string, number>(batches, limits, async (some, stop) => {
        const body = { ...dialect.body(query, some, model), ...parameters };
        const answer = await service.post(dialect.path, body, stop, isTooLarge);
        const { ranked, tokens } = dialect.read(answer, endpoint);
        cost.add({ tokens });
        return inOrder(ranked, some.length, scale, (value, is, remedy) =>
          endpoint.malformed(value, is, defined({ remedy })),
        );
      });
      return { scores, scale, usage: cost.usage(service.requests) };
    },
  };
}

interface Dialect {
  readonly path: string;
  /** The largest number of texts in one request, unless the user gives another. */
  readonly batchSize: number;
  body(query: string, texts: readonly string[], model: string): object;
  read(answer: unknown, endpoint: Endpoint): { ranked: readonly Ranked[]; tokens?: number | undefined };
}

/** JSON has no NaN: some servers write null. */
const score = z.number().nullable();
const index = z.int().min(0);
const count = z.int().min(0).nullish();
const results = z.object({
  results: z.array(z.object({ index, relevance_score: score })),
  usage: z.object({ total_tokens: count, prompt_tokens: count }).nullish(),
});
const ofTei = z.array(z.object({ index, score }));

/** llama.cpp reports this score where the model gave none. */
const NO_SCORE = -1e6;

const DIALECT: Readonly<Record<RerankDialect, Dialect>> = {
  v1: {
    path: 'v1/rerank',
    batchSize: 64,
    body: (query, texts, model) => ({ model, query, documents: texts, top_n: texts.length }),
    read(answer, endpoint) {
      const { results: entries, usage } = endpoint.read(results, answer);
      const ranked = entries.map(({ index, relevance_score: score }) => ({
        index,
        score: score === NO_SCORE ? null : score,
      }));
      return { ranked, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? undefined };
    },
  },
  tei: {
    path: 'rerank',
    // The server's own default of --max-client-batch-size.
    batchSize: 32,
    body: (query, texts) => ({ query, texts, raw_scores: false, return_text: false, truncate: true }),
    read: (answer, endpoint) => ({ ranked: endpoint.read(ofTei, answer) }),
  },
};

/** llama.cpp answers with 500 to a text that is longer than its physical batch. A retry cannot change that. */
const isTooLarge = ({ status, message }: Refusal): boolean =>
  status === 500 && /too large to process/i.test(message);
