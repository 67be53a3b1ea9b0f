import * as z from 'zod';
import type { Reranker } from '../../../src/index.js';
import { defined, parseOptions } from '../../../src/internal.js';
import {
  type HttpOptions,
  httpOptions,
  inBatches,
  JsonService,
  refusalOf,
  unknownModel,
} from '../../json-service/index.js';
import {
  batchesOf,
  inOrder,
  nothingToRank,
  SCALES,
  type Scale,
  UsageCounter,
} from '../../model-calls/index.js';
import { DIALECT, DIALECTS, isTooLong, type RerankDialect } from './dialects.js';

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
 * into the order of the texts. If the server refuses a batch because a text is too long, each text of it is asked for
 * by itself, and only the refused ones have no score.
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
  const size = batchSize ?? dialect.batchSize;
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
      const { names } = dialect;
      let answer: unknown;
      try {
        answer = await root.get(names.path, signal);
      } catch (error) {
        // Hosted services need not list their models.
        if (refusalOf(error)?.status !== 404 || model === undefined) throw error;
        return [name, host, model, ...settings].join(':');
      }
      const known = names.read(answer, endpointOf(root, 'GET', names.path));
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
      const limits = { atOnce: http.maxConcurrency, signal, objection: tooLong };
      const scores = await inBatches<string, number>(batchesOf(texts, size), limits, async (some, stop) => {
        const body = { ...dialect.body({ model, query, texts: some }), ...parameters };
        const answer = dialect.read(await service.post(dialect.path, body, stop, isTooLong), endpoint);
        cost.add({ tokens: answer.tokens });
        return inOrder(answer.ranked, some.length, scale, (value, is, remedy) =>
          endpoint.malformed(value, is, defined({ remedy })),
        );
      });
      return { scores, scale, usage: cost.usage(service.requests) };
    },
  };
}

/** Reads an error about the length of a text. If the server refuses all texts, the call fails. */
function tooLong(error: unknown) {
  const refusal = refusalOf(error);
  return refusal !== undefined && isTooLong(refusal)
    ? { message: `The service refuses the text: ${refusal.message}`, isLength: false, isOfAll: false }
    : undefined;
}
