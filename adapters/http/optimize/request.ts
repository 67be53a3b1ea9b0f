/**
 * The request and the answer of `POST /v1/optimize`: names, limits, defaults and order of SlimContext, so that its
 * clients can go on as they are. What it has not is `report`.
 */
import * as z from 'zod';

const LINKAGES = ['single', 'complete', 'average'] as const;
export const STRATEGIES = ['auto', 'score', 'centroid', 'query_closest', 'longest'] as const;

const vector = z.array(z.number());
const threshold = (description: string) => z.number().gt(0).lte(2).describe(description);

const requestSchema = z.object({
  query: z
    .string()
    .nullable()
    .default(null)
    .describe('The question. Embedded where `query_embedding` is missing.'),
  query_embedding: vector
    .nullable()
    .default(null)
    .describe('Its vector, of the model that embedded the chunks.'),
  chunks: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        embedding: vector
          .nullable()
          .default(null)
          .describe(
            'If one chunk has none, all chunks are embedded by the service, and the query with them.',
          ),
        score: z.number().default(0),
        metadata: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1)
    .max(500)
    .describe('What was retrieved.'),
  namespace: z.string().regex(/\S/).default('default').describe('Must not be blank; has no effect.'),
  target_k: z.int().min(1).default(8).describe('The most chunks to select.'),
  token_budget: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('The most tokens, cl100k_base; null: no cap.'),
  dedup_threshold: threshold(
    'Clusters are not merged at this distance or beyond, unless `cluster_threshold` says.',
  ).default(0.15),
  semantic_dedup_threshold: threshold('Copies are closer than this.').default(0.001),
  cluster_threshold: threshold('Goes over `dedup_threshold` in clustering.').nullable().default(null),
  cluster_linkage: z.enum(LINKAGES).default('average'),
  max_per_cluster: z.int().min(1).default(1).describe('How many of a cluster stay.'),
  enable_mmr: z.boolean().default(true).describe('Select by maximal marginal relevance; false: by score.'),
  mmr_lambda: z.number().min(0).max(1).default(0.5).describe('1: relevance only, 0: diversity only.'),
  representative_strategy: z.enum(STRATEGIES).default('auto').describe('Who stands for a cluster.'),
  compress: z
    .boolean()
    .default(true)
    .describe(
      'Remove filler phrases, and the middle of what looks like a table and is longer than 400 characters.',
    ),
  report: z
    .boolean()
    .default(false)
    .describe('Answer with a `report`, too: what became of every other chunk.'),
});

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
    input_count: count('Chunks that came.'),
    output_count: count('Chunks that are returned.'),
    exact_duplicate_count: count('Same text but for case, punctuation and space.'),
    semantic_duplicate_count: count('Near-copies.'),
    cluster_count: count('Clusters of what was left.'),
    input_tokens: count('cl100k_base.'),
    output_tokens: count('cl100k_base.'),
    reduction_pct: z.number().describe('Share of the tokens that went, in percent.'),
    latency_ms: count('Time of the work alone.'),
    budget_skipped_count: count('Selected chunks that did not fit `token_budget`.'),
  }),
  report: z
    .object({
      evicted: z.array(
        z.object({
          id: z.string(),
          index: count('Place in the request, from 0.'),
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
            .describe('The chunk that stayed in its place; it may have gone later.'),
          distance: z.number().optional().describe('Cosine distance from that chunk.'),
          margin: z.number().optional().describe('By how much the last one selected was better.'),
          tokens: count('What did not fit.').optional(),
        }),
      ),
      degradations: z.array(z.object({ code: z.string(), message: z.string() })),
    })
    .optional()
    .describe('If the request asked for it.'),
});

export type OptimizeResponse = z.output<typeof responseSchema>;
export type OptimizeEviction = NonNullable<OptimizeResponse['report']>['evicted'][number];
export type OptimizeDegradation = NonNullable<OptimizeResponse['report']>['degradations'][number];

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described as JsonSchema;
};

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** As much of JSON Schema as the request uses. */
export interface JsonSchema {
  type?: JsonType | readonly JsonType[] | undefined;
  anyOf?: JsonSchema[];
  enum?: string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  description?: string;
}

export const optimizeRequestJsonSchema = toJsonSchema(requestSchema, 'input');
export const optimizeResponseJsonSchema = toJsonSchema(responseSchema, 'output');

/** SlimContext answers such a request with 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}
