/** `context-shaping demo`: its corpora, its page, and its arguments. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ShapingReport } from 'context-shaping';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, test } from 'vitest';
import { split } from '../../../adapters/cli/demo-corpus.js';
import { conflictsInContext } from '../../../adapters/report/index.js';
import landing from '../../../docs/.vitepress/theme/landing/landing.data.js';
import { cli, type Outcome, programNamed, ROOT, type Setting } from './harness.js';

const devtools = programNamed('context-shaping-devtools');

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with Markdown files. */
function corpus(name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  return join(folder, name);
}

/** In this process, standing in that folder. */
async function demoIn(cwd: string, args: string[], setting?: Setting): Promise<Outcome> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await cli(['demo', ...args], setting);
  } finally {
    process.chdir(before);
  }
}

const MANUAL = corpus('my docs', {
  'guide/retries.md':
    '# Retries\n\nA job that fails is tried again four times.\n\n## How often is a job tried again?\n\nFour times, and then it fails for good.\n',
  'old/retries.md':
    '# Retries\n\nA job that fails is tried again two times.\n\n## How often is a job tried again?\n\nTwo times, and then it fails for good.\n',
  'node_modules/other/README.md': '# Other\n\nA job of another package.\n',
  '.cache/hidden.md': '# Hidden\n\nA job in a hidden folder.\n',
  'CHANGELOG.md': '# Changes\n\nA job can be tried again.\n',
  'notes.txt': 'A job in a text.\n',
});
const EMPTY = corpus('empty', { 'package.json': '{}' });

