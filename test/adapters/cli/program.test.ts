/** Names of commands, options and values: typing errors, help, and the list of exit codes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT, EXIT_CODES } from '../../../adapters/cli/errors.js';
import { cli, ROOT } from './harness.js';

test.each([
  [['shpe'], `unknown command 'shpe'\n(Did you mean shape?)`, 'context-shaping --help'],
  [
    ['shape', '--budgt', '5'],
    `unknown option '--budgt'\n(Did you mean --budget?)`,
    'context-shaping shape --help',
  ],
  [
    ['shape', '--format', 'tabel'],
    'Allowed choices are table, json, text, jsonl.',
    'context-shaping shape --help',
  ],
])('%j names the nearest name and the help to read, and leaves with 2', async (args, message, help) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^context-shaping: /);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(new RegExp(`^${help} lists `, 'm'));
});

test('a command of another program names that program', async () => {
  const { code, stderr } = await cli(['explain'], { program: 'context-shaping-devtools' });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^context-shaping-devtools: missing required argument 'file'\ncontext-shaping-devtools explain --help lists /,
  );
});

test.each([
  ['context-shaping', []],
  ['context-shaping', ['shape']],
  ['context-shaping', ['demo']],
  ['context-shaping-mcp', ['hook']],
  ...['record', 'replay', 'diff'].map((each) => ['context-shaping-devtools', [each]] as const),
] as const)('the help of %s %j has every exit code', async (program, command) => {
  const { code, stdout } = await cli([...command, '--help'], { program });
  expect(code).toBe(0);
  for (const { code: each, meaning } of EXIT_CODES)
    expect(stdout.split('\n')).toContain(`  ${String(each).padEnd(4)} ${meaning}`);
});

const OTHERS = {
  'context-shaping-server': ['serve', 'batch', 'worker'],
  'context-shaping-mcp': ['mcp', 'hook'],
  'context-shaping-devtools': ['explain', 'inspect', 'evaluate', 'record', 'replay', 'diff'],
};
test.each(Object.entries(OTHERS))('commands of %s name it and the call', async (name, commands) => {
  const help = (await cli(['--help'])).stdout;
  for (const command of commands) {
    const call = command === 'mcp' ? `npx ${name}` : `npx ${name} ${command}`;
    expect(await cli([command, '--port', '8000', '--', 'node'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `context-shaping: ${command} is in the package ${name}. Run ${call} with the same arguments (to install it: npm install ${name}).\n`,
    });
    expect(help).not.toMatch(new RegExp(`^  ${command} `, 'm'));
  }
});

test('the list has every exit code, and the documentation has the list', () => {
  expect(EXIT_CODES.map(({ code }) => code)).toEqual(Object.values(EXIT));
  const page = readFileSync(join(ROOT, 'docs/reference/exit-codes.md'), 'utf8');
  for (const { code, meaning } of EXIT_CODES) expect(page).toContain(`| \`${code}\` | ${meaning} |`);
});
