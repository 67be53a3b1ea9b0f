/** `context-shaping-mcp hook` as a program. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { estimateTokens as tokens } from '../../../../src/index.js';
import { programNamed } from '../../../../test/adapters/cli/harness.js';
import { builtPackage } from '../../../../test/built-package.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { event, log } from '../hook-input.js';

const { cliProcess, start } = programNamed('context-shaping-mcp');

const BUILT = await builtPackage();
const MAIN = join(BUILT, 'packages/mcp/dist/main.js');

test('a megabyte is shaped, in a pipe and in an event', async () => {
  const { code, stdout, stderr } = await cliProcess(['hook'], { stdin: log, built: BUILT });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Error: the pressure of pump 7');
  expect(tokens(stdout)).toBeLessThanOrEqual(4000);
  const answer = await cliProcess(['hook'], { stdin: event(log), built: BUILT });
  const { updatedToolOutput } = JSON.parse(answer.stdout).hookSpecificOutput;
  expect(`${updatedToolOutput.stdout}\n`).toBe(stdout);
});

test('bytes that are no text pass as they are', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256));
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'hook'], { input: bytes });
  expect(status).toBe(0);
  expect(stdout.equals(bytes)).toBe(true);
  expect(stderr.toString()).toMatch(/^context-shaping-mcp hook: The output passes as it is: [^\n]+\n$/);
});

test('a wrong flag does not fail the tool', async () => {
  const args = ['hook', '--max-token', '5'];
  const outcome = await cliProcess(args, { stdin: 'the output', built: BUILT });
  expect(outcome).toMatchObject({ code: 0, stdout: 'the output' });
  expect(outcome.stderr).toContain("Unknown option '--max-token'. The flags are --kind, --max-tokens, ");
});

test('a reader that closes the pipe early is no failure', async () => {
  const setting = { stdin: log, built: BUILT, shell: '| head -1' };
  const { code, stdout, stderr } = await cliProcess(['hook', '--max-tokens', '1000000'], setting);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`${log.split('\n', 1)[0]}\n`);
});

test.each(['SIGTERM', 'SIGINT'] as const)('after %s, what there is of the output passes', async (signal) => {
  const child = spawn(process.execPath, [MAIN, 'hook'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'exit')]);
  child.stdin.write(log);
  // The program reads: a pipe holds far less than a megabyte.
  while (child.stdin.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill(signal);
  const [stdout, stderr, [code]] = await written;
  expect(code).toBe(0);
  expect(log.startsWith(stdout.toString())).toBe(true);
  expect(stdout.length).toBeGreaterThan(log.length / 2);
  expect(stderr).toContain('interrupted');
});

test('a store below /proc ends at once, and an expression that never ends ends by the clock: the output passes', async () => {
  for (const [args, why] of [
    [['--store', '/proc/x/y'], 'the folder of --store cannot be used'],
    [['--keep', '/^(a+)+$/m', '--timeout', '1'], 'it takes more than 1 seconds'],
  ] as const) {
    const stdin = `${'a'.repeat(60)}!\n${'[INFO] all is well\n'.repeat(200)}`;
    const outcome = await cliProcess(['hook', '--max-tokens', '100', ...args], { stdin, built: BUILT });
    expect(outcome).toMatchObject({ code: 0, stdout: stdin, stderr: expect.stringContaining(why) });
  }
});

test.skipIf(process.platform === 'win32')(
  'a pipe without a writer keeps no program from its end',
  async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { child, outcome } = start(['shape', pipe], { program: 'context-shaping', built: BUILT });
    onTestFinished(() => void child.kill('SIGKILL'));
    // A pipe without a reader cannot be opened for writing in this way.
    for (let writer: number | undefined; writer === undefined; ) {
      try {
        writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
        onTestFinished(() => closeSync(writer as number));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    child.kill('SIGTERM');
    expect(await outcome).toMatchObject({ code: 130 });
  },
);
