import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFault, parseJson } from '../../../adapters/cli/parse-json.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with a few characters changed, added or lost: near enough to be wrong in interesting ways. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(1),
        fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', '\\', '0', '-', '.', 'e', '\n', ' ', 'x'),
      ),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [place, lost, added]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + added + text.slice(at + lost);
    }, json),
  );

test('finds a fault exactly where JSON.parse finds one', () => {
  fc.assert(
    fc.property(damaged, (text) => (findFault(text) === undefined) === isJson(text)),
    { numRuns: 3000 },
  );
});

test('no fault is named too late: the text before it can still become JSON', () => {
  for (const [text, at] of [
    ['', 0],
    ['{"a" 1}', 5],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[01]', 2],
    ['"\\x"', 1],
    ['"abc', 4],
    ['{"a":1,}', 7],
    ['{"a":1]', 6],
    ['tru', 0],
  ] as const) {
    expect([text, findFault(text)?.at]).toEqual([text, at]);
  }
});

test('depth is no danger', () => {
  const deep = 200_000;
  expect(findFault('['.repeat(deep))?.at).toBe(deep);
  expect(findFault('['.repeat(deep) + ']'.repeat(deep))).toBeUndefined();
});

test('a long string is no danger', () => {
  const text = `{"a": "${'x\\n'.repeat(2_000_000)}" oops}`;
  expect(() => parseJson(text, 'big.json')).toThrow(/^big\.json, line 1, column 6000010 .*oops/);
});
