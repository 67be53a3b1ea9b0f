/** The behaviour of the service that all requests share: limits, errors, ids, access. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ContextShapingError, type ShapingReport } from 'context-shaping';
import { createService } from 'context-shaping-server';
import { describe, expect, test } from 'vitest';
import { ask, service } from '../../http/support.js';

const BODY = ask('What does it cost?', 'It costs 5 euros.', 'It costs 5 Euros!', 'It is red.');
const JSON_TYPE = { 'content-type': 'application/json' };
const shape = (body: unknown = BODY, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url: '/v1/shape',
  headers: { ...JSON_TYPE, ...headers },
  payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

/** So deep that the value can be read, but not be written again. */
const nested = (field: string) =>
  `{"query":"Why?","chunks":[{"id":"a","text":"b","${field}":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`;

test('chunks go in, and come back shaped, with the report', async () => {
  const { app } = await service();
  const answer = await app.inject(shape({ ...BODY, options: { k: 1 } }));
  expect(answer.statusCode).toBe(200);
  expect(answer.json().chunks).toMatchObject([{ id: 'chunk 0', text: 'It costs 5 euros.', index: 0 }]);
  expect(answer.json().report).toMatchObject({
    query: BODY.query,
    input: ['chunk 0', 'chunk 1', 'chunk 2'],
    evicted: [
      { id: 'chunk 1', reason: 'exact-duplicate' },
      { id: 'chunk 2', reason: 'outranked' },
    ],
  });
});

