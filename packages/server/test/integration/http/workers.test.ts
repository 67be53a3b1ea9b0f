/** Tests that need real workers: threads that die, threads that hang, and a service that gets a signal to end. */
import { createHash } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { type Running, serve, start } from '../../http/service-process.js';
import { ask, eventually, post, setupFile } from '../../http/support.js';

const running: Running[] = [];

async function fragile(args: string[] = [], env: Record<string, string> = {}): Promise<Running> {
  const MARKER = join(temporaryFolder(), 'marker');
  const service = await serve(['--setup', setupFile('fragile.mjs'), '--workers', '2', ...args], {
    MARKER,
    ...env,
  });
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const { kill, ended } of running.splice(0)) {
    kill('SIGTERM');
    await ended;
  }
});

const restartsOf = async ({ url }: Running) =>
  Number(/worker_restarts_total (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

test('a thread that dies takes no request with it', async () => {
  const service = await fragile();
  const bodies = Array.from({ length: 12 }, (_, at) =>
    ask(
      `Question ${at}?`,
      `Passage ${at} takes a while.`,
      at === 3 ? 'This one ends one thread.' : 'This does not.',
    ),
  );
  const answers = await Promise.all(bodies.map((body) => post(`${service.url}/v1/shape`, body)));
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
  const reports = await Promise.all(answers.map(async (answer) => (await answer.json()).report));
  expect(reports.map(({ query }) => query)).toEqual(bodies.map(({ query }) => query));
  expect(reports.flatMap(({ degradations }) => degradations)).toEqual([]);
  expect(await restartsOf(service)).toBe(1);
});

test('nor does one that runs out of memory', async () => {
  const service = await fragile([], { NODE_OPTIONS: '--max-old-space-size=128' });
  const bodies = [ask('Why?', 'This one fills the memory of one thread.'), ask('Why?', 'Because.')];
  const answers = await Promise.all(bodies.map((body) => post(`${service.url}/v1/shape`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await restartsOf(service)).toBe(1);
});

test('workers find modules that are loaded on demand', async () => {
  const { url } = await fragile();
  const options = { budget: { maxTokens: 40 }, tokenizer: 'cl100k_base' };
  const body = { ...ask('What does it cost?', 'It costs 5 euros. '.repeat(20), 'It is red.'), options };
  const answer = await post(`${url}/v1/shape`, body);
  expect(answer.status).toBe(200);
  expect((await answer.json()).report.tokens.output).toBeLessThanOrEqual(40);
});

test('what ends every thread is given up, and says nothing of why', async () => {
  const service = await fragile();
  const answer = await post(`${service.url}/v1/shape`, ask('Why?', 'This one ends every thread.'));
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'The service failed. The operator’s log has the reason under the id of this request.',
  });
  expect(await restartsOf(service)).toBe(3);
  expect((await post(`${service.url}/v1/shape`, ask('Why?', 'Because.'))).status).toBe(200);
});

test('logs a client that disconnects while waiting as gone, not as a failure', async () => {
  const service = await fragile(['--workers', '1']);
  const body = ask('Why?', 'This one takes a while.');
  const others = Array.from({ length: 5 }, () => post(`${service.url}/v1/shape`, body));
  const gone = new AbortController();
  const left = post(`${service.url}/v1/shape`, body, {}, gone.signal);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  // With the one that asks for the metrics.
  await eventually(metrics).toMatch(/requests_in_flight 7/);
  gone.abort();
  await expect(left).rejects.toThrow();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  service.kill('SIGTERM');
  await service.ended;
  const lines = service.log.map((line) => JSON.parse(line));
  const statuses = lines.filter(({ route }) => route === '/v1/shape').map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 499]);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
});

test('stops the work of a disconnected client, and the thread goes on to the next', async () => {
  const service = await fragile(['--workers', '1']);
  const body = { ...ask('Why?', 'This one waits to be told.', 'Because.') };
  for (const route of ['shape', 'optimize']) {
    const gone = new AbortController();
    const scored = { ...body, chunks: body.chunks.map((chunk) => ({ ...chunk, score: 1 })) };
    const left = post(`${service.url}/v1/${route}`, scored, {}, gone.signal);
    await eventually(async () => (await fetch(`${service.url}/metrics`)).text()).toMatch(/in_flight 2/);
    gone.abort();
    await expect(left).rejects.toThrow();
    expect((await post(`${service.url}/v1/shape`, ask('Why?', 'Because.'))).status).toBe(200);
  }
  expect(await restartsOf(service)).toBe(0);
});

