/** Requests and answers of servers that rerank over HTTP. */
import * as z from 'zod';
import type { Endpoint, Refusal } from '../../json-service/index.js';
import type { Ranked } from '../../model-calls/index.js';

export const DIALECTS = ['v1', 'tei'] as const;

/** `v1`: `POST /v1/rerank`, as Jina, Cohere, vLLM and llama.cpp answer it. `tei`: Text Embeddings Inference. */
export type RerankDialect = (typeof DIALECTS)[number];

interface Asked {
  readonly model: string | undefined;
  readonly query: string;
  readonly texts: readonly string[];
}

interface Answered {
  readonly ranked: readonly Ranked[];
  readonly tokens?: number | undefined;
}

export interface Dialect {
  readonly path: string;
  /** The largest number of texts in one request, unless the user gives another. */
  readonly batchSize: number;
  body(asked: Asked): object;
  read(answer: unknown, endpoint: Endpoint): Answered;
  /** The endpoint that names the model. */
  readonly names: { readonly path: string; read(answer: unknown, endpoint: Endpoint): readonly Named[] };
}

/** A model that the server reports. */
export interface Named {
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

const models = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      root: z.string().nullish(),
      meta: z.object({ n_params: z.number().nullish(), size: z.number().nullish() }).nullish(),
    }),
  ),
});
const info = z.object({ model_id: z.string().min(1), model_sha: z.string().nullish() });

/** llama.cpp reports this score where the model gave none. */
const NO_SCORE = -1e6;

export const DIALECT: Readonly<Record<RerankDialect, Dialect>> = {
  v1: {
    path: 'v1/rerank',
    batchSize: 64,
    body: ({ model, query, texts }) => ({
      ...(model === undefined ? {} : { model }),
      query,
      documents: texts,
      top_n: texts.length,
    }),
    read(answer, endpoint) {
      const { results: entries, usage } = endpoint.read(results, answer);
      const ranked = entries.map(({ index, relevance_score: score }) => ({
        index,
        score: score === NO_SCORE ? null : score,
      }));
      return { ranked, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? undefined };
    },
    names: {
      path: 'v1/models',
      read: (answer, endpoint) =>
        endpoint.read(models, answer).data.map(
          ({ id, root, meta }): Named =>
            // llama.cpp names the model by its file.
            meta
              ? { id, name: id.split(/[/\\]/).at(-1), weights: `${meta.n_params ?? '?'}:${meta.size ?? '?'}` }
              : { id, weights: root },
        ),
    },
  },
  tei: {
    path: 'rerank',
    // The server's own default of --max-client-batch-size.
    batchSize: 32,
    body: ({ query, texts }) => ({ query, texts, raw_scores: false, return_text: false, truncate: true }),
    read: (answer, endpoint) => ({ ranked: endpoint.read(ofTei, answer) }),
    names: {
      path: 'info',
      read(answer, endpoint) {
        const { model_id: id, model_sha: weights } = endpoint.read(info, answer);
        return [{ id, weights }];
      },
    },
  },
};

const TOO_LONG =
  /too (long|large|many tokens)|longer than|larger than|must have less than|(context|sequence|model)[ _](length|size|window)|max\w{0,30}[ _](\w{1,30}[ _])?(tokens?|length|context)|token limit|exceed/i;

/**
 * Whether the service refused a text because of its length. llama.cpp answers 500 to a text that is longer than its
 * physical batch.
 */
export const isTooLong = ({ status, message }: Refusal): boolean =>
  status === 413 || ([400, 422, 500].includes(status) && TOO_LONG.test(message));
