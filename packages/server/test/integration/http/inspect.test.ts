/** `/inspect`: the runs that each key may see, the content of a run, and the rights of the page. */
import { createHash } from 'node:crypto';
import type { Embedder, ShapingReport } from 'context-shaping';
import { type InspectorRun, inspectorPolicy } from 'context-shaping/inspector';
import { type ContextLockfile, openLockfile } from 'context-shaping/lockfile';
import { fakeEmbedder } from 'context-shaping/testing';
import type { Service } from 'context-shaping-server';
import { describe, expect, test } from 'vitest';
import { ask, eventsOf, post, service } from '../../http/support.js';

const TEXTS = ['It costs 5 euros.', 'It costs 5 Euros!', 'It is red.'];
const shape = async ({ app }: Service, question: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/shape',
    headers: { 'content-type': 'application/json', ...headers },
    payload: { ...ask(question, ...TEXTS), options: { k: 1 } },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json() as { report: ShapingReport };
};
type Run = InspectorRun & { name: string };
const runsOf = (html: string): Run[] =>
  JSON.parse(/id="context-shaping-data">([^<]*)</.exec(html)?.[1] ?? '').runs;
const inspected = async ({ app }: Service, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ url: '/inspect', headers });
  expect(answer.statusCode).toBe(200);
  return runsOf(answer.body);
};
const names = (runs: readonly Run[]) => runs.map(({ name }) => name);

test('is not there unless the operator turns it on, and then nothing is kept', async () => {
  const one = await service();
  await shape(one, 'What does it cost?');
  expect((await one.app.inject('/inspect')).statusCode).toBe(404);
  expect((await one.app.inject('/')).json()).not.toHaveProperty('inspect');
  expect((await one.app.inject('/metrics')).body).not.toContain('inspect');
});

describe('the runs', () => {
  test('are the last ones, the latest first, with the reports that callers got', async () => {
    const one = await service({ inspect: { last: 2 } });
    expect(await inspected(one)).toEqual([]);
    const [, second, third] = [
      await shape(one, 'One?'),
      await shape(one, 'Two?'),
      await shape(one, 'Three?'),
    ];
    const runs = await inspected(one);
    expect(runs).toEqual([
      { name: 'Three?', origin: expect.stringMatching(/^\d{4}-.*Z$/), report: third.report },
      { name: 'Two?', origin: expect.any(String), report: second?.report },
    ]);
    expect(JSON.stringify(runs)).not.toContain('euros');
  });

  test('with texts can be shaped again, and services are asked once', async () => {
    const asked: string[] = [];
    const fake = fakeEmbedder();
    const embedder: Embedder = {
      ...{ provider: 'a', modelId: 'b' },
      embed: (texts, call) => {
        asked.push(...texts);
        return fake.embed(texts, call);
      },
    };
    const one = await service({ inspect: { texts: true }, setup: { embedder } });
    const { report } = await shape(one, 'What does it cost?');
    expect(report.degradations).toEqual([]);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    const [run] = await inspected(one);
    expect(run?.report).toEqual(report);
    const again = openLockfile(run?.lockfile as never);
    expect((await again.at()).report.digest).toBe(report.digest);
    expect((await again.at({ k: 2 })).chunks.map(({ text }) => text)).toEqual([TEXTS[0], TEXTS[2]]);
  });

  test('say no more of the operator’s services than the answers do', async () => {
    const embedder: Embedder = {
      embed: async () => {
        throw new Error('http://10.0.0.1 refused the key');
      },
    };
    const one = await service({ inspect: { texts: true }, setup: { embedder } });
    const { report } = await shape(one, 'What does it cost?');
    expect(report.degradations[0]?.code).toBe('embedder-failed');
    const page = (await one.app.inject('/inspect')).body;
    expect(page).not.toContain('10.0.0.1');
    const [run] = runsOf(page);
    expect(run?.lockfile).toMatchObject({ report: { digest: report.digest } });
    expect(() => openLockfile(run?.lockfile as ContextLockfile)).not.toThrow();
  });

  test('have at most as many bytes as the operator allows; a larger run is not kept, and displaces none', async () => {
    const bytesOf = async (one: Service) =>
      Number(/^context_shaping_inspect_bytes (\d+)$/m.exec((await one.app.inject('/metrics')).body)?.[1]);
    const wide = await service({ inspect: {} });
    await shape(wide, 'One?');
    const one = await bytesOf(wide);
    expect(one).toBeGreaterThan(500);
    const tight = await service({ inspect: { maxBytes: Math.round(2.5 * one) } });
    for (const question of ['One?', 'Two?', 'Six?']) await shape(tight, question);
    expect(names(await inspected(tight))).toEqual(['Six?', 'Two?']);
    expect(await bytesOf(tight)).toBeLessThanOrEqual(2.5 * one);
    await shape(tight, `Why ${'so '.repeat(2 * one)}long?`);
    expect(names(await inspected(tight))).toEqual(['Six?', 'Two?']);
  });
});

