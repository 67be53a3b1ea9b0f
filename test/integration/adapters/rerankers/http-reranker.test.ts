/** Tests of `httpReranker` against imitations of all services that it speaks to. */
import { ContextShapingError } from 'context-shaping';
import { type HttpRerankerOptions, httpReranker } from 'context-shaping/rerankers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type JsonServer, jsonServer, type Reply } from '../../../adapters/logprobs/servers/json-server.js';
import { type RerankService, rerankServer } from '../../../adapters/rerankers/rerank-server.js';
import { rerankerContract } from '../../../contract/contracts.js';

const SERVICES = ['vllm', 'llama.cpp', 'tei'] as const;
const SPOKEN: Record<RerankService, HttpRerankerOptions | object> = {
  vllm: {},
  'llama.cpp': { scale: 'logit' },
  tei: { dialect: 'tei' },
};
const QUERY = 'Who built the bridge?';
const TEXTS = ['Ferries cross the bay.', 'Ann built the bridge.', 'The bay is wide.'];

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
const running = async (server: Promise<JsonServer>): Promise<JsonServer> => {
  servers.push(await server);
  return server;
};
const at = ({ address }: JsonServer, service: RerankService, options: Partial<HttpRerankerOptions> = {}) =>
  httpReranker({ baseUrl: address, model: 'm', maxRetries: 0, ...SPOKEN[service], ...options });
const scripted = async (reply: Reply | ((count: number) => Reply)) => {
  let count = 0;
  return running(jsonServer(() => (typeof reply === 'function' ? reply(count++) : reply)));
};
async function errorOf(call: Promise<unknown>): Promise<ContextShapingError> {
  const error = await call.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!ContextShapingError.isInstance(error)) return expect.unreachable(String(error));
  return error;
}

