/** That the benchmark runs, not how fast anything is. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Claim } from '../../../bench/claim.js';
import type { Row } from '../../../bench/table.js';
import { makeDataFolder } from '../../../eval/data-folder.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const json = join(folder, 'bench.json');
const run = (...flags: string[]) =>
  spawnSync(
    process.execPath,
    [
      '--conditions=context-shaping-source',
      '--import',
      'tsx',
      'packages/research/bench/main.ts',
      ...['--data', join(folder, 'nq/nq-open-oracle.jsonl.gz'), '--quick', '--json', json, ...flags],
    ],
    { encoding: 'utf8' },
  );
const results = (): { machine: object; rows: Row[]; claims: Claim[] } =>
  JSON.parse(readFileSync(json, 'utf8'));

test('measures ours and the others on the same input, and says on what machine', () => {
  const { stdout, status } = run('--sizes', '7', '9', '--dimensions', '16', '--only', 'pipeline', 'MMR');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d+ × .*, Node v\d.*, SIMD on, sources, elapsed time\n/);
  const { rows } = results();
  expect(new Set(rows.map((row) => `${row.case} ${row.n} ${row.dimension}`))).toEqual(
    new Set(['pipeline 7 16', 'pipeline 9 16', 'MMR 7 16', 'MMR 9 16']),
  );
  const contestants = rows
    .filter((row) => row.case === 'pipeline' && row.n === 9)
    .map((row) => row.contestant);
  expect(contestants).toEqual([
    'ours, vectors given, new texts',
    'ours, text only, new texts',
    'LangChain MMR, k = 50',
    'LangChain EmbeddingsFilter',
    'LangChain filter + MMR',
  ]);
  for (const { min, lowerQuartile, median, upperQuartile } of rows) {
    expect(min).toBeGreaterThan(0);
    expect([min, lowerQuartile, median, upperQuartile]).toEqual(
      [min, lowerQuartile, median, upperQuartile].toSorted((a, b) => a - b),
    );
  }
});

test('what does not depend on time holds: the same clusters as ml-hclust, the same bits without SIMD', () => {
  const { stdout, status } = run('--only', 'beside ml-hclust', 'without SIMD');
  expect(status).toBe(0);
  expect(stdout).toContain('a quick run says nothing of times');
  const holds = (part: string) =>
    results().claims.flatMap(({ claim, holds }) => (claim.includes(part) ? [holds] : []));
  expect(holds('the same flat clusters')).toEqual([true]);
  expect(holds('with and without SIMD')).toEqual([true, true]);
});

test('processor time is measured if asked for, and the result says so', () => {
  const { stdout, status } = run('--cpu', '--sizes', '5', '--dimensions', '8', '--only', 'MMR');
  expect(status).toBe(0);
  expect(stdout).toContain('processor time');
  for (const { min } of results().rows) expect(min).toBeGreaterThan(0);
});

test('without SIMD it says so', () => {
  expect(run('--no-simd', '--sizes', '5', '--only', 'entropy').stdout).toContain('SIMD off');
});
