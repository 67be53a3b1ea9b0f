import { expect, test } from 'vitest';
import { structureOf } from '../../../adapters/structures/index.js';
import { type Kept, shapeToolResult } from '../../../adapters/tool-results/index.js';
import { pinnedBlocks } from '../../../adapters/tool-results/keep.js';

/** A log of a build: many steps of one form, a failure in the middle, an end. */
const build = [
  '2026-01-05T10:00:00.000Z $ make all',
  ...Array.from(
    { length: 300 },
    (_, at) => `2026-01-05T10:00:0${at % 10}.123Z Downloading package number ${at}`,
  ),
  '2026-01-05T10:01:00.000Z parser.c:12: error: expected a semicolon',
  ...Array.from({ length: 300 }, (_, at) => `2026-01-05T10:02:0${at % 10}.123Z Copying file number ${at}`),
  '2026-01-05T10:03:00.000Z make: *** [all] Error 2',
].join('\n');

test('a log shows its failure and its end, and the note names the left-out lines', async () => {
  const { content, note, report } = await shapeToolResult({ content: build, maxTokens: 900 });
  expect(content).toContain('parser.c:12: error: expected a semicolon');
  expect(content).toContain('make: *** [all] Error 2');
  expect(content).not.toContain('2026-01-05');
  expect(note).toMatch(
    /^\[\d+ of 603 lines left out; \d+ × Downloading package number … \(lines \d+–\d+\); \d+ × Copying/,
  );
  expect(note).toContain('the time stamps of 603 lines');
  expect(report).toMatchObject({ kind: 'log', fits: true, lines: { given: 603 } });
  expect(report.tokens.sent).toBeLessThanOrEqual(900);
  expect(report.tokens.sent).toBeGreaterThan(855);
});

test('content that fits is given back as it is', async () => {
  const { content, note, report } = await shapeToolResult({ content: build, maxTokens: 100_000 });
  expect(content).toBe(build);
  expect(note).toBe('');
  expect(report.dropped).toEqual([]);
});

test('JSON stays JSON, and the first elements fill the room if nothing is asked', async () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `Station ${id}`, depth: id * 7 }));
  const { content, report } = await shapeToolResult({ content: rows, maxTokens: 500 });
  expect(content).toEqual(rows.slice(0, content.length));
  expect(report).toMatchObject({ kind: 'json', fits: true, blocks: { given: 200, sent: content.length } });
  expect(report.tokens.sent).toBeGreaterThan(475);
});

test.each([
  ['sentences', Array.from({ length: 200 }, (_, at) => `The ferry number ${at} leaves at noon.`).join(' ')],
  ['words', Array.from({ length: 2000 }, (_, at) => `word${at}`).join(' ')],
  ['no spaces', 'abcdefg'.repeat(2000)],
])('a text of one paragraph begins as far as it fits: %s', async (_, content) => {
  const { content: shown, note, report } = await shapeToolResult({ content, maxTokens: 200 });
  expect(shown.endsWith(' …')).toBe(true);
  expect(content.startsWith(shown.slice(0, -2))).toBe(true);
  expect(report.tokens.sent).toBeLessThanOrEqual(200);
  expect(report.tokens.sent).toBeGreaterThan(170);
  expect(note).toBe('[1 of 1 parts cut]');
});

test('content items of MCP share the budget, and other items stay', async () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const items = [{ type: 'text', text: build }, image];
  const { content } = await shapeToolResult({ content: items, maxTokens: 400 });
  expect(content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(content[1]).toBe(image);
});

test('lines with something exact stay first, and the report says how many of them fit', async () => {
  const at = build.split('\n');
  at[40] += ' from https://mirror.example.org/a';
  at[500] += ' as E4711';
  const content = at.join('\n');
  const keep = ['urls', /E\d{4}/g] as const;
  const wide = await shapeToolResult({ content, maxTokens: 300, keep });
  expect(wide.content).toContain('https://mirror.example.org/a');
  expect(wide.content).toContain('E4711');
  expect(wide.report.pinned).toEqual({ found: 2, shown: 2 });
  const many = await shapeToolResult({ content, maxTokens: 300, keep: [/file number/] });
  expect(many.report.pinned?.found).toBe(300);
  expect(many.report.pinned?.shown).toBeGreaterThan(10);
  expect(many.report.tokens.sent).toBeLessThanOrEqual(300);
});

test('each name of exact values finds its values, and no plain words', () => {
  const found = (keep: Kept, text: string) => pinnedBlocks([structureOf(text)], [keep], () => 0)[0]?.length;
  const values: Record<string, string[]> = {
    identifiers: [
      'commit 5c115507f6dd',
      'see ABC-123',
      'id req_8fj2k3l9',
      '72522277-17d4-4851-9ca2-cac7199bd5d9',
    ],
    urls: ['at https://example.org/a?b=1', 'db postgres://host/name'],
    paths: ['in /etc/hosts now', 'in src/index.ts', 'open C:\\Users', 'run ./build'],
    dates: ['on 2026-01-05', 'on 5 January 2026', 'on Jan 5, 2026', 'on 05.01.2026'],
  };
  for (const [name, texts] of Object.entries(values)) {
    for (const text of texts) expect(found(name as Kept, text), `${name}: ${text}`).toBe(1);
    expect(found(name as Kept, 'The ferry leaves and or then at noon with 12 cars.'), name).toBe(0);
  }
});

test('a wrong option is named', async () => {
  await expect(shapeToolResult({ content: '', maxTokens: 0 })).rejects.toMatchObject({
    kind: 'invalid-options',
    field: 'maxTokens',
  });
});