describe.each(SERVICES)('%s', (service) => {
  let server: JsonServer;
  beforeAll(async () => {
    server = await rerankServer(service);
  });
  afterAll(() => server.close());

  test.each(rerankerContract(() => at(server, service)))('$name', ({ run }) => run());
  test.each(rerankerContract(() => at(server, service, { batchSize: 2, maxConcurrency: 2 })))(
    'in batches of two: $name',
    ({ run }) => run(),
  );

  test('asks for all texts, gets the scores in their order, and the tokens if the service reports them', async () => {
    const before = server.asked.length;
    const { scores, scale, usage } = await at(server, service).rerank(QUERY, TEXTS);
    expect(scale).toBe(service === 'llama.cpp' ? 'logit' : 'probability');
    const best = [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number));
    expect(best[0]).toBe(1);
    expect(usage.requests).toBe(1);
    const characters = TEXTS.reduce((sum, text) => sum + QUERY.length + text.length, 0);
    expect(usage.tokens).toBe(service === 'tei' ? undefined : characters);
    const asked = server.asked.slice(before);
    expect(asked).toHaveLength(1);
    const { body } = asked[0] as (typeof asked)[0];
    if (service !== 'tei') expect(body.top_n ?? body.top_k).toBe(3);
  });

  test('asks in batches, at most as many at once as allowed', async () => {
    const many = Array.from({ length: 5 }, (_, place) => `Text ${place} has the bridge.`);
    const before = server.asked.length;
    const { scores, usage } = await at(server, service, { batchSize: 2 }).rerank(QUERY, many);
    expect(scores).toHaveLength(5);
    expect(usage.requests).toBe(3);
    expect(
      server.asked
        .slice(before)
        .map(({ body }) => (body.documents ?? body.texts).length)
        .sort(),
    ).toEqual([1, 2, 2]);
  });

  test('a text that is too long is cut where the service can, else it alone has no score', async () => {
    const strict = await running(rerankServer(service, { longest: 40 }));
    const texts = [...TEXTS, `The bridge ${'is long and '.repeat(20)}old.`];
    const parameters = service === 'vllm' ? { truncate_prompt_tokens: -1 } : {};
    const cut = await at(strict, service, { parameters }).rerank(QUERY, texts);
    const canCut = service !== 'llama.cpp';
    expect(cut.scores.map((score) => typeof score)).toEqual([
      'number',
      'number',
      'number',
      canCut ? 'number' : 'object',
    ]);
    const refusing = at(strict, service, { parameters: service === 'tei' ? { truncate: false } : {} });
    const { scores, usage } = await refusing.rerank(QUERY, texts);
    expect(scores.slice(0, 3)).toEqual(cut.scores.slice(0, 3));
    expect(scores[3]).toEqual({ failure: expect.stringMatching(/context length|too large|must have less/) });
    // The batch, and each of its texts.
    expect(usage.requests).toBe(5);
    // One text, so there is no other that could have a score.
    expect((await errorOf(refusing.rerank(QUERY, texts.slice(3)))).kind).toBe('service');
  });

  test.each<[string, (entries: { index: number; score: number }[]) => unknown[], RegExp]>([
    ['without one text', (entries) => entries.slice(1), /does not score each of 3 texts once/],
    [
      'with one text twice',
      (entries) => [...entries.slice(1), entries[1]],
      /does not score each of 3 texts once/,
    ],
    [
      'with a text that was not asked for',
      (entries) => entries.map((each) => ({ ...each, index: each.index + 1 })),
      /once/,
    ],
    ['without numbers', (entries) => entries.map((each) => ({ ...each, score: 'high' })), /unexpected value/],
  ])('an answer %s is an error that names the endpoint', async (_, entries, is) => {
    const wrong = await running(rerankServer(service, { entries: entries as never }));
    const error = await errorOf(at(wrong, service).rerank(QUERY, TEXTS));
    expect(error.kind).toBe('service');
    expect(error.problem).toMatch(is);
    expect(error.field).toContain(`POST ${wrong.address}/`);
  });

  test('a score that is null is no score of that text; probabilities may leave 0..1 by rounding only', async () => {
    const [first, second, third] = [0.25, 1.0004, -0.0004];
    const rounded = await running(
      rerankServer(service, {
        entries: () => [first, second, third].map((score, index) => ({ index, score })),
      }),
    );
    const isLogit = service === 'llama.cpp';
    expect((await at(rounded, service).rerank(QUERY, TEXTS)).scores).toEqual(
      isLogit ? [first, second, third] : [0.25, 1, 0],
    );
    const none = await running(
      rerankServer(service, { entries: () => [0.5, null, 0.1].map((score, index) => ({ index, score })) }),
    );
    expect((await at(none, service).rerank(QUERY, TEXTS)).scores).toEqual([
      0.5,
      { failure: expect.any(String) },
      0.1,
    ]);
    const far = await running(
      rerankServer(service, { entries: () => [3, -4, 0.1].map((score, index) => ({ index, score })) }),
    );
    if (isLogit) return expect((await at(far, service).rerank(QUERY, TEXTS)).scores).toEqual([3, -4, 0.1]);
    const error = await errorOf(at(far, service).rerank(QUERY, TEXTS));
    expect(error.message).toMatch(/outside of 0..1.*option scale to "logit"/);
    expect((await at(far, service, { scale: 'logit' }).rerank(QUERY, TEXTS)).scores).toEqual([3, -4, 0.1]);
  });

  test('other fields go with each request, and the key with each', async () => {
    const echo = await scripted({ status: 400, json: { message: 'no' } });
    await errorOf(
      at(echo, service, { parameters: { max_tokens_per_doc: 9 }, apiKey: 'secret-key' }).rerank(QUERY, TEXTS),
    );
    expect(echo.asked[0]?.body).toMatchObject({ query: QUERY, max_tokens_per_doc: 9 });
    expect(echo.asked[0]?.headers.authorization).toBe('Bearer secret-key');
  });

  test.each<[string, Reply, RegExp]>([
    ['refuses the key', { status: 401, json: { message: 'invalid api token' } }, /^401 invalid api token/],
    ['is late', 'silence', /^nothing within 200 ms/],
  ])('a server that %s is an error, asked once', async (_, reply, value) => {
    const broken = await scripted(reply);
    const timeoutMs = reply === 'silence' ? 200 : 5000;
    const error = await errorOf(at(broken, service, { timeoutMs }).rerank(QUERY, TEXTS));
    expect(error.kind).toBe('service');
    expect(String(error.value)).toMatch(value);
    expect(broken.asked).toHaveLength(1);
  });

  test('a 503 is asked again, and each attempt counts', async () => {
    const real = await running(rerankServer(service));
    await at(real, service).rerank(QUERY, TEXTS);
    const { path, body } = real.asked[0] as (typeof real.asked)[0];
    const answer = await fetch(real.address + path, { method: 'POST', body: JSON.stringify(body) });
    const json = await answer.json();
    const busy = await scripted((count) =>
      count === 0 ? { status: 503, json: { error: 'loading' } } : { json },
    );
    const { scores, usage } = await at(busy, service, { maxRetries: 1 }).rerank(QUERY, TEXTS);
    expect(scores).toHaveLength(3);
    expect(usage.requests).toBe(2);
  });
});

