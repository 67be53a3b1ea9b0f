/** Runs every block of code in the README, with the preparation and the check that its comments hold. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { INSTALL as INSTALL_SERVICE } from '../adapters/cli/serve-command.js';
import { startHub } from './adapters/cli/pull-hub.js';
import { filesOf, TINY } from './adapters/embeddings/static-model.js';

const readme = readFileSync('README.md', 'utf8');
const blocks = Array.from(
  readme.matchAll(
    /(?:<!-- run\n(?<run>[\s\S]*?)-->\n)?```(?<language>\w*)\n(?<code>[\s\S]*?)```(?:\n<!-- check\n(?<check>[\s\S]*?)-->)?/g,
  ),
  ({ groups, index }) => ({
    ...(groups as { run?: string; language: string; code: string; check?: string }),
    line: readme.slice(0, index).split('\n').length,
  }),
);
// Inside the tree, so that packages are found.
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync('.tmp/readme-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCE = ['--conditions=context-shaping-source', '--import', 'tsx'];

const typescript = blocks
  .filter(({ language }) => language === 'ts')
  .map(({ run = '', code, check = '', line }) => {
    const imports = /^import .*$/gm;
    const body = run + code;
    const file = join(folder, `line-${line}.mts`);
    writeFileSync(file, [...(body.match(imports) ?? []), body.replace(imports, ''), check].join('\n'));
    return { line, file };
  });

describe('TypeScript', () => {
  test.each(typescript)('at line $line', ({ file }) => {
    execFileSync(process.execPath, [...SOURCE, file], { encoding: 'utf8', stdio: 'pipe' });
  });

  test('its types are right', () => {
    const config = {
      extends: '../../tsconfig.json',
      include: ['*.mts'],
      compilerOptions: { noUnusedLocals: false },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
    expect(tsc.stdout).toBe('');
  });

  test('there is one for the core, each host, each kind of vectors and models, and framing', () => {
    expect(typescript).toHaveLength(16);
  });
});

describe('shell', () => {
  const commands = blocks.filter(({ language, code }) => language === 'sh' && !/^npm /.test(code));
  const says = ['Load it with loadStaticEmbedder', 'same text as a', '"reason":"exact-duplicate"'];

  test.each(commands)('at line $line', async ({ code }) => {
    const command = join(folder, 'npx');
    const program = `'${resolve('adapters/cli/main.ts')}'`;
    const imports = [import.meta.resolve('tsx'), pathToFileURL(resolve('scripts/tsx-in-threads.mjs')).href];
    const tsx = `--conditions=context-shaping-source ${imports.map((each) => `--import '${each}'`).join(' ')}`;
    writeFileSync(command, `#!/bin/sh\nshift\nexec '${process.execPath}' ${tsx} ${program} "$@"\n`);
    chmodSync(command, 0o755);
    const hub = await startHub(filesOf(TINY));
    const env = {
      ...process.env,
      PATH: `${resolve(folder)}${delimiter}${process.env.PATH}`,
      HF_ENDPOINT: hub.endpoint,
    };
    const cwd = mkdtempSync(join(tmpdir(), 'readme-'));
    const { stdout } = await promisify(execFile)('sh', ['-c', code], { encoding: 'utf8', env, cwd });
    hub.close();
    expect(stdout).toContain(says[commands.findIndex((each) => each.code === code)]);
  });

  test('npm scripts that it names exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
    const plain = blocks
      .filter(({ language, code }) => language === 'sh' && /^npm /.test(code))
      .map(({ code }) => code.trim());
    expect(plain).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
      'npm install context-shaping',
      INSTALL_SERVICE,
    ]);
  });
});

test('links lead to files', () => {
  for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    expect(existsSync(target as string), target).toBe(true);
});