describe('demo', () => {
  test('its own corpus shows the library: copies go, versions that differ stay, text that speaks to the model goes', async () => {
    const { stdout } = await cli(['demo', '--format', 'json']);
    const { chunks, report } = JSON.parse(stdout) as {
      chunks: { id: string; text: string; sources: unknown[] }[];
      report: ShapingReport;
    };
    expect(report.input).toHaveLength(60);
    expect(report.tokens.input).toBeGreaterThan(8_000);
    const tokens = chunks.reduce((sum, { text }) => sum + encode(text).length, 0);
    expect(tokens).toBeGreaterThan(750);
    expect(report.tokens.output).toBeLessThanOrEqual(1500);
    // They are counted by the estimate, which is a few per cent off.
    expect(tokens).toBeLessThanOrEqual(1.04 * 1500);
    // The answer of each version comes first.
    const first = chunks.slice(0, 3).map(({ text }) => /for (\d+ hours), with at most/.exec(text)?.[1]);
    expect(first.sort()).toEqual(['24 hours', '6 hours', '72 hours']);
    expect(report.evicted.filter(({ reason }) => reason === 'exact-duplicate').length).toBeGreaterThan(9);
    expect(report.conflicts.length).toBeGreaterThan(2);
    const [flagged] = report.flags;
    expect(report.evicted).toContainEqual(expect.objectContaining({ id: flagged?.id, reason: 'flagged' }));
  });

  test.each([
    ['its own corpus', []],
    ['its own corpus, with little room', ['--budget', '300', '--k', '3']],
    ['a folder of Markdown', [MANUAL, 'How often is a job tried again?']],
    ['the guides', [join(ROOT, 'docs', 'guide'), 'How is a budget chosen?', '--budget', '3000']],
  ])('%s is one screen: at most 40 lines of 100 columns, or 80', async (_, args) => {
    for (const terminal of [80, 100]) {
      const { stdout } = await demoIn(EMPTY, args, { terminal });
      const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
      expect(lines.filter((line) => line.length > terminal)).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(40);
    }
  });

  test('the terminal, the page of the run and the home page count the same conflicts', async () => {
    const { stdout } = await cli(['demo']);
    const counted = Number(/^! Conflicts in the context: (\d+)$/m.exec(stdout)?.[1]);
    const { stdout: page } = await devtools.cli(['inspect', '--demo', '--to', '-']);
    const data = /id="context-shaping-data">([^<]*)</.exec(page)?.[1] ?? '';
    expect(conflictsInContext(JSON.parse(data).runs[0].report)).toHaveLength(counted);
    expect(await landing.load()).toMatchObject({ conflicts: counted, flags: 1 });
  });

  test('the screen has the context, its conflicts, the chunks left out, and the flag that brings the closest back', async () => {
    const args = ['demo', '--budget', '300', '--k', '3'];
    const { stdout } = await cli(args);
    expect(stdout).toMatch(/^60 chunks, 8,[0-9]{3} tokens {2}→ {2}3 chunks, \d+ of 300 tokens$/m);
    expect(stdout).toMatch(
      /^ {2}retries a failed .* for\n +1 {2}6 hours, .*\n +2 {2}24 hours, .*\n +3 {2}72 hours, with/m,
    );
    expect(stdout).toContain(
      '! support/tickets.md#3 tells a model: “Ignore all previous instructions”; left out by flag.evict',
    );
    const [, counted, closest, change] =
      /^Left out (\d+)\n[\s\S]*closest: (\S+); it comes back with (--\S+ \d+)$/m.exec(stdout) ?? [];
    const parts = [...stdout.matchAll(/^ +(\d+) {2}[a-z-]+ {2,}[A-Z]/gm)].map(([, times]) => Number(times));
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(Number(counted));
    const again = await cli([...args, '--format', 'json', ...(change as string).split(' ')]);
    const { report } = JSON.parse(again.stdout) as { report: ShapingReport };
    expect(report.kept.map(({ id }) => id)).toContain(closest);
  });

  test('--save writes an input of shape, and of the developer tools', async () => {
    const file = join(folder, 'run.json');
    const args = ['demo', '--fetch', '8', '--budget', '200', '--k', '2', '--save', file];
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Wrote ${file}.\n` });
    const [, id] = /closest: (\S+);/.exec(stdout) ?? [];
    const again = JSON.parse((await cli(['shape', file])).stdout) as { report: ShapingReport };
    expect(again.report.kept).toHaveLength(2);
    const explained = await devtools.cli(['explain', file, id as string, '--format', 'text']);
    expect(explained.stdout).toMatch(/was evicted: [\s\S]* It\s+comes\s+back\s+with\s+--/);
    const page = await devtools.cli(['inspect', file, '--to', '-']);
    expect({ code: page.code, hasText: page.stdout.includes('webhook delivery') }).toEqual({
      code: 0,
      hasText: true,
    });
    const wrong = await cli(['demo', '--save', join(folder, 'none', 'run.json')]);
    expect(wrong.stderr).toContain('Name another file with --save.');
  });

  test('takes a question and limits of one’s own', async () => {
    const args = ['What happens to a lost parcel?', '--fetch', '20', '--budget', '200', '-k', '3'];
    const { code, stdout } = await demoIn(EMPTY, args, { terminal: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain('\u001b[1mWhat happens to a lost parcel?');
    expect(stdout).toMatch(/^20 chunks, [\d,]+ tokens {2}→ {2}[123] chunks?, \d+ of 200 tokens$/m);
    expect(stdout).toContain('v1/parcels.md:1');
    const plain = await cli(['demo'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
  });

  test('limits are checked in terms of the flags', async () => {
    const { code, stderr } = await cli(['demo', '--budget', '0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^context-shaping: --budget must be at least 1 \(got 0\)/);
  });

  test('nothing retrieved is a page as well', async () => {
    const { code, stdout } = await cli(['demo', '--fetch', '0']);
    expect(code).toBe(0);
    expect(stdout).toContain('0 chunks, 0 tokens  →  0 chunks');
    expect(stdout).toContain('Nothing was left out.');
  });

  test('an interrupt ends it with 130', async () => {
    const { code, stdout } = await cli(['demo'], { signal: AbortSignal.abort() });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  });
});

describe('the Markdown of the user', () => {
  test('a folder and a question: files of packages, hidden folders and change logs are left out', async () => {
    const { code, stdout } = await cli(['demo', MANUAL, 'How often is a failed job tried again?']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Found in 2 chunks of 2 Markdown files in`);
    expect(stdout).toContain('guide/retries.md:1 · Retries');
    expect(stdout).toMatch(/ tried again\n +1 {2}(?:4|four) times\n +2 {2}(?:2|two) times/i);
  });

  test('a question alone searches the own corpus', async () => {
    const { stdout } = await demoIn(MANUAL, ['How often is a failed job tried again?']);
    expect(stdout).toMatch(/Markdown files: a made-up manual/);
  });

  test('a folder in node_modules can be searched', async () => {
    const { stdout } = await cli(['demo', join(MANUAL, 'node_modules'), 'Which job is it?']);
    expect(stdout).toContain('Found in 1 chunk of 1 Markdown file in');
  });

  test.each([
    ['a misspelt folder before a question', ['gudie', 'Why?'], 'Cannot read gudie'],
    ['a folder alone', ['guide'], 'guide is a file or a folder. Give a folder and a question, in quotes.'],
    ['a file', ['guide/retries.md', 'Why?'], 'ENOTDIR'],
    ['no Markdown', ['../empty', 'Why?'], 'The folder ../empty has no Markdown.'],
    ['a question without quotes', ['How', 'often', 'is', 'it?'], 'too many arguments'],
  ])('%s is an error that says so, and no question', async (_, args, message) => {
    const { code, stdout, stderr } = await demoIn(MANUAL, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test.each(['Why?', '如何重试？', 'tried again', 'retries'])('%s is a question', async (question) => {
    const { code, stdout } = await demoIn(EMPTY, [question, '--fetch', '3']);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(question);
  });
});

describe('chunks', () => {
  test('know their file, line and heading; a comment in code is no heading', () => {
    const filler = 'Some words that fill a line of this passage. '.repeat(16).trim();
    const text = `# [One](x) \`two\`\n\n${filler}\n\n\`\`\`sh\n# no heading\n\n\`\`\`\n\n${filler}\n\n## Three ##\n\n${filler}\n`;
    const chunks = split('a/README.md', text);
    expect(chunks.map(({ id }) => id)).toEqual(chunks.map((_, at) => `a/README.md#${at + 1}`));
    expect(chunks.map(({ metadata }) => metadata?.title)).toEqual(['One two', 'One two', 'Three']);
    expect(chunks[0]?.metadata).toMatchObject({ source: 'a/README.md', loc: { lines: { from: 1 } } });
    expect(chunks[0]?.text).toMatch(/```sh\n# no heading\n\n```$/);
    expect(chunks[2]?.metadata).toMatchObject({ loc: { lines: { from: 12 } } });
  });

  test('together have every line, in order, however the file is made', () => {
    const long = Array.from({ length: 90 }, (_, at) => `line ${at} of a list without an end`).join('\n');
    const text = `${long}\n\n~~~\n${long}\n\nopen fence\n\n# One\n\n## Two\n\n${'word '.repeat(400)}`;
    const chunks = split('a.md', text);
    const lines = (each: string) =>
      each
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    expect(chunks.flatMap((chunk) => lines(chunk.text))).toEqual(lines(text));
    const ofLines = chunks.filter((chunk) => !chunk.text.includes('word word'));
    expect(Math.max(...ofLines.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(801);
  });

  test('a heading without text is no chunk', () => {
    expect(split('a.md', '# One\n\n## Two\n')).toEqual([]);
  });
});
