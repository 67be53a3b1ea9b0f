/** The programs of both packages: typing errors, and their help. */
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../../../adapters/cli/errors.js';
import { cli } from '../../../../test/adapters/cli/harness.js';

test.each([
  [['--prot', '80'], `unknown option '--prot'\n(Did you mean --port?)`, 'context-shaping-server serve'],
  [
    ['worker', '--queu', 'a'],
    `unknown option '--queu'\n(Did you mean --queue?)`,
    'context-shaping-server worker',
  ],
])('%j names the nearest name and the help to read, and leaves with 2', async (args, message, command) => {
  const { code, stdout, stderr } = await cli(args, { program: 'context-shaping-server' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(`context-shaping-server: ${message}\n${command} --help lists its options.\n`);
});

test.each([
  [['btch'], 'There is no command btch. Did you mean batch?'],
  [['batch', '--in', 'a'], '--out FILE is required.'],
])('%j is a wrong call', async (args, message) => {
  const { code, stderr } = await cli(args, { program: 'context-shaping-server' });
  expect(code).toBe(2);
  expect(stderr).toContain(`context-shaping-server: ${message}`);
});

test.each([
  ['context-shaping-server', []],
  ['context-shaping-server', ['serve']],
  ['context-shaping-server', ['batch']],
  ['context-shaping-server', ['worker']],
  ['context-shaping-mcp', []],
] as const)('the help of %s %j has every exit code', async (program, command) => {
  const { code, stdout } = await cli([...command, '--help'], { program });
  expect(code).toBe(0);
  for (const { code: each, meaning } of EXIT_CODES)
    expect(stdout.split('\n')).toContain(`  ${String(each).padEnd(4)} ${meaning}`);
});
