/** The recipes of CONTRIBUTING.md, performed literally on a copy of the repository. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blocksIn } from '../documents/page.js';
import { PACKAGES } from '../published.js';

const copy = mkdtempSync(join(tmpdir(), 'recipes-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
for (const file of files.trim().split('\n')) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(file, join(copy, file));
}
// The links of the workspaces lead to this repository, so the copy gets one of its own.
mkdirSync(join(copy, 'node_modules'));
for (const name of readdirSync('node_modules').filter((each) => !each.startsWith('context-shaping')))
  symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name));
symlinkSync('..', join(copy, 'node_modules/context-shaping'));
for (const name of PACKAGES)
  symlinkSync(`../packages/${name}`, join(copy, `node_modules/context-shaping-${name}`));

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, CI: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const typescript = (program: string) =>
  run('--conditions=context-shaping-source', '--import', 'tsx', '--input-type=module', '-e', program);

/** The section of CONTRIBUTING.md with this heading. */
function section(heading: string): string {
  const [, text = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(`\n### ${heading}\n`);
  return text.split('\n### ')[0] as string;
}

/** Writes the new files of a recipe, and makes its changes of other files. */
function perform(recipe: string): void {
  for (const { language, file, code } of blocksIn(recipe)) {
    if (file === undefined) continue;
    const path = join(copy, file);
    writeFileSync(path, language === 'diff' ? changed(readFileSync(path, 'utf8'), code, file) : code);
  }
}

/** Lines of the change that begin with `+` are added. The others are lines of the file, one after another. */
function changed(text: string, change: string, file: string): string {
  const hunk = change.trimEnd().split('\n');
  const context = hunk.filter((line) => !line.startsWith('+')).map((line) => line.trim());
  const lines = text.split('\n');
  const places = [...lines.keys()].filter((at) =>
    context.every((line, step) => lines[at + step]?.trim() === line),
  );
  expect(places, `${file}: ${context.join(' / ')}`).toHaveLength(1);
  const [at = 0] = places;
  let next = at;
  const own = hunk.map((line) => (line.startsWith('+') ? line.slice(1) : lines[next++]));
  return [...lines.slice(0, at), ...own, ...lines.slice(at + context.length)].join('\n');
}

function fixAndCompile(): void {
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', 'src', 'adapters', 'packages', 'scripts');
  run('--conditions=context-shaping-source', '--import', 'tsx', 'scripts/generate.ts');
  run('node_modules/typescript/bin/tsc');
  run('node_modules/typescript/bin/tsc', '-p', 'packages/devtools/page');
}

test('"Add a stage to the core": the stage runs, is explained, and has its option and its reason in the schemas', () => {
  perform(section('Add a stage to the core'));
  fixAndCompile();
  const printed = typescript(`
    import { createShaper } from 'context-shaping';
    import { formatReport } from 'context-shaping/explain';
    import { explain } from 'context-shaping/explain';
    const chunks = [
      { id: 'short', text: 'The bridge.' },
      { id: 'long', text: 'The bridge over the river was opened to traffic in the spring of 1932.' },
    ];
    const result = await createShaper({ tooShort: { minTokens: 8 } }).shape({ query: 'When was the bridge opened?', chunks });
    const { cause, remedy } = await explain(result, 'short');
    console.log(JSON.stringify({ evicted: result.report.evicted, stages: result.report.stages.map(({ name }) => name), cause, remedy }));
    console.log(formatReport(result.report));
  `);
  const { evicted, stages, cause, remedy } = JSON.parse(printed.split('\n')[0] as string);
  expect(evicted).toMatchObject([{ id: 'short', stage: 'too-short', reason: 'too-short', minTokens: 8 }]);
  expect(stages.slice(0, 4)).toEqual(['flag', 'annotate', 'too-short', 'exact-dedup']);
  expect({ cause, remedy }).toMatchObject({ cause: 'too-short', remedy: { options: { tooShort: false } } });
  expect(printed).toContain('fewer than 8 tokens');
  const schemaOf = (name: string) => readFileSync(join(copy, `${name}.schema.json`), 'utf8');
  expect(schemaOf('options')).toContain('tooShort');
  expect(schemaOf('report')).toContain('too-short');
}, 240_000);

test('"Add a relevance feature": it is measured, and has its weight', () => {
  perform(section('Add a relevance feature'));
  fixAndCompile();
  const printed = typescript(`
    import { createShaper } from 'context-shaping';
    const chunks = [{ id: 'yes', text: 'Bridges are built of steel.' }, { id: 'no', text: 'Most are built of steel.' }];
    const shaper = createShaper({ relevance: { weights: { opening: 2 } } });
    const { report } = await shaper.shape({ query: 'bridges', chunks });
    console.log(JSON.stringify(report.kept.map(({ id, features }) => [id, features.opening])));
  `);
  expect(JSON.parse(printed)).toEqual([
    ['yes', 2],
    ['no', null],
  ]);
}, 240_000);

test('the checks of the house pass with both, and find a stage that the list lacks', () => {
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  // Recipes add lines, and the contributor finds room for them.
  const others = ['--testNamePattern', '^(?!.* has no more lines than its budget)'];
  const check = () => run('node_modules/vitest/vitest.mjs', 'run', 'test/house.test.ts', ...others);
  expect(check()).toContain('passed');
  writeFileSync(join(copy, 'src/stages/forgotten.ts'), 'export const forgotten = 1;\n');
  expect(check).toThrow(/FAIL.+the list of stages has every stage/);
}, 120_000);
