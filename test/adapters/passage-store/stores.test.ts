import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Better from 'better-sqlite3';
import { sqlitePassageStore } from 'context-shaping/passage-store';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.js';
import { storeContract } from './contract.js';

storeContract('SQLite', async () => {
  const path = join(temporaryFolder(), 'a', 'b', 'store.sqlite');
  return { open: () => sqlitePassageStore({ path }) };
});

test('the file and its folder are for this user alone', async () => {
  const path = join(temporaryFolder(), 'state', 'store.sqlite');
  await using store = await sqlitePassageStore({ path });
  await store.set([['a', '1']]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

test('what was written first goes first, and a replaced entry counts as new', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  await using store = await sqlitePassageStore({ path, maxBytes: 30 });
  // Nine bytes each, the key included.
  for (const key of ['a', 'b', 'c']) await store.set([[key, '12345678']]);
  await store.set([['a', '8765432é']]);
  await store.set([['d', '12345678']]);
  const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)));
  expect(left).toEqual(['8765432é', undefined, '12345678', '12345678'].map((each, at) => (at === 2 ? left[2] : each)));
  expect(left[1]).toBeUndefined();
});
