/** The OpenAPI document of the service agrees with its behaviour. */
import Ajv from 'ajv/dist/2020.js';
import { createService, type Service } from 'context-shaping-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './support.js';

type Responses = Record<string, { content: Record<string, { schema: object }> }>;
interface Document {
  openapi: string;
  security?: object[];
  components: { securitySchemes?: object };
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: object }> };
        responses: Responses;
        security?: object[];
      }
    >
  >;
}

let one: Service;
let document: Document;

beforeAll(async () => {
  one = await createService({
    workers: 0,
    logger: false,
    apiKeys: [{ name: 'a', sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' }],
  });
  document = (await inject({ url: '/openapi.json' })).json();
});
afterAll(() => one.close());

const inject = (request: { url: string; method?: 'POST'; payload?: object; headers?: object }) =>
  one.app.inject({ ...request, headers: { 'x-api-key': 'a', ...request.headers } });

const operation = (path: string, method: string) => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
};
const ajv = new Ajv.default({ strict: false });

test('has every route, and whether it needs a key', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths).sort()).toEqual([
    '/health',
    '/metrics',
    '/openapi.json',
    '/ready',
    '/v1/optimize',
    '/v1/shape',
  ]);
  expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['bearer', 'apiKey']);
  expect(operation('/health', 'get').security).toEqual([]);
  expect(operation('/v1/shape', 'post').security).toBeUndefined();
});

const BODY = { ...ask('What does it cost?', 'It costs 5 euros.', 'It is red.'), options: { k: 1 } };

test.each([
  ['/v1/shape', BODY, {}, '200'],
  ['/v1/shape', BODY, { 'x-api-key': 'b' }, '401'],
  ['/v1/shape', { query: 'Why?' }, {}, '422'],
  ['/v1/shape', BODY, { 'content-type': 'text/plain' }, '415'],
  ['/v1/optimize', ask('Why?', 'Because.', 'Because.'), {}, '200'],
  ['/v1/optimize', {}, {}, '422'],
  ['/v1/optimize', BODY, { 'x-api-key': 'b' }, '401'],
])('POST %s with %j and %j answers as described under %s', async (url, payload, headers, status) => {
  const answer = await inject({ url, method: 'POST', payload, headers });
  expect(String(answer.statusCode)).toBe(status);
  const { responses } = operation(url, 'post');
  const described = responses[status] ?? responses.default;
  expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String) });
  const type = String(answer.headers['content-type']).split(';')[0] as string;
  const validate = ajv.compile(described?.content[type]?.schema as object);
  validate(answer.json());
  expect(validate.errors).toBeNull();
});

test('the body of /v1/shape is described with all options that JSON can carry, and no others', () => {
  const schema = operation('/v1/shape', 'post').requestBody?.content['application/json']?.schema as object;
  const validate = ajv.compile(schema);
  const accepts = (options: object) => validate({ ...BODY, options });
  expect(
    accepts({ tokenizer: 'o200k_base', ecs: false, pin: ['a'], semanticDedup: { maxDistance: 0.1 } }),
  ).toBe(true);
  expect(accepts({ tokenizer: 'other' })).toBe(false);
  expect(accepts({ budget: { maxTokens: 0 } })).toBe(false);
  const { options } = (schema as { properties: { options: { properties: object } } }).properties;
  expect(Object.keys(options.properties)).toEqual(
    expect.arrayContaining(['k', 'budget', 'order', 'extract']),
  );
  for (const name of ['embedder', 'onReport', 'onEvict', 'onStage']) {
    expect(options.properties).not.toHaveProperty(name);
  }
  expect(JSON.stringify(options)).not.toContain('{}]');
});

test('an unknown field of a request is answered with the nearest one', async () => {
  const remedyFor = async (payload: object) =>
    (await inject({ method: 'POST', url: '/v1/shape', payload })).json().remedy;
  expect(await remedyFor({ quary: 'q', chunks: [] })).toContain('Did you mean "query"?');
  const options = { budjet: {} };
  expect(await remedyFor({ query: 'q', chunks: [], options })).toContain('Did you mean $.options.budget?');
});