describe('keys', () => {
  const apiKeys = ['ann', 'bob', 'ops'].map((name) => ({
    name,
    sha256: createHash('sha256').update(`key of ${name}: é`).digest('hex'),
  }));
  const keyOf = (name: string) => Buffer.from(`key of ${name}: é`).toString('latin1');
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const keyed = () => service({ apiKeys, inspect: { seeAll: ['ops'] } });

  test('each sees the runs of its own requests; only those that the operator names see all', async () => {
    const one = await keyed();
    await shape(one, 'Of Ann?', { 'x-api-key': keyOf('ann') });
    await shape(one, 'Of Bob?', { 'x-api-key': keyOf('bob') });
    expect(names(await inspected(one, { 'x-api-key': keyOf('ann') }))).toEqual(['Of Ann?']);
    expect(names(await inspected(one, { authorization: basic('bob:key of bob: é') }))).toEqual(['Of Bob?']);
    expect(names(await inspected(one, { authorization: basic(':key of ops: é') }))).toEqual([
      'Of Bob?',
      'Of Ann?',
    ]);
    // A name that the reader types is no name of a key.
    expect(names(await inspected(one, { authorization: basic('ops:key of ann: é') }))).toEqual(['Of Ann?']);
  });

  test.each([
    ['none', {}],
    ['an unknown password', { authorization: basic('ops:key of ops') }],
    ['no password', { authorization: basic('key of ops: é') }],
    ['an empty one', { authorization: basic('ops:') }],
    ['no base64', { authorization: 'Basic key of ops: é' }],
  ])('with %s a browser is asked for one', async (_, headers) => {
    const { app } = await keyed();
    const answer = await app.inject({ url: '/inspect', headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="context-shaping", charset="UTF-8"');
    expect(answer.json()).toMatchObject({ status: 401, remedy: expect.stringContaining('password') });
  });

  test('as a password are for this page alone, because browsers send them again by themselves', async () => {
    const { app } = await keyed();
    const headers = { authorization: basic('ops:key of ops: é') };
    for (const url of ['/metrics', '/openapi.json'])
      expect((await app.inject({ url, headers })).statusCode).toBe(401);
    const shaped = await app.inject({ method: 'POST', url: '/v1/shape', headers, payload: ask('Why?') });
    expect(shaped.statusCode).toBe(401);
  });

  test('guesses count against the limit', async () => {
    const { app } = await service({ apiKeys, inspect: {}, rateLimit: { max: 1 } });
    const headers = { authorization: basic('a:guess') };
    expect((await app.inject({ url: '/inspect', headers })).statusCode).toBe(401);
    expect((await app.inject({ url: '/inspect', headers })).statusCode).toBe(429);
  });

  test('that see all must be keys', async () => {
    await expect(service({ apiKeys, inspect: { seeAll: ['root'] } })).rejects.toThrow(
      'inspect.seeAll must have only names of entries of apiKeys',
    );
  });
});

test.each([
  ['localhost:8000', 200],
  ['127.0.0.1:8000', 200],
  ['[::1]:8000', 200],
  ['LOCALHOST', 200],
  ['a.example', 403],
  ['127.0.0.1.a.example', 403],
  ['localhost.a.example:80', 403],
])(
  'without keys a request to %j is answered with %i: no other site may lead a browser here',
  async (host, status) => {
    const { app } = await service({ inspect: {}, trustProxy: true });
    const headers = { host, 'x-forwarded-host': 'localhost' };
    expect((await app.inject({ url: '/inspect', headers })).statusCode).toBe(status);
  },
);

test('the page runs nothing but its own program, and no other site reads or frames it', async () => {
  const { app } = await service({ inspect: {}, cors: ['*'] });
  const { headers } = await app.inject({ url: '/inspect', headers: { origin: 'https://a.example' } });
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${inspectorPolicy}; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('a service as a user starts it, with threads, keeps the runs of plain answers and of events', async () => {
  const { serve } = await import('../../http/service-process.js');
  const { url, kill, ended, log } = await serve(['--inspect', '2', '--workers', '2']);
  for (const question of ['One?', 'Two?'])
    await (await post(`${url}/v1/shape`, ask(question, ...TEXTS))).text();
  const events = await eventsOf(
    await post(`${url}/v1/shape`, ask('Three?', ...TEXTS), { accept: 'text/event-stream' }),
  );
  const { report } = (events.at(-1) as { data: { report: ShapingReport } }).data;
  const page = await fetch(`${url}/inspect`);
  const runs = runsOf(await page.text());
  expect(names(runs)).toEqual(['Three?', 'Two?']);
  expect(runs[0]?.report).toEqual(report);
  kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(log.join('\n')).toContain('"route":"/inspect"');
  expect(log.join('\n')).not.toContain('Three?');
});
