/** The page about errors has every kind of error and every code of a degradation. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/reference/errors.md', 'utf8');
const inTable = (name: string) => page.split('\n').some((line) => line.startsWith(`| \`${name}\` |`));
const [, ladder = ''] = page.split('\n## Degradations\n');

test('the ladder has every code that the schema of reports allows, and no other', () => {
  const { properties } = JSON.parse(readFileSync('report.schema.json', 'utf8'));
  const codes: string[] = properties.degradations.items.properties.code.enum;
  expect(codes.length).toBeGreaterThan(20);
  const rows = Array.from(ladder.matchAll(/^\| `([\w-]+)` \|/gm), ([, code]) => code as string);
  expect(rows.sort()).toEqual(codes.sort());
});

test('every kind of error has a row', () => {
  const [, union = ''] =
    /type ContextShapingErrorKind =([^;]*);/.exec(readFileSync('src/errors.ts', 'utf8')) ?? [];
  const kinds = Array.from(union.matchAll(/\| '([\w-]+)'/g), ([, kind]) => kind as string);
  expect(kinds).toHaveLength(6);
  expect(kinds.filter((kind) => !inTable(kind))).toEqual([]);
});