test('past the time limit the thread is replaced', async () => {
  const service = await fragile(['--config', setupFile('hasty.json')]);
  const [late, ...others] = await Promise.all([
    post(`${service.url}/v1/shape`, ask('Why?', 'This one never answers.')),
    post(`${service.url}/v1/shape`, ask('Why?', 'Because.')),
    post(`${service.url}/v1/shape`, ask('Why not?', 'Because.')),
  ]);
  expect(late?.status).toBe(503);
  expect(await late?.json()).toMatchObject({ detail: 'The work was not finished within 4000 ms.' });
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect((await post(`${service.url}/v1/shape`, ask('Why?', 'Because.'))).status).toBe(200);
  expect((await fetch(`${service.url}/ready`)).status).toBe(200);
});

test('a signal to end under load: it answers all accepted requests, and leaves with 0', async () => {
  const service = await fragile();
  const asked = Array.from({ length: 8 }, (_, at) =>
    post(`${service.url}/v1/shape`, ask(`Question ${at}?`, `Passage ${at} takes a while.`)),
  );
  await eventually(async () => (await fetch(`${service.url}/metrics`)).text()).toMatch(/queue_length [1-9]/);
  service.kill('SIGTERM');
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(await service.ended).toBe(0);
  await expect(fetch(`${service.url}/health`)).rejects.toThrow();
});

test.each(['1', '0'])('told to end while a setup hangs (%s workers), it ends', async (workers) => {
  const MARKER = join(temporaryFolder(), 'marker');
  const { child, ended } = start(['--setup', setupFile('hangs.mjs'), '--workers', workers], { MARKER });
  await eventually(() => existsSync(MARKER)).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.runIf(existsSync('/dev/full'))('a full disk costs lines of the log, not the service', async () => {
  const service = await serve(['--workers', '1'], {}, openSync('/dev/full', 'w'));
  running.push(service);
  expect((await post(`${service.url}/v1/shape`, ask('Why?', 'Because.'))).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('the log has one line for each request, and nothing of its content', async () => {
  const key = 'whispered-key';
  const sha256 = createHash('sha256').update(key).digest('hex');
  const service = await serve(['--workers', '1'], { CONTEXT_SHAPING_API_KEYS: `reader:${sha256}` });
  running.push(service);
  const url = `${service.url}/v1/shape?secret=whispered`;
  const body = {
    ...ask('Who whispered?', 'Nobody whispered.', 'Nobody whispered!'),
    query: { text: 'Who whispered?', embedding: [0.7171] },
  };
  await post(url, body, { authorization: `Bearer ${key}`, 'x-request-id': 'the-first' });
  await post(url, body, { authorization: 'Bearer whispered-guess' });
  await post(url, '{"whispered', { 'x-api-key': key });
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  const lines = service.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const common = { method: 'POST', route: '/v1/shape', milliseconds: expect.any(Number) };
  expect(lines).toMatchObject([
    { ...common, status: 200, requestId: 'the-first', key: 'reader', chunksIn: 2, chunksOut: 1 },
    { ...common, status: 401 },
    { ...common, status: 422, key: 'reader' },
  ]);
  expect(service.log.join('\n')).not.toMatch(/whispered|7171/);
});

test.each([
  ['a module that is not there', ['--setup', 'no-such-file.js'], /setup cannot be loaded/],
  ['a setup with wrong options', ['--setup', setupFile('wrong.mjs')], /budget\.maxTokens must be at least 1/],
])('%s is found out at the start', async (_, args, message) => {
  await Promise.all([
    expect(serve(['--workers', '2', ...args])).rejects.toThrow(message),
    expect(serve(['--workers', '0', ...args])).rejects.toThrow(message),
  ]);
});

test('a setup that ends its thread is found out at the start', async () => {
  await expect(serve(['--workers', '2', '--setup', setupFile('ends.mjs')])).rejects.toThrow(
    /workers could not start: worker exited with code: 3/,
  );
});