test('the requests to all services', async () => {
  const bodies: Record<string, unknown> = {};
  for (const service of SERVICES) {
    const server = await running(rerankServer(service));
    await at(server, service).rerank(QUERY, ['one', 'two']);
    bodies[`${service} ${server.asked[0]?.path}`] = server.asked[0]?.body;
  }
  const asked = { model: 'm', query: QUERY, documents: ['one', 'two'] };
  expect(bodies).toEqual({
    'vllm /v1/rerank': { ...asked, top_n: 2 },
    'llama.cpp /v1/rerank': { ...asked, top_n: 2 },
    'tei /rerank': {
      query: QUERY,
      texts: ['one', 'two'],
      raw_scores: false,
      return_text: false,
      truncate: true,
    },
  });
});

test('a score that llama.cpp could not compute is none', async () => {
  const server = await running(
    rerankServer('llama.cpp', { entries: () => [-1e6, 2, 1].map((score, index) => ({ index, score })) }),
  );
  const { scores } = await at(server, 'llama.cpp').rerank(QUERY, TEXTS);
  expect(scores).toEqual([{ failure: 'The reranker reports no score for this text.' }, 2, 1]);
});

test('a server that has no room for a batch is asked text by text', async () => {
  const server = await running(
    jsonServer(({ body }) =>
      body.texts.length > 1
        ? {
            status: 413,
            json: { error: 'batch size 3 > maximum allowed batch size 1', error_type: 'Validation' },
          }
        : { json: [{ index: 0, score: 0.5 }] },
    ),
  );
  const { scores, usage } = await at(server, 'tei').rerank(QUERY, TEXTS);
  expect([scores, usage.requests]).toEqual([[0.5, 0.5, 0.5], 4]);
});

test('the identity is the dialect, the host, the model, and the settings that change scores', async () => {
  const named = (options: Partial<HttpRerankerOptions>) =>
    httpReranker({ baseUrl: 'https://h:8080/v1', model: 'm', ...options }).identify();
  expect(await named({ scale: 'probability', parameters: {} })).toBe('v1:h:8080:m');
  expect(await named({ dialect: 'tei', scale: 'logit' })).toBe('tei:h:8080:m:logit');
  expect(await named({ parameters: { b: 1, a: 2 } })).toBe('v1:h:8080:m:{"a":2,"b":1}');
});

test('an address may end in a version', async () => {
  const server = await running(rerankServer('vllm'));
  const { scores } = await at(server, 'vllm', { baseUrl: `${server.address}/v1` }).rerank(QUERY, TEXTS);
  expect(scores).toHaveLength(3);
});

test.each<[Partial<HttpRerankerOptions>, RegExp]>([
  [{ model: 'm' }, /baseUrl/],
  [{ baseUrl: 'http://h' }, /model/],
  [{ model: 'm', dialect: 'ollama' as never }, /dialect/],
  [{ model: 'm', baseUrl: 'localhost:8080' }, /baseUrl/],
  [{ model: 'm', baseUrl: 'http://h', batchSize: 0 }, /batchSize/],
  [{ model: 'm', baseUrl: 'http://h', topN: 3 } as never, /topN is not an option/],
])('options %o are refused', (options, message) => {
  expect(() => httpReranker(options as HttpRerankerOptions)).toThrow(message);
});

test('an abort ends the requests, and is thrown', async () => {
  const silent = await scripted('silence');
  const controller = new AbortController();
  const reason = new Error('enough');
  const call = at(silent, 'vllm', { batchSize: 1 }).rerank(QUERY, TEXTS, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 50);
  await expect(call).rejects.toBe(reason);
});
