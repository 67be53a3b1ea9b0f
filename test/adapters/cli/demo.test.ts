import { tmpdir } from 'node:os';
import type { ShapingReport } from 'context-shaping';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { DEFAULT_QUESTION, loadPackage } from '../../../adapters/cli/demo-command.js';
import { findNodeModules, loadSplitter } from '../../../adapters/cli/demo-corpus.js';
import { cli, cliProcess } from './harness.js';

/** Without times, and without what their width moves: the columns and rules of tables. */
const timeless = (page: string) =>
  page.replace(/[\d,.]+ ms|\d+\.\d$/gm, '·').replace(/(?:(?!\n)\s|─)+/g, ' ');

describe('demo', () => {
  test('shows question, before and after, passages with sources, and the ledger; the same every time', {
    tags: ['long'],
  }, async () => {
    const here = await cliProcess(['demo']);
    expect(here).toMatchObject({ code: 0, stderr: '' });
    const page = here.stdout;
    expect(page.split('\n')[0]).toBe(DEFAULT_QUESTION);
    expect(page).toMatch(
      /Searched [\d,]+ chunks of \d+ Markdown files in node_modules with LangChain’s BM25Retriever/,
    );
    expect(page).toMatch(/retrieved +60 chunks +[\d,]+ tokens +█{40}/);
    const [, kept] = /kept +\d+ chunks +([\d,]+) tokens +█+░+ {2}of 1,500 allowed/.exec(page) ?? [];
    expect(Number(kept?.replace(',', ''))).toBeLessThanOrEqual(1500);
    expect(page).toMatch(/^1\. \S+\.md:\d+ · \S/m);
    expect(page).toMatch(/^60 chunks in, \d+ kept, \d+ evicted/m);
    expect(page).toMatch(/^ {2}extract +\d+ {2}\S+\.md#\d+ +would need maxTokens/m);
    expect(page).not.toContain('\u001b');
    expect(Math.max(...page.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);

    const elsewhere = await cliProcess(['demo'], { cwd: tmpdir() });
    expect(timeless(elsewhere.stdout)).toBe(timeless(page));
  });

  test('what is kept fits an exact tokenizer too, and answers the question', async () => {
    const { stdout } = await cli(['demo', '--format', 'json']);
    const { chunks, report } = JSON.parse(stdout) as {
      chunks: { text: string; sources: unknown[] }[];
      report: ShapingReport;
    };
    expect(report.input).toHaveLength(60);
    expect(chunks).toHaveLength(report.kept.length);
    const tokens = chunks.reduce((sum, { text }) => sum + encode(text).length, 0);
    expect(tokens).toBeGreaterThan(750);
    expect(tokens).toBeLessThanOrEqual(1500);
    // A passage that says how is there, once, and uncut.
    const answering = chunks.filter(({ text }) =>
      text.includes('To validate incoming requests, Fastify uses'),
    );
    expect(answering).toHaveLength(1);
    expect(answering[0]?.text).toContain("someOtherKey: { type: 'number' }");
    const repeats = report.evicted.filter(({ reason }) => reason === 'exact-duplicate');
    expect(repeats.length).toBeGreaterThan(0);
  });

  test('takes a question and limits of one’s own', async () => {
    const args = [
      'demo',
      'How do I make an option of a command required?',
      '--fetch',
      '20',
      '--budget',
      '400',
      '-k',
      '3',
    ];
    const { code, stdout } = await cli(args, { terminal: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain('\u001b[1mHow do I make an option of a command required?');
    expect(stdout).toMatch(/retrieved +20 chunks/);
    expect(stdout).toMatch(/^20 chunks in, [123] kept/m);
    expect(stdout).toMatch(/of 400 allowed/);
    expect((await cli(args, { terminal: 80, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });

  test('shows a bar on a terminal, and clears it', async () => {
    const { stderr } = await cli(['demo', '--fetch', '1'], { terminal: 80 });
    expect(stderr).toContain('Reading documentation');
    expect(stderr).toContain('░');
    // The cursor is back.
    expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stderr.lastIndexOf('\u001b[?25l'));
  });

  test('limits are checked in terms of the flags', async () => {
    const { code, stderr } = await cli(['demo', '--budget', '0']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^context-shaping: --budget must be at least 1 \(got 0\)/);
  });

  test('nothing retrieved is a page as well', async () => {
    const { code, stdout } = await cli(['demo', '--fetch', '0']);
    expect(code).toBe(0);
    expect(stdout).toContain('0 chunks in, 0 kept');
  });

  test('says what to install where the retriever is missing, and hides no other failure', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadPackage(() => Promise.reject(missing))).rejects.toThrow(
      'npm install --legacy-peer-deps @langchain/core @langchain/community @langchain/textsplitters',
    );
    const other = new Error('other');
    await expect(loadPackage(() => Promise.reject(other))).rejects.toMatchObject({
      kind: 'missing-dependency',
      message: expect.stringContaining('needs a package that could not be loaded (got "other")'),
      cause: other,
    });
  });

  test('an interrupt ends it with 130 and leaves the terminal as it was', async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 30);
    const { code, stdout, stderr } = await cli(['demo'], { terminal: 80, signal: interrupt.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(stderr.lastIndexOf('\u001b[?25l'));
  });
});

describe('corpus', () => {
  test('chunks know their file, line and heading; a comment in code is no heading', async () => {
    const split = await loadSplitter();
    const filler = 'Some words that fill a line of this passage. '.repeat(16);
    const text = `# [One](x) \`two\`\n\n${filler}\n\n\`\`\`sh\n# no heading\n\`\`\`\n\n${filler}\n\n## Three ##\n\n${filler}\n`;
    const documents = await split({ path: 'a/README.md', text });
    expect(documents.map(({ id }) => id)).toEqual(documents.map((_, at) => `a/README.md#${at + 1}`));
    expect(documents.map(({ metadata }) => metadata.title)).toEqual(['One two', 'One two', 'Three']);
    expect(documents[0]?.metadata).toMatchObject({ source: 'a/README.md', loc: { lines: { from: 1 } } });
  });

  test('an installed package searches beside itself', () => {
    expect(findNodeModules('/app/node_modules/context-shaping/dist/esm/adapters/cli')).toBe(
      '/app/node_modules',
    );
  });
});
