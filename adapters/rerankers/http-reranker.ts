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
  refusalOf,
  SCALES,
  type Scale,
  UsageCounter,
  unknownModel,
} from '../model-calls/index.js';

const DIALECTS = ['v1', 'tei'] as const;

/** `v1`: `POST /v1/rerank`, as Jina, Cohere, vLLM and llama.cpp answer it. `tei`: Text Embeddings Inference. */
export type RerankDialect = (typeof DIALECTS)[number];

const optionsSchema = z.strictObject({
  dialect: z.enum(DIALECTS).default('v1'),
  baseUrl: z.string(),
  model: z.string().min(1).optional(),
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
  /** The name of the model at the server, if it serves several or requires it, as vLLM does. `tei` ignores it. */
  model?: string | undefined;
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
 * `identify` asks the server for its model. It returns the dialect, the host and the model; a source, size or revision of
 * its weights, if the server reports one, replaces the host; a service without a list of models is named by host and
 * `model`. Another scale than the default one and `parameters` follow.
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
  const { host } = new URL(baseUrl.trim());
  const endpointOf = (service: JsonService, method: string, path: string) =>
    service.endpoint(method, path, `Check that the server speaks the dialect ${name}.`);
  // A profile must not hold for other scores of the same model.
  const sorted = Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
  const settings = [
    ...(scale === 'probability' ? [] : [scale]),
    ...(Object.keys(sorted).length === 0 ? [] : [JSON.stringify(sorted)]),
  ];

  return {
    specificationVersion: 'v1',
    provider: name,
    ...defined({ modelId: model }),

    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      let answer: unknown;
      try {
        answer = await root.get(dialect.models, signal);
      } catch (error) {
        // Hosted services need not list their models.
        if (refusalOf(error)?.status !== 404 || model === undefined) throw error;
        return [name, host, model, ...settings].join(':');
      }
      const known = dialect.readModels(answer, endpointOf(root, 'GET', dialect.models));
      const found = model === undefined || name === 'tei' ? known[0] : known.find(({ id }) => id === model);
      if (found === undefined) {
        const all = known.map(({ id }) => id).join(', ');
        throw unknownModel(model ?? '', host, `Give one of these names: ${all}.`);
      }
      // The same weights are the same model behind any address; a name alone is not.
      const { id, name: shown = id, weights } = found;
      return [name, ...(weights ? [shown, weights] : [host, shown]), ...settings].join(':');
    },

    async rerank(query, texts, { signal } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return nothingToRank(scale);
      const service = root.counted();
      const endpoint = endpointOf(service, 'POST', dialect.path);
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
  body(query: string, texts: readonly string[], model: string | undefined): object;
  read(answer: unknown, endpoint: Endpoint): { ranked: readonly Ranked[]; tokens?: number | undefined };
  /** The path of the endpoint that names the model. */
  readonly models: string;
  readModels(answer: unknown, endpoint: Endpoint): readonly Named[];
}

/** A model that the server reports. */
interface Named {
  readonly id: string;
  /** Its name without the folder of its file. Default: `id`. */
  readonly name?: string | undefined;
  /** More about the weights than the name: their source, revision or size. */
  readonly weights?: string | null | undefined;
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
const meta = z.object({ n_params: z.number().nullish(), size: z.number().nullish() }).nullish();
const models = z.object({ data: z.array(z.object({ id: z.string(), root: z.string().nullish(), meta })) });
const info = z.object({ model_id: z.string().min(1), model_sha: z.string().nullish() });

/** llama.cpp reports this score where the model gave none. */
const NO_SCORE = -1e6;

const DIALECT: Readonly<Record<RerankDialect, Dialect>> = {
  v1: {
    path: 'v1/rerank',
    batchSize: 64,
    body: (query, texts, model) => ({ ...defined({ model }), query, documents: texts, top_n: texts.length }),
    read(answer, endpoint) {
      const { results: entries, usage } = endpoint.read(results, answer);
      const ranked = entries.map(({ index, relevance_score: score }) => ({
        index,
        score: score === NO_SCORE ? null : score,
      }));
      return { ranked, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? undefined };
    },
    models: 'v1/models',
    readModels: (answer, endpoint) =>
      endpoint.read(models, answer).data.map(
        ({ id, root, meta }): Named =>
          // llama.cpp names the model by its file.
          meta
            ? { id, name: id.split(/[/\\]/).at(-1), weights: `${meta.n_params ?? '?'}:${meta.size ?? '?'}` }
            : { id, weights: root },
      ),
  },
  tei: {
    path: 'rerank',
    // The server's own default of --max-client-batch-size.
    batchSize: 32,
    body: (query, texts) => ({ query, texts, raw_scores: false, return_text: false, truncate: true }),
    read: (answer, endpoint) => ({ ranked: endpoint.read(ofTei, answer) }),
    models: 'info',
    readModels(answer, endpoint) {
      const { model_id: id, model_sha: weights } = endpoint.read(info, answer);
      return [{ id, weights }];
    },
  },
};

/** llama.cpp answers with 500 to a text that is longer than its physical batch. A retry cannot change that. */
const isTooLarge = ({ status, message }: Refusal): boolean =>
  status === 500 && /too large to process/i.test(message);
