import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeToolResult } from '../../../src/tool-results/index.js';

const count = (text: string) => Math.ceil(text.length / 4);
const GAP = '…';

const line = fc.oneof(
  fc.constantFrom(
    '',
    'error: no such file',
    'ok 3 - adds',
    'Tests: 1 failed',
    '$ make',
    'exit code 2',
    '  at run (a.js:1)',
  ),
  fc.nat(9999).map((nth) => `Downloading part ${nth}`),
  fc.string({ unit: 'grapheme', maxLength: 500 }).map((text) => text.replace(/[\n\r…]/g, ' ').trimEnd()),
);
const log = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) => lines.join('\n'));

/** Whether the lines are some of the others, in their order. */
function isSubset(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const each of some) {
    const found = all.indexOf(each, at);
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

test('a shaped log has lines of the log in their order, within the budget, and is always the same', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.integer({ min: 40, max: 600 }), async (content, maxTokens) => {
      const options = { content, maxTokens, kind: 'log', tokenizer: count } as const;
      const shaped = await shapeToolResult(options);
      expect(await shapeToolResult(options)).toEqual(shaped);
      const { tokens, lines, dropped } = shaped.report;
      if (tokens.given <= maxTokens) expect(shaped.content).toBe(content);
      expect(tokens.sent).toBeLessThanOrEqual(maxTokens);
      const given = content.split('\n').map((each) => each.replace(/[\p{Cc}]/gu, '').trimEnd());
      const shown = shaped.content.split('\n').filter((each) => each !== '' && !each.includes(GAP));
      const plain = shown.map((each) => each.replace(/[\p{Cc}]/gu, '').trimEnd());
      expect(isSubset(plain, given)).toBe(true);
      expect(lines.given).toBe(content === '' ? 0 : given.length);
      expect(dropped.length > 0).toBe(shaped.note.includes('left out'));
    }),
    { numRuns: 150 },
  );
});

test('no given content is changed, and the answer has the form of the content', async () => {
  const content = fc.oneof(
    log,
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc
      .array(log, { minLength: 1, maxLength: 3 })
      .map((texts) => texts.map((text) => ({ type: 'text', text }))),
  );
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 40, max: 200 }), async (given, maxTokens) => {
      const before = structuredClone(given);
      const { content: shaped } = await shapeToolResult({ content: given, maxTokens, tokenizer: count });
      expect(given).toEqual(before);
      expect(typeof shaped).toBe(typeof given);
      expect(Array.isArray(shaped)).toBe(Array.isArray(given));
    }),
    { numRuns: 150 },
  );
});
