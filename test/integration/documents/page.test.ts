import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newProject } from '../../built-package.js';
import { blocksIn, fileOf, isRun } from '../../documents/page.js';
import { compile, layOut, runPage } from '../../documents/run-page.js';

const fenced = (info: string, ...lines: string[]) => ['```'.concat(info), ...lines, '```', ''].join('\n');

test('blocks have their language, file, line and output; indented ones lose their indent', () => {
  const page = [
    '# Page',
    fenced('ts [starter.ts]', 'export const one = 1;'),
    '- item',
    fenced('ts', "console.log('a');", '', "console.log('b');").replaceAll(/^(?=.)/gm, '  '),
    fenced('text [output]', 'a', 'b'),
    fenced('json', '{}'),
  ].join('\n');
  const blocks = blocksIn(page);
  expect(blocks.map(({ line, language }) => [line, language])).toEqual([
    [2, 'ts'],
    [7, 'ts'],
    [18, 'json'],
  ]);
  expect(blocks[0]).toMatchObject({ file: 'starter.ts', code: 'export const one = 1;\n' });
  expect(blocks[1]).toMatchObject({ code: "console.log('a');\n\nconsole.log('b');\n", output: 'a\nb\n' });
  expect(blocks.map(isRun)).toEqual([false, true, false]);
  expect(blocks.slice(0, 2).map(fileOf)).toEqual(['starter.ts', 'line-7.ts']);
});

test('an output without a block is an error', () => {
  expect(() => blocksIn(fenced('text [output]', 'a'))).toThrow(
    'line 1: there is no block of which this is the output',
  );
});

test.each([
  ['a block that throws', fenced('ts', "throw new Error('broken');"), /broken/],
  [
    'a command that fails',
    fenced('sh', 'npx context-shaping shape --format nonsense </dev/null'),
    /nonsense/,
  ],
  ['an unknown program', fenced('sh', 'npx cowsay moo'), /cowsay is not known/],
  ['another output', fenced('sh', 'echo one') + fenced('text [output]', 'two'), /two/],
  ['a package that no reader can know', fenced('sh', 'npm install left-pad'), /left-pad/],
  ['a script that is not there', fenced('sh', 'npm run nonsense'), /nonsense/],
])('%s fails', async (_, markdown, message) => {
  const { page, folder, blocks } = await made(markdown);
  await expect(runPage(page, folder, blocks)).rejects.toThrow(message);
});

test('a type error is found', async () => {
  const { folder } = await made(fenced('ts', "const one: number = 'one';", 'console.log(one);'));
  expect(await compile(folder)).toContain("Type 'string' is not assignable to type 'number'");
});

async function made(markdown: string) {
  const parent = await newProject();
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const page = join(parent, 'page.md');
  writeFileSync(page, markdown);
  return { page, ...(await layOut(page, '.')) };
}
