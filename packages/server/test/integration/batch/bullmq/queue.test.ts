/** A batch through a real Redis: several workers, killed processes, and a Redis that goes away. */
import { existsSync, statSync } from 'node:fs';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../../../test/free-port.js';
import { mustHaveAll } from '../../../../../../test/must-have-all.js';
import { queueExecutor } from '../../../../src/batch/queue.js';
import { FRAGILE, files, request, worker } from '../../../batch/bullmq/processes.js';
import { hasRedis, type RedisServer, redisServer } from '../../../batch/bullmq/redis-server.js';

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => (at % 40 === 7 ? 'no JSON' : request(at)));
const never = new AbortController().signal;
const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const settings = { options: {}, report: false, timeoutMs: 60_000 };

describe.runIf(hasRedis || mustHaveAll)('a queue', { timeout: 300_000 }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer();
  });
  afterAll(() => redis.kill());

  let queues = 0;
  const named = () => `queue-${queues++}`;
  const executor = (queueName: string, told: string[] = []) =>
    queueExecutor({ queue: redis.url, queueName, tell: (said) => void told.push(said) }, settings);

  /** The outputs of the same batch in threads of the command. */
  async function locally(lines: readonly (string | object)[], ...args: string[]) {
    const local = files(lines);
    await local.run('--workers', '2', ...args).outcome;
    return local.outputs();
  }

  test('two workers shape what threads of the command shape, wrong lines too', async () => {
    const name = named();
    const lines = [
      ...many(200),
      request(200, 'It ends every thread.'),
      request(201, 'It throws.'),
      ...many(50),
    ];
    const args = ['--queue-name', name];
    await worker(redis.url, ...args, '--setup', FRAGILE);
    const other = await worker(redis.url, ...args, '--setup', FRAGILE);
    const { run, outputs } = files(lines);
    const queue = new Queue(`${name}-1.0.0-rc.1`, { connection: { url: redis.url } });
    let most = 0;
    const looking = setInterval(async () => {
      const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts();
      most = Math.max(most, waiting + active + delayed);
    }, 20);
    const { code, stderr } = await run('--queue', redis.url, ...args).outcome;
    clearInterval(looking);
    expect(stderr).toContain('252 lines: 243 shaped, 9 rejected');
    expect(code).toBe(3);
    expect(outputs()).toEqual(await locally(lines, '--setup', FRAGILE));
    expect(most).toBeGreaterThan(2);
    // Nothing of the batch is left.
    expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, active: 0, completed: 0, failed: 0 });
    expect((await queue.getJobs()).length).toBe(0);
    await queue.close();
    other.kill('SIGTERM');
    expect((await other.outcome).code).toBe(0);
  });

  test('a worker is killed: another takes its lines', async () => {
    const args = ['--queue-name', named(), '--setup', FRAGILE];
    const first = await worker(redis.url, ...args);
    const lines = Array.from({ length: 12 }, (_, at) => request(at, `It takes a while: ${at}?`));
    const { run, outputs } = files(lines);
    const batch = run('--queue', redis.url, '--queue-name', args[1] as string);
    batch.child.once('exit', () => {});
    // A line takes a second, so the worker has some.
    const queue = new Queue(`${args[1]}-1.0.0-rc.1`, { connection: { url: redis.url } });
    await expect.poll(() => queue.getActiveCount(), { timeout: 60_000 }).toBeGreaterThan(0);
    await queue.close();
    first.kill('SIGKILL');
    await worker(redis.url, ...args);
    const { code } = await batch.outcome;
    expect(code).toBe(0);
    expect(outputs()).toEqual(await locally(lines, '--setup', FRAGILE));
  });

  test('the command is killed: started again, it goes on', async () => {
    const args = ['--queue', redis.url, '--queue-name', named()];
    const lines = many(1500);
    const { run, outputs, out } = files(lines);
    await worker(redis.url, ...args.slice(2));
    const killed = run(...args);
    const size = () => (existsSync(out) ? statSync(out).size : 0);
    await expect.poll(size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    killed.child.kill('SIGKILL');
    expect((await killed.outcome).code).toBe(null);
    expect(existsSync(`${out}.checkpoint`)).toBe(true);
    expect((await run(...args).outcome).code).toBe(3);
    expect(outputs()).toEqual(await locally(lines));
  });

  test('without a worker it says so, and waits until it is stopped; nothing is left', async () => {
    const told: string[] = [];
    const name = named();
    const one = await executor(name, told);
    expect(told).toEqual([
      `No worker is connected to the queue ${name}-1.0.0-rc.1. Start one with context-shaping-server worker --queue.`,
    ]);
    const stop = new AbortController();
    const waiting = one.run({ line: 1, bytes: encode(request(1)) }, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await one.close();
  });

  test('Redis goes away and comes back without its memory: nothing is lost', async () => {
    const own = await redisServer();
    const lines = many(1500);
    const { run, outputs, out } = files(lines);
    const one = await worker(own.url);
    const batch = run('--queue', own.url);
    await expect
      .poll(() => (existsSync(out) ? statSync(out).size : 0), { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(0);
    await own.kill();
    await one.says(/cannot be reached\. Waiting for it\./);
    await own.start();
    const { code, stderr } = await batch.outcome;
    expect(stderr).toMatch(
      /redis:\/\/127\.0\.0\.1:\d+ cannot be reached\. Waiting for it\.\n[\s\S]*is back\./,
    );
    expect(code).toBe(3);
    expect(outputs()).toEqual(await locally(lines));
    await own.kill();
  });

  test('two batches share a queue, and two workers', async () => {
    const args = ['--queue-name', named()];
    await worker(redis.url, ...args);
    await worker(redis.url, ...args);
    const batches = [many(300), many(330).map((_, at) => request(1000 + at))].map((lines) => {
      const { run, outputs } = files(lines);
      return { lines, outputs, outcome: run('--queue', redis.url, ...args).outcome };
    });
    for (const { lines, outputs, outcome } of batches) {
      await outcome;
      expect(outputs()).toEqual(await locally(lines));
    }
  });

  test('a line that ends every process is given up after four', async () => {
    const name = named();
    const one = await executor(name);
    const answer = one.run({ line: 1, bytes: encode(request(1, 'It ends the process.')) }, never);
    const good = one.run({ line: 2, bytes: encode(request(2)) }, never);
    let isOver = false;
    const over = Promise.all([answer, good]).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const next = await worker(redis.url, '--queue-name', name, '--setup', FRAGILE).catch(() => undefined);
      await Promise.race([next?.outcome, over]);
    }
    const [rejected, shaped] = await over;
    expect(rejected).toEqual({
      is: 'rejected',
      problem: { detail: 'No worker could shape the line: job stalled more than allowable limit.' },
    });
    expect(shaped.is).toBe('shaped');
    await one.close();
  });

  test('a password is needed, is not shown, and may be in the environment', async () => {
    const own = await redisServer('--requirepass', 'secret-word');
    const address = own.url.replace('//', '//:wrong-word@');
    const { run } = files([request(1)]);
    const refused = await run('--queue', address).outcome;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/--queue cannot be reached: .*WRONGPASS/);
    expect(refused.stderr).not.toContain('wrong-word');
    const told: string[] = [];
    const tell = (said: string) => void told.push(said);
    const one = await queueExecutor({ queue: own.url, password: 'secret-word', tell }, settings);
    await one.close();
    expect(told).toEqual([expect.stringMatching(/^No worker is connected/)]);
    await own.kill();
  });

  test('addresses that are wrong are named without what may be secret', async () => {
    const { run } = files([request(1)]);
    const nowhere = `redis://user:secret@127.0.0.1:${await freePort()}`;
    const [missing, wrong] = await Promise.all([
      run('--queue', nowhere).outcome,
      files([request(1)]).run('--queue', 'http://user:secret@host').outcome,
    ]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('connection refused') });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--queue is not an address of Redis'),
    });
    expect(missing.stderr + wrong.stderr).not.toContain('secret');
  });

  test('a Redis that may drop keys is pointed out', async () => {
    const own = await redisServer('--maxmemory-policy', 'allkeys-lru');
    const one = await worker(own.url);
    await one.says(/Eviction policy is allkeys-lru\. It should be "noeviction"/);
    await own.kill();
  });
});
