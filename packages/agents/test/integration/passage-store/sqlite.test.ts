import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlitePassageStore } from 'context-shaping-agents/passage-store';
import { afterAll, describe, expect, test } from 'vitest';
import { mustHaveAll } from '../../../../../test/must-have-all.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { storeContract } from '../../passage-store/contract.js';

/** `node:sqlite`, or `better-sqlite3` as `npm run setup:all` builds it. */
const temporary = mkdtempSync(join(tmpdir(), 'context-shaping-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const hasSqlite = await sqlitePassageStore({ path: join(temporary, 'store') }).then(
  async (store) => {
    await store.close();
    return true;
  },
  () => false,
);

describe.runIf(hasSqlite || mustHaveAll)('SQLite', () => {
  storeContract('SQLite', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'store.sqlite');
    return { open: () => sqlitePassageStore({ path }) };
  });

  test('the file and its folder are for this user alone', async () => {
    const path = join(temporaryFolder(), 'state', 'store.sqlite');
    await using store = await sqlitePassageStore({ path });
    await store.set([['a', '1']]);
    for (const each of [path, `${path}-wal`]) expect(statSync(each).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test('the oldest entry goes first; an entry that is written again counts as new', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    // Room for three entries: a key of one byte, and a value of nine.
    await using store = await sqlitePassageStore({ path, maxBytes: 30 });
    for (const key of ['a', 'b', 'c', 'a', 'd']) await store.set([[key, '1234567é']]);
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)));
    expect(left).toEqual(['1234567é', undefined, '1234567é', '1234567é']);
  });

  test('entries that do not fit together are not written, and remove nothing', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    await using store = await sqlitePassageStore({ path, maxBytes: 10 });
    await store.set([['a', '1']]);
    const both = [
      ['b', '12345'],
      ['c', '12345'],
    ] as const;
    await expect(store.set(both)).rejects.toMatchObject({ kind: 'service', field: 'maxBytes' });
    expect([await store.get('a'), await store.get('b'), await store.get('c')]).toEqual([
      '1',
      undefined,
      undefined,
    ]);
  });

  test('a file that is no database, one of another application, and a folder are refused and stay as they are', async () => {
    const folder = temporaryFolder();
    const text = join(folder, 'text');
    writeFileSync(text, 'This is a text, and much longer than the header of a database. '.repeat(20));
    const foreign = join(folder, 'foreign');
    await (await sqlitePassageStore({ path: foreign })).close();
    // The header of a database names its application in these bytes.
    writeFileSync(foreign, readFileSync(foreign).fill(0, 68, 72));
    for (const path of [text, foreign, folder])
      await expect(sqlitePassageStore({ path })).rejects.toMatchObject({ kind: 'service', field: 'path' });
  });

  test('four processes write to one file of SQLite, which stays within its size', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const code = (name: number) => `
      import { sqlitePassageStore } from 'context-shaping-agents/passage-store';
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
});

test.each([
  [{}, 'path'],
  [{ path: 'x', maxBytes: 0 }, 'maxBytes'],
  [{ path: 'x', ttl: 1 }, 'ttl'],
])('a wrong option of SQLite is named: %j', async (options, field) => {
  await expect(sqlitePassageStore(options as never)).rejects.toMatchObject({
    kind: 'invalid-options',
    field,
  });
});
