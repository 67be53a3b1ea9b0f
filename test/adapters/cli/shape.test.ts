import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createShaper, type ShapingReport } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from './harness.js';

const BODY = {
  query: 'What does the blue bicycle cost?',
  chunks: [
    { id: 'price', text: 'The blue bicycle costs 300 euros.', score: 3, metadata: { source: 'prices.md' } },
    { id: 'copy', text: 'The blue bicycle costs 300 euros.', score: 2, metadata: { source: 'mirror.md' } },
    { id: 'weather', text: 'It rained in Lisbon for most of the afternoon.', score: 1 },
  ],
};
const stdin = JSON.stringify(BODY);

const parse = (stdout: string) =>
  JSON.parse(stdout) as { chunks: { id: string; text: string }[]; report: ShapingReport };
const untimed = (report: ShapingReport) => ({ ...report, stages: report.stages.map(({ name }) => name) });

describe('input', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('a file, standard input and - give the same as the core', async () => {
    const file = join(folder, 'body.json');
    await writeFile(file, stdin);
    const expected = await createShaper().shape(BODY);
    for (const outcome of [
      await cli(['shape', file]),
      await cli(['shape'], { stdin }),
      await cli(['shape', '-'], { stdin }),
    ]) {
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      const { chunks, report, ...rest } = parse(outcome.stdout);
      expect(rest).toEqual({});
      expect(chunks).toEqual(expected.chunks);
      expect(untimed(report)).toEqual(untimed(expected.report));
    }
  });

  test('the query may be an object, with its vector', async () => {
    const chunks = [
      { id: 'a', text: 'one', embedding: [1, 0] },
      { id: 'b', text: 'two', embedding: [0, 1] },
    ];
    const options = { ranked: false };
    const inside = await cli(['shape', '--k', '1'], {
      stdin: JSON.stringify({ query: { text: '', embedding: [0, 1] }, chunks, options }),
    });
    expect(parse(inside.stdout).chunks.map(({ id }) => id)).toEqual(['b']);
  });

  test('null is absent, a byte order mark is nothing, no chunks are fine, fields of one’s own come back', async () => {
    const body = {
      query: { text: 'q', embedding: null },
      chunks: [{ id: 'a', text: 't', score: null, url: 'u' }],
      options: null,
    };
    const { code, stdout } = await cli(['shape'], { stdin: `\ufeff${JSON.stringify(body)}` });
    expect(code).toBe(0);
    expect(parse(stdout).chunks[0]).toMatchObject({ id: 'a', url: 'u' });
    const empty = await cli(['shape'], { stdin: '{"query":"","chunks":[]}' });
    expect(parse(empty.stdout)).toMatchObject({ chunks: [], report: { input: [] } });
  });

  test('the output is a valid input', async () => {
    const first = parse((await cli(['shape'], { stdin })).stdout);
    const again = await cli(['shape'], {
      stdin: JSON.stringify({ query: BODY.query, chunks: first.chunks }),
    });
    expect(parse(again.stdout).chunks.map(({ id }) => id)).toEqual(first.chunks.map(({ id }) => id));
  });
});

describe('flags', () => {
  test('go over the body, and leave its other options alone', async () => {
    const options = {
      k: 3,
      budget: { maxTokens: 900, reserve: 5, perSource: 800 },
      order: 'input',
    };
    const flags = '--query rain? --budget 500 --reserve 20 -k 2 --order source --tokenizer o200k_base';
    const { stdout } = await cli(['shape', ...flags.split(' ')], {
      stdin: JSON.stringify({ ...BODY, options }),
    });
    expect(parse(stdout).report).toMatchObject({
      query: 'rain?',
      tokens: { budget: 480 },
      options: {
        k: 2,
        order: 'source',
        tokenizer: 'o200k_base',
        budget: { maxTokens: 500, reserve: 20, perSource: 800 },
      },
    });
  });

  test('--query stands in for a missing one, beside a vector too', async () => {
    const { query: _, ...body } = BODY;
    const { code, stdout } = await cli(['shape', '--query', 'rain?'], {
      stdin: JSON.stringify({ ...body, query: { embedding: [1] } }),
    });
    expect(code).toBe(0);
    expect(parse(stdout).report.query).toBe('rain?');
  });
});

