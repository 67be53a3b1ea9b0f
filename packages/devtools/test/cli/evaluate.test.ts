/** `context-shaping-devtools evaluate`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShaper } from 'context-shaping';
import { evaluate, formatEvaluation } from 'context-shaping-devtools/evaluate';
import { afterAll, expect, test } from 'vitest';
import { programNamed } from '../../../../test/adapters/cli/harness.js';
import { bridgeCase, buriedCase } from '../evaluate/cases.js';

const { cli } = programNamed('context-shaping-devtools');

const folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string) => join(folder, name);
function file(name: string, content: string | object): string {
  writeFileSync(pathOf(name), typeof content === 'string' ? content : JSON.stringify(content));
  return pathOf(name);
}
const lines = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).join('\n');

const cases = Array.from({ length: 5 }, (_, at) => bridgeCase(at + 1));
const data = file('questions.jsonl', `\uFEFF${lines(cases)}\n\n`);
/** Its vectors are of two lengths. */
function wrongVector() {
  const { chunks, ...rest } = bridgeCase(6);
  return {
    ...rest,
    chunks: chunks.map((chunk, place) => ({ ...chunk, embedding: place === 2 ? [1] : [1, 0] })),
  };
}
const few = ['--budgets', '12,60'];
const withoutTimes = (json: string) =>
  JSON.parse(json.replace(/"milliseconds":[\d.e-]+/g, '"milliseconds":0'));

test('the result is that of the library: tables, or JSON', async () => {
  const result = await evaluate({ cases, budgets: [12, 60] });
  const text = await cli(['evaluate', '--data', data, ...few]);
  // Times are in the last column.
  const form = (table: string) => table.replace(/ +[\d.]+$/gm, '').replace(/ +/g, ' ');
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(form(text.stdout)).toBe(form(`${formatEvaluation(result)}\n`));
  const json = await cli(['evaluate', '--data', data, ...few, '--json', '-']);
  expect(withoutTimes(json.stdout)).toEqual(withoutTimes(JSON.stringify(result)));
});

test('the files of the options are compared by their names', async () => {
  const first = file('mine.json', { budget: { maxTokens: 30 } });
  const second = file('pinned.json', { pin: ['other-0'] });
  const { code, stdout } = await cli([
    ...['evaluate', '--data', data, '--options', first, second, ...few],
    ...['--json', pathOf('out.json'), '--html', pathOf('out.html')],
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^mine +pinned +30 tokens +\+/m);
  const result = JSON.parse(readFileSync(pathOf('out.json'), 'utf8'));
  expect(result).toMatchObject({ budget: 30, budgets: [12, 30, 60] });
  expect(readFileSync(pathOf('out.html'), 'utf8')).toContain('<h2 id="at-budget">At 30 tokens</h2>');
});

test('the exit code is 1 below --min-evidence, or if a change loses evidence by more than chance', async () => {
  const pinned = file('all-pinned.json', { pin: ['other-0'] });
  const low = await cli([
    'evaluate',
    '--data',
    data,
    '--options',
    pinned,
    ...few,
    '--budget',
    '12',
    '--min-evidence',
    '0.9',
  ]);
  expect(low).toMatchObject({ code: 1, stderr: expect.stringContaining('at 12 tokens, less than 0.9') });
  const before = pathOf('before.json');
  await cli(['evaluate', '--data', data, ...few, '--budget', '12', '--json', before]);
  const worse = await cli([
    'evaluate',
    '--data',
    data,
    '--options',
    pinned,
    '--budgets',
    '60',
    '--against',
    before,
  ]);
  expect(worse).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Less evidence is kept than before: -\d/),
  });
  const same = await cli(['evaluate', '--data', data, ...few, '--against', before, '--min-evidence', '0.9']);
  expect(same).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  [[], 'Give the questions with --data'],
  [['--data', 'none.jsonl'], 'Cannot read none.jsonl: ENOENT'],
  [['--data', file('json.jsonl', `${JSON.stringify(cases[0])}\n\n{"query"}`)], 'line 3 is not JSON'],
  [
    ['--data', file('field.jsonl', lines([cases[0], { ...cases[1], chunks: 'text' }]))],
    'field.jsonl, line 2, $.chunks must be an array',
  ],
  [
    ['--data', file('twice.jsonl', `${lines([cases[0]])}\n\n${lines([cases[0]])}`)],
    'twice.jsonl, line 3, $.id is the id of an earlier case',
  ],
  [['--data', file('empty.jsonl', '\n')], 'empty.jsonl have no evidence in their pools'],
  [['--data', data, '--options', file('wrong.json', { k: 0 })], 'wrong.json: k must be at least 1'],
  [['--data', data, '--options', file('list.json', [])], 'must hold an object of options'],
  [['--data', data, '--budgets', '10,x'], 'Give whole numbers with commas'],
  [['--data', data, '--budget', '0'], '--budget must be at least 1'],
  [['--data', data, '--min-evidence', '95'], '--min-evidence is a share from 0 to 1'],
  [
    ['--data', file('vector.jsonl', lines([...cases, wrongVector()]))],
    'vector.jsonl, line 6, $.chunks[2].embedding',
  ],
  [['--data', data, '--against', file('other.json', {})], 'other.json is no result of an evaluation'],
  [['--data', data, '--json', join(folder, 'none', 'out.json')], 'Name another file with --json'],
])('%j: a mistake has a message', async (args, message) => {
  const { code, stderr } = await cli(['evaluate', ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('--fit writes the recommended options, or those in use, for --options and createShaper', async () => {
  const buried = file('buried.jsonl', lines(Array.from({ length: 20 }, (_, at) => buriedCase(at + 1))));
  const inUse = file('reranked.json', { ranked: 'reranked', budget: { maxTokens: 10 } });
  const to = pathOf('fitted.json');
  const fit = await cli([
    'evaluate',
    '--data',
    buried,
    '--options',
    inUse,
    '--fit',
    to,
    '--json',
    pathOf('f.json'),
  ]);
  expect(fit).toMatchObject({ code: 0, stderr: `Wrote ${to}, with the recommended options.\n` });
  expect(fit.stdout).toMatch(
    /at 10 tokens\n.*\nreranked +0\.0\n[\s\S]*\nRecommended in place of reranked: ranked: 0\.5\.\n$/,
  );
  const written = JSON.parse(readFileSync(to, 'utf8'));
  expect(written).toEqual({ ranked: 0.5, budget: { maxTokens: 10 } });
  expect(createShaper(written).options.ranked).toBe(0.5);
  expect(JSON.parse(readFileSync(pathOf('f.json'), 'utf8')).methods[0].name).toBe('reranked');

  const again = await cli(['evaluate', '--data', buried, '--options', to, inUse, '--fit', to]);
  expect(again).toMatchObject({ code: 0, stderr: `Wrote ${to}, with the options in use.\n` });
  expect(again.stdout).toContain('none keeps more. fitted stays.');
  expect(JSON.parse(readFileSync(to, 'utf8'))).toEqual(written);

  const few = await cli(['evaluate', '--data', data, '--fit', to, '--budget', '30']);
  expect(few.stdout).toContain('Nothing is recommended: 5 cases are too few. It takes at least 20');
  expect(readFileSync(to, 'utf8')).toBe('{}\n');
});
