/** `context-shaping-server serve`: flags, files and the environment. The tests of the responses are beside the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cli, ROOT } from '../../../../../test/adapters/cli/harness.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { serve } from '../../http/service-process.js';
import { eventually } from '../../http/support.js';

const SERVER = { program: 'context-shaping-server' } as const;
const folder = mkdtempSync(join(tmpdir(), 'serve-'));
afterAll(() => rmSync(folder, { recursive: true }));
function config(content: string): string {
  const file = join(folder, 'config.json');
  writeFileSync(file, content);
  return file;
}

test.each(['SIGTERM', 'SIGINT'] as const)('flags go over the file, and %s ends it with 0', async (signal) => {
  // Its helper gives --port 0.
  const service = await serve(['--config', config('{ "port": 70000, "workers": 0, "logger": false }')]);
  expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  service.kill(signal);
  expect(await service.ended).toBe(0);
  expect(service.log).toEqual([]);
});

test.each([
  ['an option that is wrong', ['--port', '70000'], 'port must be at most 65535 (got 70000).'],
  ['a file that is not there', ['--config', join(folder, 'none.json')], 'ENOENT'],
])('%s is named, and leaves with 2', async (_, args, message) => {
  const outcome = await cli(['serve', ...args], SERVER);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain(message);
});

test.each([
  ['no object', '[]', 'must hold an object of options'],
  ['no JSON', '{ "port": }', 'is not JSON: Unexpected token'],
  ['an unknown option', '{ "prot": 1 }', 'prot is not an option'],
])('a file that holds %s', async (_, content, message) => {
  const outcome = await cli(['serve', '--config', config(content)], SERVER);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain(message);
});

test.each(['the-key-itself', 'name:the-key-itself', 'name:', ',', `a b:${'0'.repeat(64)}`])(
  'keys that are written as %j are refused, and not shown',
  async (written) => {
    const outcome = await cli(['serve'], { ...SERVER, env: { CONTEXT_SHAPING_API_KEYS: written } });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('Entry 1 of CONTEXT_SHAPING_API_KEYS is not NAME:SHA256.');
    expect(outcome.stderr).not.toContain('the-key-itself');
  },
);

test.skipIf(process.platform === 'win32')('SIGTERM to npx ends the service', async ({ onTestFailed }) => {
  const project = temporaryFolder();
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  const source = `--conditions=context-shaping-source --import '${import.meta.resolve('tsx')}'`;
  writeFileSync(
    join(project, 'node_modules/.bin/context-shaping-server'),
    `#!/bin/sh\necho $$ > pid\nexec '${process.execPath}' ${source} '${join(ROOT, 'packages/server/src/main.ts')}' "$@"\n`,
    { mode: 0o755 },
  );
  const npx = spawn('npx', ['context-shaping-server', '--port', '0', '--workers', '0'], {
    cwd: project,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(npx, 'exit');
  onTestFailed(() => {
    process.kill(Number(readFileSync(join(project, 'pid'), 'utf8')), 'SIGKILL');
  });
  let written = '';
  for await (const data of npx.stderr) {
    written += data;
    if (/Listening on \S+\./.test(written)) break;
  }
  const url = /http:\S+\d/.exec(written)?.[0];
  expect(url, written).toBeDefined();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  npx.kill('SIGTERM');
  await ended;
  await eventually(() =>
    fetch(`${url}/ready`).then(
      () => 'answers',
      () => 'gone',
    ),
  ).toBe('gone');
});