describe('formats', () => {
  test('json in a pipe, one screen of its width on a terminal, and tables if asked for', async () => {
    expect((await cli(['shape'], { stdin })).stdout).toMatch(/^\{"chunks":\[.*\}\n$/);
    const screen = stripVTControlCharacters((await cli(['shape', '-'], { stdin, terminal: 72 })).stdout);
    expect(screen).toMatch(/^3 chunks, \d+ tokens {2}→ {2}2 chunks, \d+ tokens$/m);
    expect(screen).toMatch(/^Left out 1\n +1 {2}exact-duplicate /m);
    expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
    const { stdout } = await cli(['shape', '-', '--format', 'table'], { stdin, terminal: 72 });
    expect(stdout).toMatch(/^3 chunks in, 2 kept, 1 evicted/);
    expect(stdout).toContain('same text as price');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain('\u001b');
  });

  test('text: the kept texts and nothing else', async () => {
    const { stdout, stderr } = await cli(['shape', '--format', 'text'], { stdin });
    expect(stdout).toBe(
      'The blue bicycle costs 300 euros.\n\nIt rained in Lisbon for most of the afternoon.\n',
    );
    expect(stderr).toBe('');
    expect((await cli(['shape', '--format', 'text'], { stdin: '{"query":"","chunks":[]}' })).stdout).toBe('');
  });

  test('text: degradations go to standard error', async () => {
    const { code, stdout, stderr } = await cli(['shape', '--format', 'text', '--budget', '4'], { stdin });
    expect(code).toBe(0);
    expect('The blue bicycle costs 300 euros.').toContain(stdout.trim());
    expect(stderr).toMatch(/^budget: .*was cut to its first \d+ characters/);
  });

  test('text: a pipe gets control characters, a terminal does not', async () => {
    const body = JSON.stringify({ query: '', chunks: [{ id: 'a', text: 'red \u001b[31malert\u0007' }] });
    expect((await cli(['shape', '--format', 'text'], { stdin: body })).stdout).toBe(
      'red \u001b[31malert\u0007\n',
    );
    const shown = await cli(['shape', '-', '--format', 'text'], { stdin: body, terminal: 80 });
    expect(shown.stdout).toBe('red [31malert\n');
  });

  test('jsonl: one line for the run and one for every chunk', async () => {
    const { stdout } = await cli(['shape', '--format', 'jsonl'], { stdin });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; digest: string });
    expect(lines.map(({ event }) => event)).toEqual(['shaped', 'kept', 'kept', 'evicted']);
    expect(new Set(lines.map(({ digest }) => digest)).size).toBe(1);
  });
});

describe('help and version', () => {
  test('help is worth reading', async () => {
    const { code, stdout, stderr } = await cli(['shape', '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      'Usage: context-shaping shape [options] [file]',
      '"embedding": [0.1, 0.2]',
      '"chunks": [',
      '--budget <tokens>',
      'budget.maxTokens',
      '(choices: "relevance", "input", "source", "edges-first")',
      '(choices: "estimate", "characters/4",',
      '(choices: "table", "json", "text", "jsonl")',
      'docs/reference/options.md',
      'Examples:',
      'Exit codes:',
      '130  interrupted',
      '--verbose',
    ]) {
      expect(stdout).toContain(part);
    }
    const all = await cli(['--help']);
    expect(all.stdout).toContain('shape [options] [file]');
    expect(all.stdout).toContain('demo [options] [folder] [question]');
    expect(all.stdout).toContain('Exit codes:');
    expect((await cli(['demo', '--help'])).stdout).toMatch(/--fetch <count>[^\n]*\(default: 60\)/);
  });

  test('the body that help shows can be shaped', async () => {
    const { stdout } = await cli(['shape', '--help']);
    const body = stdout.slice(stdout.indexOf('  {\n'), stdout.indexOf('\n  }') + 4);
    expect((await cli(['shape'], { stdin: body })).code).toBe(0);
  });

  test('no command is a call for help', async () => {
    const { code, stdout, stderr } = await cli([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: context-shaping');
  });
});
