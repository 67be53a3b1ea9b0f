/** The README: short, complete, its blocks run as pasted, and its links work on npm. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { cli } from '../../adapters/cli/harness.js';
import { newProject } from '../../built-package.js';
import { blocksOf, isRun } from '../../documents/page.js';
import { compile, layOut, runPage } from '../../documents/run-page.js';

const readme = readFileSync('README.md', 'utf8');

const parent = await newProject();
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const { folder, blocks } = await layOut('README.md', parent);

test('it has at most 150 lines, and at most ten links at its end', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const [, end = ''] = readme.split('\n## Read on\n');
  const links = end.match(/\]\(/g) ?? [];
  expect(links.length).toBeGreaterThan(5);
  expect(links.length).toBeLessThanOrEqual(10);
});

test('its blocks run as pasted: LangChain, LangGraph and LlamaIndex', async () => {
  const programs = blocks.filter((block) => isRun(block) && block.language === 'ts');
  expect(programs.map(({ code }) => /'context-shaping\/(\w+)'/.exec(code)?.[1])).toEqual([
    ...['langchain', 'langgraph', 'llamaindex'],
  ]);
  expect(await runPage('README.md', folder, blocks)).toBe(blocks.filter(isRun).length);
});

test('its blocks compile under strict TypeScript', async () => {
  expect(await compile(parent)).toBe('');
});

test('its commands are those of a fresh clone and of a new project', () => {
  const commands = blocksOf('README.md')
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code.trim());
  expect(commands.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});

test('its links lead to files of the package and of the repository, and one works on npm', () => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);
  const links = Array.from(
    readme.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g),
    (match) => match[1] ?? match[2] ?? '',
  );
  expect(links.length).toBeGreaterThan(10);
  // Both show the files of the published package.
  const published = /^https:\/\/(?:app\.unpkg\.com\/context-shaping\/files|unpkg\.com\/context-shaping)\//;
  const dead = links.filter((link) => {
    const [path = ''] = link.replace(published, '').split('#');
    return !packed.some((each) => each === path || each.startsWith(`${path}/`));
  });
  expect(dead).toEqual([]);
  expect(links.filter((link) => link.startsWith('https://app.unpkg.com/'))).toHaveLength(1);
});

test('its first figures and lines are those of the demo', async () => {
  const hero = readme.slice(0, readme.indexOf('## Two commands'));
  const [, command = ''] = /`npx (context-shaping demo .+?)`/.exec(hero) ?? [];
  const words = command.split(' ').slice(1);
  const { stdout } = await cli([...words, '--format', 'json']);
  const { chunks, report } = JSON.parse(stdout);
  const count = (value: number) => value.toLocaleString('en');
  expect(hero).toContain(`**In:** ${report.input.length} chunks, ${count(report.tokens.input)} tokens`);
  expect(hero).toContain(`**Out:** ${chunks.length} chunks, ${count(report.tokens.output)} tokens`);
  const [context = [], screen = []] = blocksOf('README.md')
    .filter(({ language, output }) => language === 'text' && output === undefined)
    .map(({ code }) => code.trim().split('\n'));
  expect(context).toHaveLength(chunks.length);
  for (const [place, { text, metadata }] of chunks.entries()) {
    const [source, sentence = ''] = context[place]?.split(/ {2,}/) ?? [];
    expect(metadata.source).toBe(source);
    expect(text).toContain(sentence);
  }
  // The README leaves lines of the screen out, and keeps their order.
  const lines = (await cli(words)).stdout.split('\n');
  const places = screen.map((line) => lines.indexOf(line));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(places.length).toBeGreaterThan(5);
});
