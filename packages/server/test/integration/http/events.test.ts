/** Answers as server-sent events. */
import { request } from 'node:http';
import { createService, type Service, type ServiceOptions } from 'context-shaping-server';
import { afterEach, expect, test } from 'vitest';
import { ask, eventsOf, eventually, gate, post } from '../../http/support.js';

const EVENTS = { accept: 'text/event-stream', 'accept-encoding': 'gzip' };
let one: Service;

async function listening(options: ServiceOptions = {}): Promise<string> {
  one = await createService({ workers: 0, port: 0, logger: false, ...options });
  return `${await one.listen()}/v1/shape`;
}

afterEach(() => one.close());

test('every stage in its turn, then the result that is answered otherwise', async () => {
  const url = await listening();
  const body = ask('What does it cost?', 'It costs 5 euros.', 'It costs 5 Euros!', 'It is red.');
  const answer = await post(url, body, EVENTS);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('content-encoding')).toBeNull();
  const events = await eventsOf(answer);
  expect(events.at(-1)?.event).toBe('result');
  const result = events.pop()?.data as { chunks: object[]; report: { stages: object[] } };
  expect(events.map(({ event }) => event)).toEqual(result.report.stages.map(() => 'stage'));
  expect(events.map(({ data }) => data)).toMatchObject(
    result.report.stages.map((stage) => ({ ...stage, evicted: expect.any(Array) })),
  );
  expect(events[2]?.data).toMatchObject({
    name: 'exact-dedup',
    input: 3,
    kept: 2,
    evicted: [{ id: 'chunk 1' }],
  });
  const plain = await (await post(url, body)).json();
  expect(result.chunks).toEqual(plain.chunks);
  expect(result.report).toMatchObject({ evicted: plain.report.evicted, kept: plain.report.kept });
});

test('a request that is wrong from the start has its status', async () => {
  const answer = await post(await listening(), { query: 'Why?' }, EVENTS);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ status: 422, field: '$.chunks' });
});

test('a later failure comes as an event with the problem', async () => {
  const never = gate<number[][]>();
  const url = await listening({ timeLimitMs: 1500, setup: { embedder: { embed: () => never.opened } } });
  const events = await eventsOf(await post(url, ask('Why?', 'Because.', 'For a reason.'), EVENTS));
  expect(events.map(({ event }) => event)).toEqual(['stage', 'stage', 'stage', 'error']);
  expect(events.at(-1)?.data).toMatchObject({ status: 503, title: 'Service Unavailable' });
});

test('the first stages come while a later one still waits', async () => {
  const held = gate<number[][]>();
  const url = await listening({ setup: { embedder: { embed: () => held.opened } } });
  const answer = await post(url, ask('Why?', 'Because.', 'For a reason.'), EVENTS);
  const reader = answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let read = '';
  while (!read.includes('exact-dedup')) read += new TextDecoder().decode((await reader.read()).value);
  expect(read).not.toContain('event: result');
  held.open([
    [1, 0],
    [0, 1],
    [1, 1],
  ]);
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    read += new TextDecoder().decode(value);
  }
  expect(read).toMatch(/event: result\n.*\n\n$/);
});

test('does not wait for a disconnected client: the next in the queue is asked, and nothing breaks', async () => {
  const asked: number[] = [];
  const held = gate();
  const embed = async (texts: readonly string[]) => {
    asked.push(texts.length);
    await held.opened;
    return texts.map((_, at) => [1, at]);
  };
  const url = await listening({ setup: { embedder: { embed } }, maxQueue: 1 });
  const leave = (accept: string) => {
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json', accept } });
    sent.on('error', () => {});
    sent.end(JSON.stringify(ask('Why?', 'Because.', 'For a reason.')));
    return sent;
  };
  const first = leave('text/event-stream');
  await eventually(() => asked.length).toBe(1);
  const second = leave('application/json');
  await expect
    .poll(async () => (await fetch(`${new URL(url).origin}/metrics`)).text())
    .toMatch(/queue_length 1/);
  second.destroy();
  await expect
    .poll(async () => (await fetch(`${new URL(url).origin}/metrics`)).text())
    .toMatch(/queue_length 0/);
  first.destroy();
  const third = post(url, ask('Why?', 'Because.', 'For a reason.', 'Who knows?'));
  held.open();
  expect((await third).status).toBe(200);
  // The question and its chunks: of the first and the third.
  expect(asked).toEqual([3, 4]);
});
