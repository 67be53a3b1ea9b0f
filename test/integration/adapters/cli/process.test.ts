/** Behaviour that only a process of its own can show: exit codes, pipes, signals, another folder. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliProcess, ROOT, start } from '../../../adapters/cli/harness.js';

/** Each text has words of its own. */
const word = (seed: number) =>
  Array.from(String(seed), (digit) => `${'bdfgklmnrs'[Number(digit)]}${'aeiou'[Number(digit) % 5]}`).join('');
const body = (chunks: number) =>
  JSON.stringify({
    query: 'Which word?',
    chunks: Array.from({ length: chunks }, (_, at) => ({
      id: `chunk ${at}`,
      text: `${word(at * 7919)} ${word(at * 104729)} ${word(at * 1299709)} ${word(at * 611953)}`,
    })),
  });

test('the version is the package’s, from any folder', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await cliProcess(['--version'], { cwd: tmpdir() })).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
});

test('a pipe in, JSON out', async () => {
  const outcome = await cliProcess(['shape', '--budget', '40'], { stdin: body(30) });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const { chunks, report } = JSON.parse(outcome.stdout);
  expect(chunks.length).toBeGreaterThan(0);
  expect(report.tokens.output).toBeLessThanOrEqual(40);
  expect(report.input).toHaveLength(30);
});

test('bad input leaves with 2', async () => {
  const outcome = await cliProcess(['shape'], { stdin: '{"query": 1}' });
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toMatch(/^context-shaping: \$\./);
});

test.skipIf(process.platform === 'win32')('a reader that leaves early is no failure', async () => {
  const { child, outcome } = start(['shape', '--format', 'jsonl'], { shell: '| head -n 1' });
  child.stdin.end(body(1_000));
  const { code, stdout, stderr } = await outcome;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\{"event":"shaped"[^\n]*\n$/);
});

test('Ctrl-C leaves with 130 and without a word', async () => {
  const { child, outcome } = start(['shape', '--verbose']);
  child.stderr.once('data', () => child.kill('SIGINT'));
  expect(await outcome).toEqual({ code: 130, stdout: '', stderr: 'Reading standard input.\n' });
});
