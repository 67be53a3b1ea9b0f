import { expect, test } from 'vitest';
import { shapeToolResult } from '../../../adapters/tool-results/index.js';

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

test('a log shows its failure and its end, and the note names what it leaves out', async () => {
  const { content, note, report } = await shapeToolResult({ content: build, maxTokens: 400 });
  expect(content).toContain('parser.c:12: error: expected a semicolon');
  expect(content).toContain('make: *** [all] Error 2');
  expect(content).not.toContain('2026-01-05');
  expect(note).toMatch(
    /^\[\d+ of 603 lines left out; \d+ × Downloading package number 0 \(lines \d+–\d+\), \d+ × Copying/,
  );
  expect(note).toContain('the time stamps of 603 lines');
  expect(report).toMatchObject({ kind: 'log', fits: true, lines: { given: 603 } });
  expect(report.tokens.sent).toBeLessThanOrEqual(400);
  expect(report.tokens.sent).toBeGreaterThan(380);
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

test('content items of MCP share the budget, and other items stay', async () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const items = [{ type: 'text', text: build }, image];
  const { content } = await shapeToolResult({ content: items, maxTokens: 400 });
  expect(content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(content[1]).toBe(image);
});

test('a wrong option is named', async () => {
  await expect(shapeToolResult({ content: '', maxTokens: 0 })).rejects.toMatchObject({
    kind: 'invalid-options',
    field: 'maxTokens',
  });
});
