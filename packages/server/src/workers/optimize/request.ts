/**
 * The request and the answer of `POST /v1/optimize`. Names, limits, defaults and order are those of SlimContext, so that
 * its clients need no changes.
 */
import { isObject } from 'context-shaping/kit';
import * as z from 'zod';

const LINKAGES = ['single', 'complete', 'average'] as const;
export const STRATEGIES = ['auto', 'score', 'centroid', 'query_closest', 'longest'] as const;

/** As SlimContext does, these read a number or a boolean that is written as a text. */
const number = <T extends z.ZodType>(schema: T) => z.preprocess(readNumber, schema);
const boolean = () => z.preprocess(readBoolean, z.boolean());
const threshold = () => z.number().gt(0).lte(2);

// Vectors and metadata are most of a request, so each is checked at once and not copied.
const vector = z
  .custom<number[]>((value) => Array.isArray(value) && value.every((item) => typeof item === 'number'), {
    error: 'Invalid input: expected a list of numbers',
  })
  .meta({ type: 'array', items: { type: 'number' } });
const metadata = z
  .custom<Record<string, unknown>>(isObject, { error: 'Invalid input: expected an object' })
  .meta({ type: 'object' });

export const requestSchema = z.object({
  query: z
    .string()
    .nullable()
    .default(null)
    .describe('The question. The service embeds it if `query_embedding` is missing.'),
  query_embedding: vector
    .nullable()
    .default(null)
    .describe('The vector of the question, from the model that embedded the chunks.'),
  chunks: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        embedding: vector
          .nullable()
          .default(null)
          .describe('If any chunk has no vector, the service embeds all chunks and the query.'),
        score: number(z.number()).default(0),
        metadata: metadata.default({}),
      }),
    )
    .min(1)
    .max(500)
    .describe('The retrieved chunks.'),
  namespace: z.string().regex(/\S/).default('default').describe('Must not be blank; has no effect.'),
  target_k: number(z.int().min(1)).default(8).describe('Maximum chunks to select.'),
  token_budget: number(z.int().min(1).nullable())
    .default(null)
    .describe('Maximum tokens, counted with cl100k_base; null: no limit.'),
  dedup_threshold: number(threshold())
    .default(0.15)
    .describe('Clusters at this distance or more are not merged. `cluster_threshold` overrides it.'),
  semantic_dedup_threshold: number(threshold())
    .default(0.001)
    .describe('Chunks closer than this are copies.'),
  cluster_threshold: number(threshold().nullable())
    .default(null)
    .describe('Overrides `dedup_threshold` in clustering.'),
  cluster_linkage: z.enum(LINKAGES).default('average'),
  max_per_cluster: number(z.int().min(1)).default(1).describe('Maximum chunks to keep of a cluster.'),
  enable_mmr: boolean()
    .default(true)
    .describe('true: selects by maximal marginal relevance; false: by score.'),
  mmr_lambda: number(z.number().min(0).max(1)).default(0.5).describe('1: relevance only, 0: diversity only.'),
  representative_strategy: z
    .enum(STRATEGIES)
    .default('auto')
    .describe('How to choose the representative of a cluster.'),
  compress: boolean()
    .default(true)
    .describe('Removes filler phrases, and the middle of table-like texts of more than 400 characters.'),
});

export type OptimizeRequest = z.output<typeof requestSchema>;
export type RequestChunk = OptimizeRequest['chunks'][number];

const count = () => z.int().min(0);

/** The answer. Counts of tokens are those of cl100k_base. */
export const responseSchema = z.object({
  chunks: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      score: z.number(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
  stats: z.object({
    input_count: count(),
    output_count: count(),
    exact_duplicate_count: count().describe(
      'Evicted chunks whose text differs from another only in case, punctuation and white space.',
    ),
    semantic_duplicate_count: count().describe('Evicted near-copies.'),
    cluster_count: count().describe('Clusters of the remaining chunks.'),
    input_tokens: count(),
    output_tokens: count(),
    reduction_pct: z.number().describe('Removed share of the tokens, in percent.'),
    latency_ms: count().describe('Duration of the work in milliseconds, without waiting.'),
    budget_skipped_count: count().describe('Selected chunks that did not fit into `token_budget`.'),
  }),
});
export type OptimizeResponse = z.infer<typeof responseSchema>;

const { $schema: _, ...described } = z.toJSONSchema(requestSchema, {
  unrepresentable: 'any',
  override({ jsonSchema }) {
    // A request may leave fields with a default out, and may have other keys.
    delete jsonSchema.additionalProperties;
    const { properties = {}, required } = jsonSchema;
    const hasNoDefault = (name: string) => !('default' in (properties[name] as object));
    if (required) jsonSchema.required = required.filter(hasNoDefault);
  },
});
export const optimizeRequestJsonSchema = described;

/** A request that SlimContext rejects with 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

function readNumber(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  const isNumber =
    typeof value === 'string' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim());
  return isNumber ? Number(value) : value;
}

function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && !Number.isInteger(value)) return value;
  const word = String(value).toLowerCase();
  if (['1', 'true', 't', 'yes', 'y', 'on'].includes(word)) return true;
  return ['0', 'false', 'f', 'no', 'n', 'off'].includes(word) ? false : value;
}
