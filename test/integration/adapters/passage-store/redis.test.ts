/** A real Redis, and several processes that write to one file. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { redisPassageStore, sqlitePassageStore } from 'context-shaping/passage-store';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeContract } from '../../../adapters/passage-store/contract.js';
import { freePort } from '../../../free-port.js';
import { mustHaveAll } from '../../../must-have-all.js';
import { temporaryFolder } from '../../../temporary-folder.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

describe.runIf(hasRedis || mustHaveAll)('Redis', () => {
  let url: string;
  let server: ReturnType<typeof spawn>;
  beforeAll(async () => {
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of server.stdout as NodeJS.ReadableStream)
      if (String(line).includes('Ready to accept')) break;
  });
  afterAll(() => void server.kill());

  let places = 0;
  storeContract('Redis', async () => {
    const prefix = `place ${places++}:`;
    return { open: () => redisPassageStore({ url, prefix }) };
  });

  test('entries are forgotten after their time; a given client stays open', async () => {
    await using client = Object.assign(new Redis(url), {
      [Symbol.asyncDispose]: async () => void client.disconnect(),
    });
    const store = await redisPassageStore({ client, ttl: 1, prefix: 'short:' });
    await store.set([['a', '1']]);
    expect(await client.ttl('short:a')).toBe(1);
    await store.close();
    expect(await client.ping()).toBe('PONG');
    while ((await store.get('a')) !== undefined) await pause(50);
    expect(await client.keys('short:*')).toEqual([]);
  });

  test('a server that is not there', async () => {
    const nowhere = `redis://user:secret@127.0.0.1:${await freePort()}`;
    const error = await redisPassageStore({ url: nowhere }).catch((error) => error);
    expect(error).toMatchObject({ kind: 'service', field: 'url' });
    expect(String(error)).not.toContain('secret');
  });
});

test('four processes write to one file of SQLite, which stays within its size', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const code = (name: number) => `
    import { sqlitePassageStore } from 'context-shaping/passage-store';
    const store = await sqlitePassageStore({ path: ${JSON.stringify(path)}, maxBytes: 20_000 });
    for (let at = 0; at < 100; at++) {
      const key = '${name}:' + at;
      await store.set([[key, key + 'x'.repeat(100)], ['last ${name}', key]]);
      if ((await store.get('last ${name}')) !== key) throw new Error('lost ' + key);
    }`;
  const options = ['--conditions=context-shaping-source', '--import', 'tsx', '--input-type=module', '-e'];
  const children = Array.from({ length: 4 }, (_, name) =>
    spawn(process.execPath, [...options, code(name)], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(ends.map(([exit]) => exit)).toEqual([0, 0, 0, 0]);
  await using store = await sqlitePassageStore({ path, maxBytes: 20_000 });
  const keys = [0, 1, 2, 3].flatMap((name) => Array.from({ length: 100 }, (_, at) => `${name}:${at}`));
  const values = await Promise.all(keys.map((key) => store.get(key)));
  const left = values.filter((value) => value !== undefined);
  expect(left.join('').length).toBeLessThanOrEqual(20_000);
  expect(left.length).toBeGreaterThan(150);
  for (const [at, value] of values.entries())
    expect([undefined, `${keys[at]}${'x'.repeat(100)}`]).toContain(value);
});
