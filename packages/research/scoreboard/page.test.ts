import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Measured, SetResult } from './measure.js';
import {
  bestElsewhere,
  differencesTable,
  keptTable,
  pageWith,
  rivalsTable,
  type Scores,
  setsBehind,
  together,
} from './page.js';
import { loadRivals } from './rivals.js';
import { KINDS } from './sets.js';

const run = (rival: string, setting: string, ...kept: number[][]): Measured => ({
  rival,
  setting,
  kept,
  unused: [0.25, 0.5],
  milliseconds: 2,
});

const setOf = (kind: SetResult['kind'], set: string, ...measured: Measured[]): SetResult => ({
  kind,
  set,
  groups: ['a', 'b'],
  measured,
});

const scores: Scores = {
  rivals: [
    { name: 'top-k' },
    { name: 'filter', package: 'filters', version: '1.2.3' },
    { name: 'ours' },
    { name: 'ours, vectors' },
  ],
  sets: [
    setOf(
      'short facts',
      'Boats',
      run('top-k', '', [0, 1], [0, 0]),
      run('filter', 'k 20', [1, 1], [0, 0]),
      run('filter', 'all', [0, 0], [1, 1]),
      run('ours', '', [1, 1], [1, 1]),
      run('ours, vectors', '', [0, 1], [1, 1]),
    ),
    setOf(
      'logs',
      'Bees',
      run('top-k', '', [1, 1], [1, 0]),
      run('filter', 'k 20', [0, 1], [0, 1]),
      run('filter', 'all', [1, 1], [0, 0]),
      run('ours', '', [0.5, 0.5], [1, 0.5]),
      run('ours, vectors', '', [1, 1], [1, 0]),
    ),
  ],
};

test('a rival with settings has the one that is best on other kinds, never the one that is best here', () => {
  expect(bestElsewhere(scores.sets, 'filter', 'short facts', 0)).toBe('all');
  expect(bestElsewhere(scores.sets, 'filter', 'logs', 0)).toBe('k 20');
  expect(bestElsewhere(scores.sets.slice(0, 1), 'filter', 'short facts', 1)).toBe('k 20');
});

test('the best of a row is bold, and ours is marked where a rival is above it, within chance or not', () => {
  expect(keptTable(scores, 0).split('\n')).toEqual([
    '| kind | set | questions | top-k | filter | ours | ours, vectors |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| short facts | Boats | 2 | .500 | .000 | **1.000** | .500 |',
    '| logs | Bees | 2 | **1.000** | .500 | .500▼ | **1.000** |',
  ]);
  expect(keptTable(scores, 1)).toContain('| logs | Bees | 2 | .500 | .000 | **.750** | .500 |');
  const worse = structuredClone(scores);
  (worse.sets[0]?.measured[4] as Measured).kept = [
    [0, 0.5],
    [1, 1],
  ];
  expect(keptTable(worse, 0)).toContain('| Boats | 2 | .500 | .000 | **1.000** | .250▽ |');
  expect(setsBehind(scores)).toEqual(['Bees']);
  expect(setsBehind(worse)).toEqual(['Boats', 'Bees']);
});

test('the best rival of a set is named with its setting, beside the differences of both of ours', () => {
  expect(differencesTable(scores)).toContain(
    '| Bees | top-k | −.500 [−.500, −.500]▼ | +.000 [+.000, +.000] | top-k | +.250 [+.000, +.500] | +.000 [+.000, +.000] |',
  );
});

test('each rival with its defaults and with what is best elsewhere, kinds counting the same', () => {
  const rows = rivalsTable(scores).split('\n');
  expect(rows[3]).toBe(
    '| filter | filters 1.2.3 | k 20 | .750 | .250 | all; k 20 | .250 | .000 | .250 | .500 | 2.0 |',
  );
  expect(rows[2]).toMatch(/^\| top-k \| – \| – \| \.750 \| \.250 \| – \|/);
});

test('runs of some sets each are put together in the order of the kinds', () => {
  const [facts, logs] = scores.sets as [SetResult, SetResult];
  const parts = [logs, facts].map((set) => ({ ...scores, sets: [set] }));
  expect(together(parts)).toEqual(scores);
});

const PAGE = readFileSync('docs/results/scoreboard.md', 'utf8');

test('the figures go between the marks of the page, again and again, and nothing else changes', () => {
  const once = pageWith(PAGE, scores);
  expect(once).toContain(keptTable(scores, 1));
  expect(pageWith(once, scores)).toBe(once);
  const textOf = (page: string) => page.split('\n').filter((line) => !line.startsWith('|'));
  expect(textOf(once)).toEqual(textOf(PAGE));
  expect(() => pageWith('# Scoreboard', scores)).toThrow('figures: kept 0');
});

const rowsOfPage = Array.from(
  PAGE.matchAll(/^\| ([^|]+) \| ([^|]+) \| \d+ \| (.+) \|$/gm),
  ([, kind, set, figures]) => ({
    kind,
    set: set as string,
    figures: figures as string,
  }),
);

test('the page names each set at which ours is not first, and no other', () => {
  const [, section = ''] = PAGE.split('\n## Rows in which ours is not first\n');
  const named = Array.from((section.split('\n## ')[0] ?? '').matchAll(/^- \*\*(.+?)\*\*/gm), ([, names]) =>
    (names as string).split('; '),
  ).flat();
  const behind = rowsOfPage.filter(({ figures }) => /[▼▽]/.test(figures)).map(({ set }) => set);
  expect(behind.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set(behind));
});

test('the page has every kind or says that it is missing, says where there is one set of it, and has every rival', async () => {
  const [, missing = ''] = PAGE.split('\n## Not measured\n');
  for (const kind of KINDS) {
    const own = new Set(rowsOfPage.filter((row) => row.kind === kind).map(({ set }) => set));
    if (own.size === 0) expect(missing).toContain(`**${kind}**`);
    if (own.size === 1) expect(missing).toContain(`one set of ${kind}`);
  }
  for (const { name } of await loadRivals())
    expect(PAGE).toMatch(new RegExp(`^\\| kind .*\\| ${name} \\|`, 'm'));
});
