import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeToolResult } from '../../../src/tool-results/index.js';
import { FORMS, isJson, NESTINGS, TREES } from './forms.js';

const count = (text: string) => Math.ceil(text.length / 4);
const shape = (content: string, maxTokens: number) =>
  shapeToolResult({ content, maxTokens, tokenizer: count });

const form = fc
  .record({
    of: fc.constantFrom(...Object.keys(FORMS)),
    size: fc.integer({ min: 6, max: 90 }),
    seed: fc.nat(999),
  })
  .map(({ of, size, seed }) => ({ name: of, text: FORMS[of]?.(size, seed) as string }));
const nested = fc.tuple(form, fc.constantFrom(...Object.keys(NESTINGS))).map(([{ name, text }, nesting]) => ({
  name: `${name}, ${nesting}`,
  text: NESTINGS[nesting]?.(text) as string,
}));
const mixed = fc
  .tuple(nested, nested, fc.constantFrom('\n', '\n\n'))
  .map(([a, b, between]) => ({ name: `${a.name} + ${b.name}`, text: a.text + between + b.text }));
const given = fc.oneof({ weight: 3, arbitrary: nested }, { weight: 1, arbitrary: mixed });

/** The lines of a text; of one with values, the texts between their signs. */
const linesIn = (text: string, hasValues: boolean): string[] =>
  text.split(hasValues ? /\n|\\+n|\\*"|[[\]{},]/ : '\n').map((line) => line.trim());

test('a result uses at least .8 of its room, never more than the room; its lines are given ones or marked; JSON stays JSON', async () => {
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 60, max: 700 }), async ({ name, text }, maxTokens) => {
      const { content, report } = await shape(text, maxTokens);
      const { tokens, blocks, fits } = report;
      expect(fits, name).toBe(true);
      expect(tokens.sent, name).toBeLessThanOrEqual(maxTokens);
      if (count(text) >= 2 * maxTokens) expect(tokens.sent / maxTokens, name).toBeGreaterThanOrEqual(0.8);
      expect(blocks.sent, name).toBeGreaterThanOrEqual(0);
      expect(blocks.sent, name).toBeLessThanOrEqual(blocks.given);
      if (isJson(text)) expect(isJson(content), name).toBe(true);
      else {
        const hasValues = /json/i.test(name);
        const known = linesIn(text, hasValues);
        const odd = linesIn(content, hasValues).filter(
          (line) => !line.includes('…') && !known.some((each) => each.endsWith(line)),
        );
        expect(odd, name).toEqual([]);
      }
    }),
    { numRuns: 600 },
  );
});

test('each line that is shown stands below the lines that it is indented below', async () => {
  const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(TREES)),
      fc.integer({ min: 12, max: 60 }),
      fc.integer({ min: 60, max: 200 }),
      async (of, size, maxTokens) => {
        const text = TREES[of]?.(size, size) as string;
        const all = text.split('\n');
        const { content, report } = await shape(text, maxTokens);
        expect(report.kind).toBe('tree');
        let at = -1;
        const shown = new Set<number>();
        for (const line of content.split('\n').filter((each) => !each.includes('…'))) {
          at = all.indexOf(line, at + 1);
          expect(at, line).toBeGreaterThanOrEqual(0);
          shown.add(at);
        }
        for (const place of shown) {
          const own = indentOf(all[place] as string);
          const parent = all.findLastIndex((line, before) => before < place && indentOf(line) < own);
          expect(parent < 0 || shown.has(parent), `${of}: ${all[place]}`).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});
