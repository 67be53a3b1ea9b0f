/** An evaluation on threads: it gives what one thread gives, and goes on after it was killed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliProcess, start } from '../../../adapters/cli/harness.js';
import { bridgeCase } from '../../../adapters/evaluate/cases.js';
import { builtPackage } from '../../../built-package.js';
import { temporaryFolder } from '../../../temporary-folder.js';

const built = await builtPackage();
const CASES = 48;

const resultIn = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8').replace(/"milliseconds":[\d.e-]+/g, '"milliseconds":0'));
const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

test('killed in the middle and resumed, with and without threads, the result is the same', async () => {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const cases = Array.from({ length: CASES }, (_, at) => bridgeCase(at + 1, 30));
  writeFileSync(file('data.jsonl'), cases.map((each) => JSON.stringify(each)).join('\n'));
  const args = (to: string, ...own: string[]) => [
    ...['evaluate', '--data', file('data.jsonl'), '--budgets', '15,40,90,200', '--json', file(to), ...own],
  ];
  const whole = await cliProcess(args('whole.json', '--threads', '0'), { built });
  expect(whole).toMatchObject({ code: 0, stderr: '' });

  const checkpoint = file('killed.json.checkpoint');
  const { child, outcome } = start(args('killed.json', '--threads', '2'), { built });
  while (linesOf(checkpoint) < 12 && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 20));
  child.kill('SIGKILL');
  await outcome;
  expect(existsSync(file('killed.json'))).toBe(false);
  const measured = linesOf(checkpoint) - 1;
  expect(measured).toBeGreaterThan(5);
  expect(measured).toBeLessThan(CASES);

  // The cases that were measured before come from the checkpoint: a mark in it stays.
  const [header, line, ...others] = readFileSync(checkpoint, 'utf8').split('\n') as [string, string];
  const marked = line.replace(/"tokens":\d+/, '"tokens":1000000');
  writeFileSync(checkpoint, [header, marked, ...others].join('\n'));
  const resumed = await cliProcess(args('killed.json', '--threads', '2', '--resume'), { built });
  expect(resumed).toMatchObject({ code: 0, stderr: '' });
  const [one, other] = [resultIn(file('whole.json')), resultIn(file('killed.json'))];
  expect(other.pool.tokens).toBeGreaterThan(10_000);
  expect({ ...other, pool: one.pool, wholePool: one.wholePool }).toEqual(one);
  expect(existsSync(checkpoint)).toBe(false);
});

test('Ctrl-C ends it with 130, and leaves the checkpoint', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data.jsonl');
  const cases = Array.from({ length: CASES }, (_, at) => bridgeCase(at + 1, 30));
  writeFileSync(data, cases.map((each) => JSON.stringify(each)).join('\n'));
  const to = join(folder, 'out.json');
  const { child, outcome } = start(['evaluate', '--data', data, '--json', to, '--threads', '2'], { built });
  while (linesOf(`${to}.checkpoint`) < 3 && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 20));
  child.kill('SIGINT');
  expect((await outcome).code).toBe(130);
  expect(existsSync(`${to}.checkpoint`)).toBe(true);
  expect(existsSync(to)).toBe(false);
});

test('a wrong vector in a thread has the line of its case, and the exit code of wrong input', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data.jsonl');
  const cases = Array.from({ length: 20 }, (_, at) => bridgeCase(at + 1));
  const wrong = cases.map(({ chunks, ...rest }, at) => ({
    ...rest,
    chunks: chunks.map((chunk, place) => ({ ...chunk, embedding: at === 9 && place === 2 ? [1] : [1, 0] })),
  }));
  writeFileSync(data, wrong.map((each) => JSON.stringify(each)).join('\n'));
  const { code, stderr } = await cliProcess(['evaluate', '--data', data, '--threads', '2'], { built });
  expect(stderr).toContain(`${data}, line 10, $.chunks[2].embedding`);
  expect(code).toBe(2);
});
