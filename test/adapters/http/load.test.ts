/** More requests than it can take, and the end of the service while some are under way. */
import { createService, type Service, type ServiceOptions } from 'context-shaping/http';
import { afterEach, expect, test } from 'vitest';
import { ask, eventually, gate, post } from './support.js';

let one: Service;

/** A service whose embedder answers when it is let. */
async function held(options: ServiceOptions = {}) {
  const { opened, open } = gate();
  const embed = async (texts: readonly string[]) => {
    await opened;
    return texts.map((_, at) => [1, at]);
  };
  one = await createService({
    workers: 0,
    port: 0,
    logger: false,
    setup: { embedder: { embed } },
    ...options,
  });
  const url = await one.listen();
  const metric = async (name: string) =>
    Number(new RegExp(`${name} (\\d+)`).exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  return { url, release: () => open(), metric };
}

afterEach(() => one.close());

const BODY = ask('Why?', 'Because.', 'For a reason.');

test('past the queue the answer is 503, with when to come back', async () => {
  const { url, release, metric } = await held({ maxQueue: 2 });
  const accepted = [0, 1, 2].map(() => post(`${url}/v1/shape`, BODY));
  await eventually(() => metric('queue_length')).toBe(2);
  const refused = await post(`${url}/v1/shape`, BODY);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ status: 503, title: 'Service Unavailable' });
  const events = await post(`${url}/v1/shape`, BODY, { accept: 'text/event-stream' });
  expect(events.status).toBe(503);
  const optimize = await post(`${url}/v1/optimize`, BODY);
  expect([optimize.status, await optimize.json()]).toEqual([503, { detail: expect.any(String) }]);
  release();
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('past the time limit the answer is 503, for who waits as for who is worked for', async () => {
  const { url, release } = await held({ timeLimitMs: 1500 });
  const answers = await Promise.all([post(`${url}/v1/shape`, BODY), post(`${url}/v1/shape`, BODY)]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  release();
  expect((await post(`${url}/v1/shape`, BODY)).status).toBe(200);
});

test('closing finishes what was accepted and takes nothing new', async () => {
  const { url, release, metric } = await held();
  const accepted = [post(`${url}/v1/shape`, BODY), post(`${url}/v1/shape`, BODY)];
  await eventually(() => metric('queue_length')).toBe(1);
  const closed = one.close();
  await eventually(() => fetch(`${url}/health`).catch(() => 'refused')).toBe('refused');
  release();
  const answers = await Promise.all(accepted);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close']);
  await closed;
});

test('closing waits no longer than it may', async () => {
  const { url, metric } = await held({ shutdownMs: 100 });
  const cut = post(`${url}/v1/shape`, BODY).then(
    () => 'answered',
    () => 'cut',
  );
  await eventually(() => metric('http_requests_in_flight')).toBe(2);
  await one.close();
  expect(await cut).toBe('cut');
});

test('metrics count what came and went', async () => {
  const { url, release } = await held();
  release();
  await post(`${url}/v1/shape`, { ...ask('Why?', 'Because.', 'because', 'So.'), options: { k: 1 } });
  await post(`${url}/v1/shape`, { query: 1 });
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /^context_shaping_/.test(line));
  expect(lines).toEqual(
    expect.arrayContaining([
      'context_shaping_chunks_total{direction="in"} 3',
      'context_shaping_chunks_total{direction="out"} 1',
      'context_shaping_evictions_total{reason="exact-duplicate"} 1',
      'context_shaping_evictions_total{reason="outranked"} 1',
      'context_shaping_http_request_duration_seconds_count{route="/v1/shape",method="POST",status="200"} 1',
      'context_shaping_http_request_duration_seconds_count{route="/v1/shape",method="POST",status="422"} 1',
      'context_shaping_worker_restarts_total 0',
    ]),
  );
  expect(text).toContain('process_cpu_seconds_total');
});
