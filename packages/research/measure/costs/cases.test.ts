import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FOLDERS } from '../../../../test/published.js';
import { CASES } from './cases.js';
import { ordinary, SHAPES } from './shapes.js';

/** The functions that each entry of the packages exports. */
async function exported(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const folder of FOLDERS) {
    const { name, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    for (const [path, target] of Object.entries(exports)) {
      if (typeof target === 'string') continue;
      const entry = `${name}${path.slice(1)}`;
      const all: Record<string, unknown> = await import(/* @vite-ignore */ entry);
      found[entry] = Object.keys(all)
        .filter((each) => typeof all[each] === 'function')
        .sort();
    }
  }
  return found;
}

test('every exported function has a case, or a reason to have none, and no other has', async () => {
  const { 'the command line': programs, ...entries } = CASES;
  const named = Object.entries(entries).map(([entry, cases]) => [
    entry,
    [...new Set(Object.keys(cases).map((name) => name.replace(/:.*/, '')))].sort(),
  ]);
  expect(Object.fromEntries(named)).toEqual(await exported());
  expect(Object.keys(programs ?? {})).not.toEqual([]);
});

test('each case reads an ordinary text', async () => {
  for (const cases of Object.values(CASES))
    for (const each of Object.values(cases)) if (typeof each !== 'string') await each(ordinary(3000, 1));
});

test('shapes have the length that is asked for, nearly, and differ by salt', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    for (const length of [5000, 20_000]) {
      expect([name, Math.abs(shape(length, 1).length - length) < 2500]).toEqual([name, true]);
    }
  }
});
