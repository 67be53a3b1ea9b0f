/**
 * The request and the answer of `POST /v1/optimize`. Names, limits, defaults and order are those of SlimContext, so that
 * its clients need no changes. Only `report` is an addition.
 */
import { isObject } from 'context-shaping/kit';
import * as z from 'zod';

const LINKAGES = ['single', 'complete', 'average'] as const;
export const STRATEGIES = ['auto', 'score', 'centroid', 'query_closest', 'longest'] as const;

const threshold = (description: string) => z.number().gt(0).lte(2).describe(description);

/** @param vector, metadata the schemas of the large parts. */
const schemaOf = (vector: z.ZodType<number[]>, metadata: z.ZodType<Record<string, unknown>>) =>
  z.object({
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
          score: z.number().default(0),
          metadata: metadata.default({}),
        }),
      )
      .min(1)
      .max(500)
      .describe('The retrieved chunks.'),
    namespace: z.string().regex(/\S/).default('default').describe('Must not be blank; has no effect.'),
    target_k: z.int().min(1).default(8).describe('Maximum chunks to select.'),
    token_budget: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Maximum tokens, counted with cl100k_base; null: no limit.'),
    dedup_threshold: threshold(
      'Clusters at this distance or more are not merged. `cluster_threshold` overrides it.',
    ).default(0.15),
    semantic_dedup_threshold: threshold('Chunks closer than this are copies.').default(0.001),
    cluster_threshold: threshold('Overrides `dedup_threshold` in clustering.').nullable().default(null),
    cluster_linkage: z.enum(LINKAGES).default('average'),
    max_per_cluster: z.int().min(1).default(1).describe('Maximum chunks to keep of a cluster.'),
    enable_mmr: z
      .boolean()
      .default(true)
      .describe('true: selects by maximal marginal relevance; false: by score.'),
    mmr_lambda: z.number().min(0).max(1).default(0.5).describe('1: relevance only, 0: diversity only.'),
    representative_strategy: z
      .enum(STRATEGIES)
      .default('auto')
      .describe('How to choose the representative of a cluster.'),
    compress: z
      .boolean()
      .default(true)
      .describe('Removes filler phrases, and the middle of table-like texts of more than 400 characters.'),
    report: z.boolean().default(false).describe('Adds a `report` on all evicted chunks to the answer.'),
  });

const requestSchema = schemaOf(z.array(z.number()), z.record(z.string(), z.unknown()));

/** The same for reading: vectors are most of a request, so each is checked at once and not copied. */
export const readSchema = schemaOf(
  z.custom<number[]>((value) => Array.isArray(value) && value.every((item) => typeof item === 'number'), {
    error: 'Invalid input: expected a list of numbers',
  }),
  z.custom<Record<string, unknown>>(isObject, { error: 'Invalid input: expected an object' }),
);

export type OptimizeRequest = Omit<z.output<typeof requestSchema>, 'chunks' | 'query_embedding'> & {
  chunks: readonly RequestChunk[];
  query_embedding: readonly number[] | null;
};

export interface RequestChunk {
  id: string;
  text: string;
  embedding: readonly number[] | null;
  score: number;
  metadata: Readonly<Record<string, unknown>>;
}

const count = (description: string) => z.int().min(0).describe(description);

const responseSchema = z.object({
  chunks: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      score: z.number(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
  stats: z.object({
    input_count: count('Chunks in the request.'),
    output_count: count('Chunks in the answer.'),
    exact_duplicate_count: count(
      'Evicted chunks whose text differs from another only in case, punctuation and white space.',
    ),
    semantic_duplicate_count: count('Evicted near-copies.'),
    cluster_count: count('Clusters of the remaining chunks.'),
    input_tokens: count('Tokens of the request, cl100k_base.'),
    output_tokens: count('Tokens of the answer, cl100k_base.'),
    reduction_pct: z.number().describe('Removed share of the tokens, in percent.'),
    latency_ms: count('Duration of the work in milliseconds, without waiting.'),
    budget_skipped_count: count('Selected chunks that did not fit into `token_budget`.'),
  }),
  report: z
    .object({
      evicted: z.array(
        z.object({
          id: z.string(),
          index: count('Position in the request, from 0.'),
          stage: z.enum(['exact-dedup', 'semantic-dedup', 'cluster', 'select', 'budget']),
          reason: z.enum([
            'exact-duplicate',
            'semantic-duplicate',
            'cluster-member',
            'outranked',
            'over-budget',
          ]),
          keptId: z
            .string()
            .optional()
            .describe('The chunk that was kept instead. A later stage may have evicted it.'),
          distance: z.number().optional().describe('Cosine distance to that chunk.'),
          margin: z.number().optional().describe('Lead of the last selected chunk.'),
          tokens: count('Tokens of the chunk, which did not fit.').optional(),
        }),
      ),
      degradations: z.array(z.object({ code: z.string(), message: z.string() })),
    })
    .optional()
    .describe('Present if the request has `report: true`.'),
});

export type OptimizeResponse = z.output<typeof responseSchema>;
export type OptimizeEviction = NonNullable<OptimizeResponse['report']>['evicted'][number];
export type OptimizeDegradation = NonNullable<OptimizeResponse['report']>['degradations'][number];

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described as JsonSchema;
};

/** The part of JSON Schema by which texts are read as numbers. */
export interface JsonSchema {
  type?: string | readonly string[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

export const optimizeRequestJsonSchema = toJsonSchema(requestSchema, 'input');
export const optimizeResponseJsonSchema = toJsonSchema(responseSchema, 'output');

/** A request that SlimContext rejects with 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}
