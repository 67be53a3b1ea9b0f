/** The store of the proxy, which is a process, as a client starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { builtPackage } from '../../../../test/built-package.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { answer, call, handleIn, manual, Side, textOf } from '../support.js';

const MAIN = join(await builtPackage(), 'packages/mcp/dist/main.js');

const SERVER = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line);
    const result = { content: [{ type: 'text', text: params.arguments.text }] };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

/** The flag exists where Node has SQLite. */
const FLAG = '--no-experimental-sqlite';
const WITHOUT = [
  ...(process.allowedNodeEnvironmentFlags.has(FLAG) ? [FLAG] : []),
  '--import',
  join(import.meta.dirname, 'without-sqlite.mjs'),
];

test.each([
  { name: 'unasked for: one line says so', flags: [], says: 1 },
  { name: 'asked for: no line', flags: ['--store', 'memory'], says: 0 },
])('without SQLite, passages are in memory, $name', async ({ flags, says }) => {
  const folder = temporaryFolder();
  const given = [...WITHOUT, MAIN, ...flags, '--max-tokens', '300', '--', process.execPath, '-e', SERVER];
  const env = { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: folder, LOCALAPPDATA: folder };
  const child = spawn(process.execPath, given, { env, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [client, said, ended] = [
    new Side(child.stdin, child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ];

  for (const id of [1, 2]) client.write(call(id, 'say', { text: manual(500) }));
  const shown = textOf((await client.next()).result);
  await client.next();
  client.write(call(3, 'recall_passage', { handle: handleIn(shown), query: 'pump 222' }));
  expect(textOf((await client.next()).result)).toContain('pump 222');
  client.write(call(4, 'say', { text: 'Short.' }));
  expect(await client.next()).toEqual(answer(4, { content: [{ type: 'text', text: 'Short.' }] }));
  client.input.end();
  expect(await ended).toEqual([0, null]);

  const lines = (await said).split('\n').slice(0, -1);
  expect(lines).toHaveLength(says);
  for (const line of lines) {
    expect(line).toContain('in memory');
    for (const remedy of ['Node 22.13', 'better-sqlite3', '--store memory']) expect(line).toContain(remedy);
  }
  expect(readdirSync(folder)).toEqual([]);
});
