import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../eval/data-folder.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const run = (...flags: string[]) =>
  spawnSync(
    process.execPath,
    [
      '--conditions=context-shaping-source',
      '--import',
      'tsx',
      'packages/research/scoreboard/main.ts',
      ...flags,
    ],
    { encoding: 'utf8' },
  );

test('measures the sets that are there into the tables of the page, and writes the same page from what it stored', () => {
  const [page, again] = ['page.md', 'again.md'].map((name) => join(folder, name)) as [string, string];
  for (const file of [page, again]) copyFileSync('docs/results/scoreboard.md', file);
  const json = join(folder, 'scores.json');
  const sets = ['short facts', 'several hops', 'tables', 'JSON', 'logs', 'poisoned'];
  const { stdout, stderr, status } = run(
    '--data',
    folder,
    '--limit',
    '2',
    '--sets',
    ...sets,
    '--page',
    page,
    '--json',
    json,
  );
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('LC filter is left out: it needs --model.');
  expect(stdout).toContain('Ours is not first at: ');
  const text = readFileSync(page, 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  // Before it stands the table of real lists.
  expect(rows.find((row) => row.startsWith('| kind'))).toMatch(
    /^\| kind \| set \| questions \| random \| head \| tail \| top-k \| sentences \|.* ours \|$/,
  );
  for (const row of [
    '| short facts | NQ | 2 |',
    '| several hops | MuSiQue | 1 |',
    '| JSON | TAT-QA, 8 reports as JSON | 2 |',
    '| logs | LogDx | 1 |',
    '| poisoned pools | GARAG | 2 |',
  ])
    expect(rows.filter((line) => line.startsWith(row))).toHaveLength(2);
  expect(run('--data', folder, '--from', json, '--page', again).status).toBe(0);
  expect(readFileSync(again, 'utf8')).toBe(text);
});
