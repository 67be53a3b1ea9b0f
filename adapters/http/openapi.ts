/** What OpenAPI says of each route. Bodies are described from the schemas that check them. */
import { createRequire } from 'node:module';
import * as z from 'zod';
import { jsonOptionsSchema } from './json-options.js';
import { optimizeRequestJsonSchema, optimizeResponseJsonSchema } from './optimize/optimize.js';

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
    .union([z.string(), z.strictObject({ text: z.string(), embedding: vector().nullish() })])
    .describe('The question. May be empty: then scores alone rank.'),
);
const queryEmbedding = plain(
  vector().nullable().describe('Its vector, in the space of the chunks’ vectors.'),
);
const chunk = z.looseObject({
  id: z.string().describe('Two chunks may share an id only if they share their text.'),
  text: z.string(),
  rendered: z.string().nullish().describe('What the model will see of it, if not `text` alone.'),
  score: z.number().nullish().describe('The retriever’s; higher is better, on any scale.'),
  embedding: vector().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const place = z.looseObject({ id: z.string(), source: z.string().optional() });
const shapedChunk = chunk.extend({
  index: z.int().min(0).describe('Place in the request, from 0.'),
  tokens: z.int().min(0),
  relevance: z.number().min(0).max(1).optional(),
  sources: z.array(place).describe('Its own first, then those of copies that went: cite them all.'),
  excerpts: z
    .array(z.strictObject({ start: z.int().min(0), end: z.int().min(0) }))
    .optional()
    .describe('Where `text` was cut: parts of the original, in UTF-16 code units.'),
  sanitised: z.literal(true).optional().describe('The option `sanitise` changed `text`.'),
});

const problemSchema = object(
  {
    type: { const: 'about:blank' },
    title: described('The status in words.', string),
    status: { type: 'integer' },
    detail: described('What is wrong.', string),
    field: described('JSON path of what is wrong in the body.', string),
    remedy: described('What to write instead.', string),
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

const REQUEST_ID = { 'x-request-id': described('That of the request, or a new one.', string) };
const RETRY_AFTER = { 'retry-after': described('Seconds to wait.', { type: 'integer' }) };

const response = (description: string, content: Readonly<Record<string, Schema>>, headers: object = {}) => ({
  description,
  headers: { ...REQUEST_ID, ...headers },
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
});

/** Errors that both routes may answer with, each in its own form. */
const failures = (content: Readonly<Record<string, Schema>>) => ({
  401: response('No API key, or one that is not known.', content, {
    'www-authenticate': described('`Bearer`.', string),
  }),
  413: response('The body is too large.', content),
  415: response('The body is of a type or an encoding that is not understood.', content),
  429: response('Too many requests of this key, or of this address.', content, RETRY_AFTER),
  500: response('The service failed; its log says more.', content),
  503: response('Too busy, too slow, or closing.', content, RETRY_AFTER),
});
const problems = { 'application/problem+json': problemSchema };
const details = { 'application/json': detailSchema };

/** Two sources that say the same, and something else. */
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
  summary: 'Shapes retrieved chunks into the smallest context that still answers.',
  description:
    'With `Accept: text/event-stream` the answer comes as server-sent events: `stage` after each stage, then `result`, or `error` with the problem.',
  body: withExample(
    object({ query, queryEmbedding, chunks: plain(z.array(chunk)), options: jsonOptionsSchema }, [
      'queryEmbedding',
      'options',
    ]),
    { query: QUESTION, chunks: CHUNKS, options: { budget: { maxTokens: 200 } } },
  ),
  response: {
    200: response('The chunks that stay, and what became of the others.', {
      'application/json': object({ chunks: plain(z.array(shapedChunk)), report: reportSchema }),
      'text/event-stream': string,
    }),
    400: response('The body is not JSON.', problems),
    422: response('Something in the body is wrong.', problems),
    ...failures(problems),
  },
};

export const optimizeDocument = {
  operationId: 'optimize',
  tags: SHAPING,
  summary: 'The contract of SlimContext.',
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
    200: response('What is left, and how much that is.', {
      'application/json': { ...optimizeResponseJsonSchema },
    }),
    400: response('The body cannot be read.', details),
    422: response('Something in the body is wrong.', { 'application/json': validationSchema }),
    ...failures(details),
  },
};

const status = (...values: string[]) => ({ 'application/json': object({ status: { enum: values } }) });

export const healthDocument = {
  operationId: 'health',
  tags: OPERATIONS,
  summary: 'Is the server there?',
  security: [],
  response: { 200: response('It is.', status('ok')) },
};

export const readyDocument = {
  operationId: 'ready',
  tags: OPERATIONS,
  summary: 'Can it take requests?',
  security: [],
  response: {
    200: response('A worker has loaded everything.', status('ready')),
    503: response('Not yet, or no more.', status('unavailable')),
  },
};

export const metricsDocument = {
  operationId: 'metrics',
  tags: OPERATIONS,
  summary: 'Metrics for Prometheus.',
  response: { 200: response('In its text format.', { 'text/plain': string }), 401: failures(problems)[401] },
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
