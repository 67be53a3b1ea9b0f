import { expect, test } from 'vitest';
import { STATEMENT_PAIRS } from './statement-pairs.js';

const DOMAINS = 'finance,geography,hr,law,manuals,medicine,operations,science,software,sport';

function countsBy(key: 'domain' | 'language' | 'kind', contradicts: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of STATEMENT_PAIRS.filter((each) => each.contradicts === contradicts))
    counts.set(pair[key], (counts.get(pair[key]) ?? 0) + 1);
  return counts;
}

test('each pair is there once, and its two statements differ', () => {
  const keys = STATEMENT_PAIRS.map(({ one, other }) => [one, other].toSorted().join('\n'));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  expect(STATEMENT_PAIRS.filter(({ one, other }) => one.trim() === other.trim())).toEqual([]);
});

test.each([
  ['contradictory', true, 390, 8],
  ['consistent', false, 200, 3],
] as const)('%s pairs are of all domains and of sixteen languages', (_, contradicts, all, each) => {
  expect(STATEMENT_PAIRS.filter((pair) => pair.contradicts === contradicts).length).toBeGreaterThanOrEqual(
    all,
  );
  expect([...countsBy('domain', contradicts).keys()].toSorted().join()).toBe(DOMAINS);
  const languages = countsBy('language', contradicts);
  expect(languages.size).toBe(16);
  expect([...languages].filter(([, count]) => count < each)).toEqual([]);
});

test('each kind of contradiction has several pairs', () => {
  const kinds = countsBy('kind', true);
  expect(kinds.size).toBe(33);
  expect([...kinds].filter(([, count]) => count < 3)).toEqual([]);
});
