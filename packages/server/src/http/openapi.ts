/** The OpenAPI document of the service. Bodies are described by the schemas that check them. */
import { createRequire } from 'node:module';
import * as z from 'zod';
import { jsonOptionsSchema } from '../workers/json-options.js';
import { optimizeRequestJsonSchema, responseSchema } from '../workers/optimize/request.js';
import { problemSchema } from '../workers/problems.js';

type Schema = Readonly<Record<string, unknown>>;

const load = createRequire(import.meta.url);
const { version } = load('context-shaping/package.json');
const { $id: _id, $schema: _schema, ...reportSchema } = load('context-shaping/report.schema.json');

const plain = (schema: z.ZodType): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

const vector = () => z.array(z.number());
const query = z
  .union([
    z.string(),
    z.strictObject({
      text: z.string(),
      embedding: vector()
        .nullish()
        .describe('The vector of the question, from the model that embedded the chunks.'),
      history: z
        .array(z.looseObject({ role: z.enum(['user', 'assistant']), text: z.string() }))
        .nullish()
        .describe('The conversation before the question, oldest turn first.'),
    }),
  ])
  .describe('The question. If it is empty, only scores rank the chunks.');
const chunk = z.looseObject({
  id: z.string().describe('Two chunks may have the same id only if they have the same text.'),
  text: z.string(),
  rendered: z.string().nullish().describe('The text that the model will see, if it differs from `text`.'),
  score: z.number().nullish().describe('Score of the retriever; higher is better, any scale.'),
  embedding: vector().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const request = z.object({
  query,
  chunks: z.array(chunk),
});
/** A sentence, or a list of errors as FastAPI has them. */
const optimizeProblem: Schema = { type: 'object', properties: { detail: {} }, required: ['detail'] };

const json = (schema: Schema, type = 'application/json') => ({ [type]: { schema } });

function shapeBody(): Schema {
  const described = plain(request) as { properties: object };
  return { ...described, properties: { ...described.properties, options: jsonOptionsSchema } };
}

const shapeAnswer = (): Schema => ({
  type: 'object',
  properties: {
    chunks: { ...plain(z.array(chunk)), description: 'The kept chunks; the report has the others.' },
    report: reportSchema,
  },
  required: ['chunks', 'report'],
});

const CHUNKS = [
  { id: 'a', text: 'The bridge opened in 1932.', score: 0.9, embedding: [0.6, 0.8] },
  { id: 'b', text: 'the bridge opened, in 1932', score: 0.8, embedding: [0.6, 0.8] },
  { id: 'c', text: 'Cats sleep all day.', score: 0.1, embedding: [0.8, -0.6] },
];
const QUESTION = 'When did the bridge open?';

const post = (summary: string, body: Schema, example: object, answer: Schema, failure: object) => ({
  post: {
    summary,
    requestBody: { required: true, content: json({ ...body, examples: [example] }) },
    responses: {
      200: { description: 'The kept chunks, and what became of the others.', content: json(answer) },
      default: {
        description:
          '400 and 422: the body is wrong; 401: the key; 413: it is too large; 415: its type; 500: the service failed; 503: it is overloaded, over its time limit, or shutting down.',
        headers: { 'retry-after': { description: 'Seconds.', schema: { type: 'integer' } } },
        content: failure,
      },
    },
  },
});
const get = (summary: string, isOpen = false) => ({
  get: { summary, responses: { 200: { description: summary } }, ...(isOpen && { security: [] }) },
});

/** @param secured whether requests need a key. */
export function openapi(secured: boolean): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'context-shaping',
      description: 'Shapes retrieval results into the best evidence that fits a token budget.',
      version,
    },
    paths: {
      '/v1/shape': post(
        'Shapes retrieved chunks into the best evidence that fits a token budget.',
        shapeBody(),
        { query: QUESTION, chunks: CHUNKS, options: { budget: { maxTokens: 200 } } },
        shapeAnswer(),
        json(plain(problemSchema), 'application/problem+json'),
      ),
      '/v1/optimize': post(
        'Optimizes retrieved chunks as SlimContext does, with its request and answer.',
        { ...optimizeRequestJsonSchema },
        { query: QUESTION, query_embedding: [0.6, 0.8], chunks: CHUNKS, token_budget: 200 },
        plain(responseSchema),
        json(optimizeProblem),
      ),
      '/health': get('The server is running.', true),
      '/ready': get('The service accepts requests; otherwise the status is 503.', true),
      '/metrics': get('Metrics for Prometheus.'),
      '/openapi.json': get('This document.'),
    },
    ...(secured && {
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
    }),
  };
}
