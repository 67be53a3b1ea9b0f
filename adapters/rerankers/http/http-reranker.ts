import * as z from 'zod';
import { ContextShapingError, type Failed, type Reranker } from '../../../src/index.js';
import { parseOptions } from '../../../src/internal.js';
import {
  type Endpoint,
  type HttpOptions,
  httpOptions,
  JsonService,
  refusalOf,
  unknownModel,
} from '../../json-service/index.js';
import { concurrently, UsageCounter } from '../../model-calls/index.js';
import { inOrder, nothingToRank, SCALES, type Scale } from '../reranking.js';
import { DIALECT, DIALECTS, isTooLong, type RerankDialect } from './dialects.js';

const optionsSchema = z.strictObject({
  dialect: z.enum(DIALECTS),
  baseUrl: z.string().optional(),
  model: z.string().min(1).optional(),
  scale: z.enum(SCALES).optional(),
  truncate: z.boolean().default(true),
  batchSize: z.int().min(1).optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  ...httpOptions,
});

export interface HttpRerankerOptions extends HttpOptions {
  /** The service whose requests and answers are spoken: by it, or by a server that imitates it. */
  dialect: RerankDialect;
  /**
   * The address of the server, without the path of its endpoint. `https` for any server but your own: texts go there.
   * Default: the public service of `cohere`, `jina` and `voyage`. The others have none.
   */
  baseUrl?: string | undefined;
  /** The name of the model at the service. `tei` serves one model and ignores it; `llama.cpp` needs it with a router. */
  model?: string | undefined;
  /**
   * The scale of the scores: probabilities of 0..1, or log-odds in nats. Default: `'logit'` for `llama.cpp`, else
   * `'probability'`. llama.cpp reports probabilities for models whose graph ends in a softmax, such as Qwen3-Reranker.
   * For models whose scores are cosines, give `'logit'`.
   */
  scale?: Scale | undefined;
  /**
   * Whether the service cuts texts that are longer than its model can read, where it has a parameter for that: `voyage`,
   * `vllm`, `tei`. If false, it refuses them, and they have no score. `cohere` always cuts them. Default `true`.
   */
  truncate?: boolean | undefined;
  /**
   * The largest number of texts in one request. Default 100 for `cohere`, `jina` and `voyage`, 64 for `vllm` and
   * `llama.cpp`, 32 for `tei`.
   */
  batchSize?: number | undefined;
  /** More fields of each request, as the service documents them: `{ max_tokens_per_doc: 512 }`. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A reranker over HTTP. All texts are scored: they are sent in batches, a few at the same time, and the scores are put
 * into the order of the texts. If the service refuses a batch because a text is too long, each text of it is asked for
 * by itself, and only the refused ones have no score.
 *
 * `identify` returns the dialect, the host and the model: `cohere:api.cohere.com:rerank-v4.0-pro`. `vllm`, `llama.cpp`
 * and `tei` are asked for their model; if they report a source, size or revision of its weights, it replaces the host.
 * Another scale than the default one and `parameters` follow.
 *
 * @throws ContextShapingError `invalid-options`; when asked `service`, if the service fails, if an answer does not have
 *   the documented form or does not score each text once, or if a score is not in the range of the scale.
 */
export function httpReranker(options: HttpRerankerOptions): Reranker {
  const {
    dialect: name,
    baseUrl,
    model,
    scale: given,
    truncate,
    batchSize,
    parameters,
    ...http
  } = parseOptions(optionsSchema, options);
  const dialect = DIALECT[name];
  const address = baseUrl ?? dialect.address;
  if (address === undefined) throw missing('baseUrl', name, 'Give the address of the server.');
  if (dialect.needsModel && model === undefined)
    throw missing('model', name, 'Give the name of the model at the service.');
  const scale = given ?? dialect.scale;
  const size = batchSize ?? dialect.batchSize;
  // Users copy the version with the address.
  const root = new JsonService({ ...http, baseUrl: address.trim().replace(/\/v2\/*$/, '') });
  const { host } = new URL(address.trim());
  // A profile must not hold for other scores of the same model.
  const sorted = Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
  const settings = [
    ...(scale === dialect.scale ? [] : [scale]),
    ...(Object.keys(sorted).length === 0 ? [] : [JSON.stringify(sorted)]),
  ];

  return {
    specificationVersion: 'v1',
    provider: name,
    ...(model === undefined ? {} : { modelId: model }),

    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      const { names } = dialect;
      if (names === undefined) return [name, host, model, ...settings].join(':');
      const remedy = `Check that the server speaks the dialect ${name}.`;
      const known = names.read(await root.get(names.path, signal), root.endpoint('GET', names.path, remedy));
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
      const endpoint = service.endpoint(
        'POST',
        dialect.path,
        `Check that the server speaks the dialect ${name}.`,
      );
      const cost = new UsageCounter({ countsCached: false });
      const ask = async (some: readonly string[], stop: AbortSignal): Promise<(number | Failed)[]> => {
        const body = { ...dialect.body({ model, query, texts: some, truncate }), ...parameters };
        const answer = dialect.read(await service.post(dialect.path, body, stop, isTooLong), endpoint);
        cost.add({ tokens: answer.tokens });
        return inOrder(answer.ranked, some.length, scale, malformedAt(endpoint));
      };
      const scores = await inBatches(texts, size, http.maxConcurrency, signal, ask);
      return { scores, scale, usage: cost.usage(service.requests) };
    },
  };
}

const malformedAt =
  (endpoint: Endpoint) =>
  (value: unknown, is: string, remedy = endpoint.remedy) =>
    endpoint.malformed(value, is, { remedy });

function missing(field: string, dialect: RerankDialect, remedy: string): ContextShapingError {
  const is = `is missing, and the dialect ${dialect} needs it`;
  return new ContextShapingError('invalid-options', { field, value: undefined, is, remedy });
}

type Ask = (texts: readonly string[], signal: AbortSignal) => Promise<(number | Failed)[]>;

/** Why a text has no score: the service refused it. */
interface TooLong extends Failed {
  readonly error: unknown;
}

/** @throws the error of the service, if it refuses all texts. */
async function inBatches(
  texts: readonly string[],
  size: number,
  atOnce: number,
  signal: AbortSignal | undefined,
  ask: Ask,
): Promise<(number | Failed)[]> {
  const askAll = async (batches: readonly (readonly string[])[]) => {
    const answers = await concurrently(batches, atOnce, signal, (batch, stop) =>
      ask(batch, stop).catch((error: unknown) => batch.map(() => tooLong(error))),
    );
    return answers.flat();
  };
  const batches = Array.from({ length: Math.ceil(texts.length / size) }, (_, batch) =>
    texts.slice(batch * size, (batch + 1) * size),
  );
  const scores: (number | Failed | TooLong)[] = await askAll(batches);
  const isRefused = (each: number | Failed | TooLong | undefined): each is TooLong =>
    typeof each === 'object' && 'error' in each;
  const again = size === 1 ? [] : [...scores.keys()].filter((place) => isRefused(scores[place]));
  const alone = texts.length === 1 ? [] : await askAll(again.map((place) => [texts[place] as string]));
  for (const [nth, score] of alone.entries()) scores[again[nth] as number] = score;
  const [first] = scores;
  if (scores.every(isRefused)) throw (first as TooLong).error;
  return scores.map((score) => (isRefused(score) ? { failure: score.failure } : score));
}

/** @throws the error, if it is not about the length of a text. */
function tooLong(error: unknown): TooLong {
  const refusal = refusalOf(error);
  if (refusal === undefined || !isTooLong(refusal)) throw error;
  return { failure: `The service refuses the text: ${refusal.message}`, error };
}