describe('problems', () => {
  test.each([
    ['is no JSON', shape('{'), 400, undefined],
    ['is empty', shape(''), 400, undefined],
    ['is not UTF-8', shape(Buffer.from([0x22, 0xff, 0x22])), 400, undefined],
    ['has no chunks', shape({ query: 'Why?' }), 422, '$.chunks'],
    ['has a chunk without text', shape({ query: 'Why?', chunks: [{ id: 'a' }] }), 422, '$.chunks[0].text'],
    ['has an unknown option', shape({ ...BODY, options: { K: 1 } }), 422, '$.options.K'],
    ['brings a service', shape({ ...BODY, options: { ecs: { model: {} } } }), 422, '$.options.ecs.model'],
    ['has too many chunks', shape(ask('Why?', ...'abcdefghijk')), 422, '$.chunks'],
    ['is nested without end', shape(nested('metadata')), 422, '$.chunks[0]'],
    ['is nested in what is not known', shape(nested('mine')), 422, '$.chunks[0]'],
    ['is of another type', shape(BODY, { 'content-type': 'text/plain' }), 415, undefined],
    ['is compressed in an unknown way', shape(BODY, { 'content-encoding': 'zip' }), 415, undefined],
    ['is not what it says', shape(BODY, { 'content-encoding': 'gzip' }), 400, undefined],
    ['is too large', shape({ ...BODY, more: 'x'.repeat(600_000) }), 413, undefined],
  ])('a body that %s', async (_, request, status, field) => {
    const { app } = await service({ maxChunks: 10, bodyLimit: 500_000 });
    const answer = await app.inject(request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = answer.json();
    expect(problem).toMatchObject({ type: 'about:blank', status, title: expect.any(String) });
    expect(problem.detail).toMatch(/\.$|^[A-Z]/);
    expect(problem.field).toBe(field);
    expect(answer.body).not.toMatch(/\bat .*:\d+/);
  });

  test('reach clients that send everything before they read', async () => {
    const { listen } = await service({ bodyLimit: 10_000_000 });
    const { hostname, port } = new URL(await listen());
    const body = Buffer.alloc(19_000_000, ' ');
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const head = `POST /v1/shape HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).write(head);
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    const [answer] = await once(socket.resume(), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  test('are short, for names of any length', async () => {
    const { app } = await service();
    const answer = await app.inject(shape({ ...BODY, ['long'.repeat(10_000)]: 1 }));
    expect(answer.statusCode).toBe(422);
    expect(answer.body.length).toBeLessThan(2000);
  });

  test('of the service itself say nothing of why', async () => {
    const { app } = await service();
    app.addHook('preHandler', async () => {
      throw new Error('the secret plan');
    });
    const answer = await app.inject(shape());
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret');
  });

  test('of the services that the operator chose are reported to the client without the reason, which the operator gets', async () => {
    const fail = async () => {
      throw new Error('the secret address');
    };
    const reasons: string[] = [];
    const options = {
      errorMessages: true,
      onReport: ({ degradations }: ShapingReport) => {
        reasons.push(...degradations.map(({ message }) => message));
        throw new Error('the secret table');
      },
    };
    const { app } = await service({ setup: { embedder: { embed: fail }, options } });
    const { body } = await app.inject(shape());
    expect(body).toContain('embedder-failed');
    expect(body).not.toContain('secret');
    const optimized = await app.inject({ ...shape(), url: '/v1/optimize' });
    expect(optimized.statusCode).toBe(200);
    expect(optimized.body).not.toContain('secret');
    expect((await app.inject('/metrics')).body).toContain(
      'context_shaping_degradations_total{code="embedder-failed"} 2',
    );
    expect(reasons[0]).toContain('the secret address');
  });

  test('have the form of FastAPI on the route for SlimContext’s clients', async () => {
    const { app } = await service({ bodyLimit: 100 });
    const optimize = { ...shape('x'.repeat(200)), url: '/v1/optimize' };
    const tooLarge = await app.inject(optimize);
    expect(tooLarge.statusCode).toBe(413);
    expect(tooLarge.json()).toEqual({ detail: expect.any(String) });
    const plain = await app.inject({ ...optimize, headers: { 'content-type': 'text/plain' }, payload: '{}' });
    expect(plain.statusCode).toBe(422);
    expect(plain.json()).toMatchObject({ detail: [{ loc: ['body'] }] });
    const missing = await app.inject('/v1/nothing');
    expect([missing.statusCode, missing.json()]).toEqual([404, { detail: 'Not Found' }]);
    const slash = await app.inject({ ...shape('{}'), url: '/v1/optimize/' });
    expect([slash.statusCode, slash.json()]).toMatchObject([422, { detail: [{ loc: ['body', 'chunks'] }] }]);
  });
});

describe('ids of requests', () => {
  test.each(['0123-abc', 'a/b:c=d@e.f_g+h'])('%s is taken over', async (id) => {
    const { app } = await service();
    const { headers } = await app.inject({ url: '/health', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
  });

  test('a request without one gets one', async () => {
    const { app } = await service();
    expect((await app.inject('/health')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('keys', () => {
  const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
  const apiKeys = [
    { name: 'first', sha256: sha256('key one') },
    { name: 'second', sha256: sha256('key-two').toUpperCase() },
    { name: 'third', sha256: sha256('clé') },
  ];

  test.each([
    [{ authorization: 'Bearer key-two' }, 200],
    [{ authorization: 'bearer key-two' }, 200],
    [{ 'x-api-key': 'key one' }, 200],
    [{ 'x-api-key': Buffer.from('clé').toString('latin1') }, 200],
    [{ 'x-api-key': 'key-tw' }, 401],
    [{ 'x-api-key': sha256('key-two') }, 401],
    [{ authorization: 'Basic key-two' }, 401],
    [{}, 401],
  ])('%j is answered with %i', async (headers, status) => {
    const { app } = await service({ apiKeys });
    const answer = await app.inject(shape(BODY, headers as Record<string, string>));
    expect(answer.statusCode).toBe(status);
    if (status === 401) {
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json()).toMatchObject({ status: 401 });
    }
  });

  test.each([
    ['/health', 200],
    ['/ready', 200],
    ['/metrics', 401],
    ['/openapi.json', 401],
    ['/nothing', 404],
  ])('without one %s is answered with %i', async (url, status) => {
    const { app } = await service({ apiKeys });
    expect((await app.inject(url)).statusCode).toBe(status);
  });

  test('that are no digests are refused, without being shown', async () => {
    const wrong = createService({ workers: 0, apiKeys: [{ name: 'a', sha256: 'my-own-key' }] });
    await expect(wrong).rejects.toThrow(/apiKeys must have a sha256 of 64 hexadecimal digits/);
    await expect(wrong).rejects.not.toThrow(/my-own-key/);
  });
});

describe('compression', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('%s is understood, and answered with', async (encoding, compress) => {
    const { app } = await service();
    const headers = { 'content-encoding': encoding, 'accept-encoding': encoding };
    const answer = await app.inject(shape(compress(JSON.stringify(BODY)), headers));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a bomb (%s) is too large once it is as large as a body may be', async (encoding, compress) => {
    const one = await service({ bodyLimit: 100_000 });
    const url = await one.listen();
    const bomb = compress(Buffer.alloc(50_000_000, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    const answer = await fetch(`${url}/v1/shape`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-encoding': encoding },
      body: bomb,
    });
    expect(answer.status).toBe(413);
  });
});

test('does not wait for a client that sends too slowly', async () => {
  const one = await service();
  Object.assign(one.app.server, { headersTimeout: 300, requestTimeout: 300 });
  const { port } = new URL(await one.listen());
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    'POST /v1/shape HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('an option that is wrong is named', async () => {
  const error = await createService({ workers: 0, port: 70_000 }).catch((thrown) => thrown);
  expect(ContextShapingError.isInstance(error)).toBe(true);
  expect(error.message).toBe('port must be at most 65535 (got 70000). Correct port, or leave it out.');
  await expect(createService({ workers: 1, setup: {} })).rejects.toThrow(
    /^setup must be the path of a module/,
  );
  await expect(createService({ workers: 0, setup: { embeder: 1 } as never })).rejects.toThrow(
    /^setup\.embeder is not a known key/,
  );
});
