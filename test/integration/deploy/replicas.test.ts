/** Several replicas behind a real nginx with the configuration of `deploy/`, and with a real Redis. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { propagation } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { createService, type ServiceOptions } from 'context-shaping-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask, eventsOf, eventually, gate, post } from '../../../packages/server/test/http/support.js';
import { sdk } from '../../adapters/telemetry/sdk.js';
import { newProject } from '../../built-package.js';
import { brokenOff, lost, outage, repeated } from '../../deploy/outage.js';
import { makeReplica, type Program, startNginx, startRedis, vectorServer } from '../../deploy/replicas.js';
import { mustHaveAll } from '../../must-have-all.js';
import { temporaryFolder } from '../../temporary-folder.js';

const has = (program: string) => spawnSync(program, ['-v']).error === undefined;
const CONNECTIONS = 8;
const BODY = ask('When did the bridge open?', 'The bridge opened in 1932.', 'Cats sleep all day.');

describe.runIf((has('nginx') && has('redis-server')) || mustHaveAll)('replicas as processes', () => {
  let program: Program;
  let project: string;
  beforeAll(async () => {
    project = await newProject();
    const setup = resolve(project, 'setup.js');
    cpSync('deploy/setup.js', setup);
    program = { main: join(project, 'node_modules/context-shaping-server/dist/main.js'), setup };
  });
  afterAll(() => rmSync(project, { recursive: true }));

  test('one is killed and another drained under load, and no request is lost', async () => {
    const result = await outage(program, 16, CONNECTIONS);
    expect(result.exitCode).toBe(0);
    const broken = brokenOff(result);
    expect(lost(result).filter((each) => !broken.includes(each))).toEqual([]);
    // The kill broke off requests, or found the replica absent; both are repeated.
    expect(repeated(result).length).toBeGreaterThan(0);
    // Both sides have logged each request by the id that its client gave it.
    const statuses = new Map(result.lines.map(({ requestId, status }) => [requestId, status]));
    const whole = result.asked.filter((each) => !broken.includes(each));
    for (const { id, status } of whole) expect([id, statuses.get(id)]).toEqual([id, status]);
    // The killed replica may have sent an answer to each connection, and not have logged it yet.
    expect(whole.filter(({ id }) => !result.atReplicas.has(id)).length).toBeLessThanOrEqual(CONNECTIONS);
  });

  test('a second signal ends a replica that drains', async () => {
    const options = { workers: 1, drainMs: 600_000 };
    const replica = await makeReplica(program, temporaryFolder(), { env: {}, options });
    onTestFinished(async () => void (await replica.stop('SIGKILL')));
    await replica.start();
    const stopped = replica.stop('SIGTERM');
    await eventually(async () => (await fetch(`${replica.url}/ready`)).status).toBe(503);
    expect((await post(`${replica.url}/v1/shape`, BODY)).status).toBe(200);
    await replica.stop('SIGTERM');
    // The signal has ended it.
    expect(await stopped).toBeNull();
  });

  test('the vectors of one replica are there for the others', async () => {
    const folder = temporaryFolder();
    const [vectors, redis] = [await vectorServer(), await startRedis()];
    onTestFinished(async () => void (await Promise.all([vectors.close(), redis.close()])));
    const env = { EMBEDDINGS_URL: vectors.url, EMBEDDINGS_MODEL: 'letters', REDIS_URL: redis.url };
    const replicas = await Promise.all(
      [0, 1, 2].map(() => makeReplica(program, folder, { env, options: { workers: 1 } })),
    );
    onTestFinished(async () => void (await Promise.all(replicas.map((each) => each.stop('SIGKILL')))));
    await Promise.all(replicas.map((each) => each.start()));
    const digests = new Set<string>();
    for (const { url } of replicas) {
      const answer = await post(`${url}/v1/shape`, { ...BODY, options: { k: 1 } });
      const { report } = await answer.json();
      expect(report.degradations).toEqual([]);
      expect(report.kept[0].features.cosine).toBeDefined();
      digests.add(report.digest);
      // The question and two texts, asked for by the first replica alone.
      expect(vectors.counts).toEqual({ requests: 1, texts: 3 });
    }
    expect(digests.size).toBe(1);
  });
});

describe.runIf(has('nginx') || mustHaveAll)('nginx before replicas', () => {
  /** Services of this process, and nginx before them. */
  async function balanced(...all: ServiceOptions[]) {
    const services = await Promise.all(
      all.map((options) => createService({ workers: 0, port: 0, logger: false, ...options })),
    );
    const ids: string[] = [];
    for (const { app } of services) app.addHook('onRequest', async ({ id }) => void ids.push(id));
    const urls = await Promise.all(services.map((each) => each.listen()));
    const nginx = await startNginx(
      temporaryFolder(),
      urls.map((url) => ({ url })),
    );
    onTestFinished(async () => {
      await nginx.close();
      await Promise.all(services.map((each) => each.close()));
    });
    return { services, ids, urls, nginx };
  }

  /** A setup whose first request waits for a permission to go on. */
  function held() {
    const [began, go] = [gate(), gate()];
    const embed = async (texts: readonly string[]) => {
      began.open();
      await go.opened;
      return texts.map((_, at) => [1, at]);
    };
    return { setup: { embedder: { embed } }, isBusy: began.opened, release: () => go.open() };
  }

  test('a request has one id on both sides, and it harms no log', async () => {
    const { nginx, ids } = await balanced({});
    const idOf = async (headers: Record<string, string>, path = '/health') =>
      (await fetch(nginx.url + path, { headers })).headers.get('x-request-id') as string;
    ids.length = 0;
    expect(await idOf({ 'x-request-id': 'order-66' })).toBe('order-66');
    const made = await idOf({});
    const inPlaceOfHarmful = await idOf({ 'x-request-id': '"}\\ {"status":200' });
    for (const each of [made, inPlaceOfHarmful]) expect(each).toMatch(/^[0-9a-f]{32}$/);
    expect(ids).toEqual(['order-66', made, inPlaceOfHarmful]);
    // nginx gives this answer alone.
    expect(await idOf({ 'x-request-id': 'order-67' }, '/metrics')).toBe('order-67');
    await expect
      .poll(() => nginx.lines().map(({ requestId }) => requestId))
      .toEqual(expect.arrayContaining([...ids, 'order-67']));
  });

  test('a shaping is in the trace of the client', async () => {
    const kit = sdk();
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    onTestFinished(() => propagation.disable());
    const { nginx } = await balanced({ setup: { options: { telemetry: kit.telemetry } } });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${trace}-b7ad6b7169203331-01`;
    expect((await post(`${nginx.url}/v1/shape`, BODY, { traceparent })).status).toBe(200);
    const [span] = kit.spans();
    expect(span?.spanContext().traceId).toBe(trace);
    expect(span?.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
  });

  test('events arrive as they are sent', async () => {
    const { setup, release } = held();
    const { nginx } = await balanced({ setup });
    const answer = await post(`${nginx.url}/v1/shape`, BODY, { accept: 'text/event-stream' });
    // The service goes on only now that the first event has come through.
    release();
    expect((await eventsOf(answer)).at(-1)?.event).toBe('result');
  });

  test('a replica with a full queue passes its requests on; if all are full, the client learns when to retry', async () => {
    const [one, other] = [held(), held()];
    const options = [one, other].map(({ setup }) => ({ maxQueue: 0, setup }));
    const { nginx, urls } = await balanced(...options);
    // nginx does not know of them.
    const work = urls.map((url) => post(`${url}/v1/shape`, BODY));
    await Promise.all([one.isBusy, other.isBusy]);
    const refused = await post(`${nginx.url}/v1/shape`, BODY);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('queue is full') });
    other.release();
    expect((await work[1])?.status).toBe(200);
    // nginx leaves each replica alone for a second.
    await expect
      .poll(async () => (await post(`${nginx.url}/v1/shape`, BODY)).status, { timeout: 60_000 })
      .toBe(200);
    await expect
      .poll(
        async () => {
          await post(`${nginx.url}/v1/shape`, BODY);
          return nginx.lines().map(({ statuses }) => statuses);
        },
        { timeout: 60_000 },
      )
      .toEqual(expect.arrayContaining(['503, 503', '503, 200']));
    one.release();
    expect((await work[0])?.status).toBe(200);
  });

  test('without a replica the answer is a problem with a time to retry', async () => {
    const { nginx, services } = await balanced({}, {});
    await Promise.all(services.map((each) => each.close()));
    // The first one finds no replica, the second one is not even tried.
    for (let at = 0; at < 2; at++) {
      const answer = await post(`${nginx.url}/v1/shape`, BODY, { 'x-request-id': `none-${at}` });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('x-request-id')).toBe(`none-${at}`);
      expect(await answer.json()).toMatchObject({ status: 503, remedy: 'Retry in one second.' });
    }
  });
});
