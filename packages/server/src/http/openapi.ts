/** The OpenAPI document of each route. Bodies are described by the schemas that check them. */
import { createRequire } from 'node:module';
import * as z from 'zod';
import { jsonOptionsSchema } from '../workers/json-options.js';
import { optimizeRequestJsonSchema, optimizeResponseJsonSchema } from '../workers/optimize/optimize.js';

type Schema = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const described = (description: string, schema: Schema): Schema => ({ ...schema, description });
const plain = (schema: z.ZodType): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

const {
  $id: _id,
  $schema: _schema,
  ...reportSchema
} = createRequire(import.meta.url)('context-shaping/report.schema.json');

const vector = () => z.array(z.number());
const query = plain(
  z
    .union([
      z.string(),
      z.strictObject({
        text: z.string(),
        embedding: vector().nullish(),
        history: z
          .array(z.looseObject({ role: z.enum(['user', 'assistant']), text: z.string() }))
          .nullish()
          .describe('The conversation before the question, oldest turn first.'),
      }),
    ])
    .describe('The question. If it is empty, only scores rank the chunks.'),
);
const queryEmbedding = plain(
  vector().nullable().describe('The vector of the question, from the model that embedded the chunks.'),
);
const chunk = z.looseObject({
  id: z.string().describe('Two chunks may have the same id only if they have the same text.'),
  text: z.string(),
  rendered: z.string().nullish().describe('The text that the model will see, if it differs from `text`.'),
  score: z.number().nullish().describe('Score of the retriever; higher is better, any scale.'),
  embedding: vector().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const place = z.looseObject({ id: z.string(), source: z.string().optional() });
const shapedChunk = chunk.extend({
  index: z.int().min(0).describe('Position in the request, from 0.'),
  tokens: z.int().min(0),
  relevance: z.number().min(0).max(1).optional(),
  sources: z
    .array(place)
    .describe('The chunk’s own source first, then those of evicted copies. Cite all of them.'),
  excerpts: z
    .array(z.strictObject({ start: z.int().min(0), end: z.int().min(0) }))
    .optional()
    .describe('The parts of the original text that `text` keeps, in UTF-16 code units.'),
  sanitised: z.literal(true).optional().describe('The option `sanitise` changed `text`.'),
  superseded: z
    .looseObject({ by: z.string(), because: z.string() })
    .optional()
    .describe('The preferred chunk, if `conflicts.prefer` prefers another side of a conflict.'),
});

const problemSchema = object(
  {
    type: { const: 'about:blank' },
    title: described('The status in words.', string),
    status: { type: 'integer' },
    detail: described('A sentence that names the problem.', string),
    field: described('JSON path of the wrong value in the body.', string),
    remedy: described('A sentence that says what to write instead.', string),
  },
  ['field', 'remedy'],
);
const detailSchema = object({ detail: string });
const validationSchema = object({
  detail: {
    type: 'array',
    items: object({
      type: string,
      loc: { type: 'array', items: { type: ['string', 'integer'] } },
      msg: string,
    }),
  },
});

const REQUEST_ID = {
  'x-request-id': described('The id of the request: the one that the client sent, or a new one.', string),
};
const RETRY_AFTER = { 'retry-after': described('Seconds to wait before a retry.', { type: 'integer' }) };

const response = (description: string, content: Readonly<Record<string, Schema>>, headers: object = {}) => ({
  description,
  headers: { ...REQUEST_ID, ...headers },
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
});

/** Errors of both routes. Their form depends on the route. */
const failures = (content: Readonly<Record<string, Schema>>) => ({
  401: response('The API key is missing or unknown.', content, {
    'www-authenticate': described('`Bearer`.', string),
  }),
  413: response('The body is too large.', content),
  415: response('The content type or encoding of the body is not supported.', content),
  429: response('There were too many requests with this key or from this address.', content, RETRY_AFTER),
  500: response('The service failed. The operator’s log has the reason.', content),
  503: response('The service is overloaded, over its time limit, or shutting down.', content, RETRY_AFTER),
});
const problems = { 'application/problem+json': problemSchema };
const details = { 'application/json': detailSchema };

/** Two sources with the same statement, and another chunk. */
const CHUNKS = [
  { id: 'a', text: 'The bridge opened in 1932.', score: 0.9, embedding: [0.6, 0.8] },
  { id: 'b', text: 'the bridge opened, in 1932', score: 0.8, embedding: [0.6, 0.8] },
  { id: 'c', text: 'Cats sleep all day.', score: 0.1, embedding: [0.8, -0.6] },
];
const QUESTION = 'When did the bridge open?';
const withExample = (schema: Schema, example: object): Schema => ({ ...schema, examples: [example] });

const SHAPING = ['shaping'];
const OPERATIONS = ['operations'];

export const shapeDocument = {
  operationId: 'shape',
  tags: SHAPING,
  summary: 'Shapes retrieved chunks into the best evidence that fits a token budget.',
  body: withExample(
    object({ query, queryEmbedding, chunks: plain(z.array(chunk)), options: jsonOptionsSchema }, [
      'queryEmbedding',
      'options',
    ]),
    { query: QUESTION, chunks: CHUNKS, options: { budget: { maxTokens: 200 } } },
  ),
  response: {
    200: response('The kept chunks, and a report on all chunks.', {
      'application/json': object({ chunks: plain(z.array(shapedChunk)), report: reportSchema }),
    }),
    400: response('The body is not JSON.', problems),
    422: response('A value in the body is wrong.', problems),
    ...failures(problems),
  },
};

export const optimizeDocument = {
  operationId: 'optimize',
  tags: SHAPING,
  summary: 'Optimizes retrieved chunks as SlimContext does, with its request and answer.',
  body: withExample(
    { ...optimizeRequestJsonSchema },
    {
      query: QUESTION,
      query_embedding: [0.6, 0.8],
      chunks: CHUNKS,
      token_budget: 200,
    },
  ),
  response: {
    200: response('The kept chunks, and statistics.', {
      'application/json': { ...optimizeResponseJsonSchema },
    }),
    400: response('The body cannot be read.', details),
    422: response('A value in the body is wrong.', { 'application/json': validationSchema }),
    ...failures(details),
  },
};

const status = (...values: string[]) => ({ 'application/json': object({ status: { enum: values } }) });

export const rootDocument = {
  operationId: 'root',
  tags: OPERATIONS,
  summary: 'The addresses of the service.',
  security: [],
  response: {
    200: response('The addresses.', {
      'application/json': object(
        Object.fromEntries(
          ['service', 'shape', 'optimize', 'openapi', 'health', 'ready', 'metrics'].map((name) => [
            name,
            string,
          ]),
        ),
      ),
    }),
  },
};

export const healthDocument = {
  operationId: 'health',
  tags: OPERATIONS,
  summary: 'Whether the server is running.',
  security: [],
  response: { 200: response('The server is running.', status('ok')) },
};

export const readyDocument = {
  operationId: 'ready',
  tags: OPERATIONS,
  summary: 'Whether the service can accept requests.',
  security: [],
  response: {
    200: response('At least one worker is ready.', status('ready')),
    503: response('No worker is ready, or the service is shutting down.', status('unavailable')),
  },
};

export const metricsDocument = {
  operationId: 'metrics',
  tags: OPERATIONS,
  summary: 'Metrics for Prometheus.',
  response: {
    200: response('Metrics in the text format of Prometheus.', { 'text/plain': string }),
    401: failures(problems)[401],
  },
};

export const openapiDocument = {
  operationId: 'openapi',
  tags: OPERATIONS,
  summary: 'This document.',
  response: {
    200: response('OpenAPI 3.1.', { 'application/json': { type: 'object' } }),
    401: failures(problems)[401],
  },
};
