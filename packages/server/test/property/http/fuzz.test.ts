/**
 * Random requests that the service's own description allows, and requests near to them. No answer is a 500, none has a
 * status that is not described, and every body has the schema that is described for its status.
 *
 *   CONTEXT_SHAPING_FUZZ=5000 npx vitest run packages/server/test/property/http/fuzz.test.ts      more of them
 */
import Ajv from 'ajv/dist/2020.js';
import { createService, type Service } from 'context-shaping-server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const RUNS = Number(process.env.CONTEXT_SHAPING_FUZZ ?? 300);

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

let service: Service;
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  service = await createService({ workers: 0, logger: false });
  paths = (await service.app.inject({ url: '/openapi.json' })).json().paths;
});
afterAll(() => service.close());

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.lorem({ maxCount: 20 }));

/** Values that a schema allows. Lists stay short, and texts repeat, so that there is something to merge. */
function allowed(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(allowed));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => allowed({ ...schema, type })));
  switch (schema.type) {
    case 'object': {
      const { properties, required = [] } = schema;
      if (properties === undefined)
        return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
      const fields = Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, allowed(field)]),
      );
      return fc.record(fields, { requiredKeys: required });
    }
    case 'array':
      return fc.array(allowed(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 6, Math.max(schema.minItems ?? 0, 6)),
      });
    case 'integer': {
      const min = schema.minimum ?? -5;
      return fc.integer({ min, max: Math.min(schema.maximum ?? min + 1000, Number.MAX_SAFE_INTEGER) });
    }
    case 'number': {
      const min = schema.minimum ?? schema.exclusiveMinimum ?? -10;
      const max = schema.maximum ?? Math.max(10, min + 10);
      return fc.double({ min, max, noNaN: true, minExcluded: schema.exclusiveMinimum !== undefined });
    }
    case 'string':
      return text.filter(
        ({ length }) =>
          length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e308, '', ' ', '3', [], [[]], {}, '\ud800', '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The same with something in it replaced, removed, or added. */
function spoilt(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(), odd, fc.constantFrom('replace', 'remove', 'add'))
    .map(([whole, at, other, how]) => {
      const copy = structuredClone({ whole });
      const places: [container: Record<string, unknown>, key: string][] = [];
      const visit = (container: Record<string, unknown>) => {
        for (const [key, inner] of Object.entries(container)) {
          places.push([container, key]);
          if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
        }
      };
      visit(copy);
      const [container, key] = places[at % places.length] as (typeof places)[number];
      if (how === 'replace') container[key] = other;
      else if (how === 'remove' && !Array.isArray(container)) delete container[key];
      else container[`${key}x`] = other;
      return copy.whole;
    });
}

const ajv = new Ajv.default({ strict: false });

async function checkAnswer(path: string, request: object): Promise<number> {
  const answer = await service.app.inject({ url: path, method: 'POST', ...request });
  expect(answer.statusCode).toBeLessThan(500);
  const responses = paths[path]?.post?.responses;
  const described = responses?.[answer.statusCode] ?? responses?.default;
  expect(described, `${path} does not describe ${answer.statusCode}: ${answer.body}`).toBeDefined();
  const type = String(answer.headers['content-type']).split(';')[0] as string;
  const schema = described?.content?.[type]?.schema;
  expect(schema, `${answer.statusCode} of ${path} does not describe ${type}`).toBeDefined();
  if (type.endsWith('json'))
    expect(ajv.validate(schema as object, answer.json()), ajv.errorsText()).toBe(true);
  return answer.statusCode;
}

const headers = { 'content-type': 'application/json' };

describe.each(['/v1/shape', '/v1/optimize'])('%s', (path) => {
  const bodySchema = () => paths[path]?.post?.requestBody?.content['application/json']?.schema as JsonSchema;

  it('answers what its description allows', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(allowed(bodySchema()), async (body) => {
        const status = await checkAnswer(path, { headers, payload: JSON.stringify(body) });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
      { numRuns: RUNS, seed: 11 },
    );
    // Were all refused, nothing would have been tried.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(RUNS / 20);
  });

  it('answers what is nearly that', async () => {
    await fc.assert(
      fc.asyncProperty(spoilt(allowed(bodySchema())), async (body) => {
        await checkAnswer(path, { headers, payload: JSON.stringify(body) ?? '' });
      }),
      { numRuns: RUNS, seed: 12 },
    );
  });

  it('answers any bytes under any headers', async () => {
    const anyHeaders = fc.record(
      {
        'content-type': fc.constantFrom(
          'application/json',
          'application/problem+json',
          'text/plain',
          'a/b',
          ';',
          'multipart/form-data',
        ),
        'content-encoding': fc.constantFrom(
          'gzip',
          'br',
          'deflate',
          'zstd',
          'identity',
          'nothing',
          'gzip, gzip',
        ),
        accept: fc.constantFrom('*/*', 'text/html', 'application/json;q=0', ''),
        'accept-encoding': fc.constantFrom('gzip', 'br;q=1', 'identity;q=0', '*', 'nothing'),
        'x-request-id': fc.constantFrom('a', 'a b', 'ä', 'x'.repeat(1000)),
        authorization: fc.constantFrom('Bearer', 'Bearer x', 'Basic eA=='),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((json) => new TextEncoder().encode(json)),
        ),
        anyHeaders,
        async (bytes, some) => {
          const answer = await service.app.inject({
            url: path,
            method: 'POST',
            headers: some,
            payload: Buffer.from(bytes),
          });
          expect(answer.statusCode).toBeLessThan(500);
          expect(answer.body).not.toMatch(/\bat .*:\d+:\d+/);
        },
      ),
      { numRuns: RUNS, seed: 13 },
    );
  });
});

it('answers any address and method', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => new URL(url)),
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.constantFrom(
        '',
        '/v1/shape',
        '/v1/optimize',
        '/health',
        '/metrics',
        '/openapi.json',
        '/%',
        '/v1/%2e%2e',
      ),
      async ({ pathname, search }, method, start) => {
        const answer = await service.app.inject({ url: start + pathname + search, method: method as 'GET' });
        expect(answer.statusCode).toBeLessThan(500);
      },
    ),
    { numRuns: RUNS, seed: 14 },
  );
});
