import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeToolResult } from '../../../src/tool-results/index.js';

const count = (text: string) => Math.ceil(text.length / 4);

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
