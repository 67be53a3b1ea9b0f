/** The rules of the house that code can check: who may import whom, what may not be in the tree. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { optionsTable, readmeWithTable, reportJsonSchema } from '../scripts/generate.js';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file) && statSync(file).isFile());
const code = files.filter((file) => /^(src|adapters)\/.*\.ts$/.test(file));

/** Files that a file imports, as paths from the root, and packages by name. Type imports count. */
function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  );
  return Array.from(specifiers, ([, fixed, dynamic]) => fixed ?? (dynamic as string)).map((specifier) =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts') : specifier,
  );
}
const arrows = code.flatMap((file) => importsOf(file).map((to) => ({ file, to })));
const area = (path: string) => /^(src\/(?:math|text|stages)|adapters\/[^/]+|src)\//.exec(path)?.[1];

/** The packages that each area may use; adapters also use their own framework. */
const PACKAGES: Record<string, RegExp> = {
  'src/math': /^ml-hclust$/,
  'src/text': /^@orama\/stemmers\/english$/,
  'src/stages': /^$/,
  src: /^(zod|@noble\/hashes\/(sha2|utils)|gpt-tokenizer\/encoding\/(o200k_base|cl100k_base))$/,
  'adapters/langchain': /^(@langchain\/core\/.*|node:async_hooks|zod)$/,
  'adapters/embeddings': /^(@langchain\/core\/.*|@noble\/hashes\/(sha2|utils)|zod)$/,
  'adapters/llamaindex': /^$/,
  'adapters/testing': /^$/,
  'adapters/cli': /^(node:.*|commander|cli-progress|@langchain\/(core|community|textsplitters)(\/.*)?)$/,
};

test('every import is of a file that exists, or of a package that its area may use', () => {
  expect(code.length).toBeGreaterThan(30);
  const wrong = arrows.filter(({ file, to }) =>
    area(to) ? !existsSync(to) : !PACKAGES[area(file) as string]?.test(to),
  );
  expect(wrong).toEqual([]);
});

test('arrows go one way: math, text, then stages, then shaper, then index, then adapters', () => {
  const forbidden: [from: RegExp, to: RegExp][] = [
    [/^src\/(math|text)\//, /^src\/(stages\/|(?!math|text|errors|types)[^/]+\.ts)/],
    [/^src\/math\//, /^src\/text\//],
    [/^src\/stages\//, /^src\/stages\//],
    [/^src\/(?!shaper\.ts)/, /^src\/stages\//],
    [/^src\/(?!index\.ts)/, /^src\/shaper\.ts$/],
    [/^src\//, /^(src\/index\.ts|adapters\/)/],
    [/^adapters\//, /^src\/(?!index\.ts)/],
  ];
  expect(
    arrows.filter(({ file, to }) => forbidden.some(([from, target]) => from.test(file) && target.test(to))),
  ).toEqual([]);
});

test('adapters meet only at their front doors', () => {
  const inside = arrows.filter(
    ({ file, to }) => to.startsWith('adapters/') && area(file) !== area(to) && !to.endsWith('/index.ts'),
  );
  expect(inside).toEqual([]);
});

test('no cycles', () => {
  const to = new Map<string, string[]>();
  for (const arrow of arrows) to.set(arrow.file, [...(to.get(arrow.file) ?? []), arrow.to]);
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) throw new Error(`cycle: ${[...path, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const next of to.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  // Types may know each other: an observer's option takes a report, and a report shows options.
  to.set(
    'src/report.ts',
    (to.get('src/report.ts') ?? []).filter((file) => file !== 'src/options.ts'),
  );
  for (const file of code) visit(file, []);
});

test('the table of options and the schema of the report are those that the code has', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(readme).toContain(optionsTable());
  expect(readmeWithTable(readme)).toBe(readme);
  expect(readFileSync('report.schema.json', 'utf8')).toBe(reportJsonSchema());
});

test('no registry address, machine path or unfinished work in the tree', () => {
  const address = new RegExp(
    [
      'registry\\.npm' + 'js',
      'resolved"',
      '/wor' + 'k/',
      '/ro' + 'ot/',
      '\\bTO' + 'DO\\b',
      '\\bFIX' + 'ME\\b',
    ].join('|'),
  );
  const found = files.filter((file) => !file.endsWith('.gz') && address.test(readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});
