import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Structure } from '../../src/structures/index.js';
import { structureOf, structureOfValue } from './structure-of.js';

const all = ({ blocks }: Structure) => blocks.map((_, index) => ({ index }));
/** The blocks whose bit is set. */
const some = ({ blocks }: Structure, bits: readonly boolean[]) =>
  blocks.flatMap((_, index) => (bits[index % Math.max(1, bits.length)] ? [{ index }] : []));

/** JSON with lists that are long enough to be taken apart. */
const leaf = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc
    .array(fc.lorem({ maxCount: 20, mode: 'sentences' }), { minLength: 6, maxLength: 9 })
    .map((texts) => texts.join('\n\n')),
);
const key = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('__proto__', 'constructor', 'a"b', 'é\n'));
const { value } = fc.letrec<{ value: unknown; list: unknown[]; record: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthSize: 'large' }, leaf, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 12 }),
  record: fc.oneof(
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => withOwn(entries)),
    fc
      .array(fc.tuple(fc.string({ minLength: 3, maxLength: 8 }), leaf), { minLength: 28, maxLength: 50 })
      .map((entries) => withOwn(entries)),
  ),
}));
/** An object with these fields of its own, under any names. */
function withOwn(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, each] of entries)
    Object.defineProperty(made, name, { value: each, enumerable: true, configurable: true, writable: true });
  return made;
}
/** A list of the value often enough that the list is taken apart. */
const large = fc.tuple(value, fc.integer({ min: 2, max: 40 })).map(([each, times]) => ({
  total: times,
  results: Array.from({ length: times }, (_, id) => ({ id, each })),
}));
const bits = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });

/** Whether `less` is `more` without some elements, entries and text. Written without any of the code under test. */
function isPart(less: unknown, more: unknown): boolean {
  if (typeof less === 'string' && typeof more === 'string')
    return less
      .split('…')
      .map((piece) => piece.trim())
      .every((piece) => more.includes(piece));
  if (Array.isArray(less) && Array.isArray(more)) {
    let at = 0;
    for (const each of less) {
      while (at < more.length && !isPart(each, more[at])) at++;
      if (at++ >= more.length) return false;
    }
    return true;
  }
  if (typeof less === 'object' && typeof more === 'object' && less !== null && more !== null)
    return Object.keys(less).every(
      (name) =>
        Object.hasOwn(more, name) &&
        isPart((less as Record<string, unknown>)[name], (more as Record<string, unknown>)[name]),
    );
  return Object.is(less, more);
}

test('all blocks of a JSON text give the text, byte by byte, in any layout', () => {
  fc.assert(
    fc.property(fc.oneof(value, large), fc.constantFrom(undefined, 1, '\t'), (given, indent) => {
      const text = `${JSON.stringify(given, null, indent)}\n`;
      const structure = structureOf(text);
      expect(structure.rebuild(all(structure)).text).toBe(text);
      expect(structure.rebuild(all(structure)).missing.leftOut).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('any blocks of a JSON value give JSON that is the value without some elements, entries and sentences', () => {
  fc.assert(
    fc.property(fc.oneof(value, large), bits, (given, chosen) => {
      const structure = structureOfValue(given);
      const { text, missing } = structure.rebuild(some(structure, chosen));
      const rebuilt = JSON.parse(text);
      expect(isPart(rebuilt, JSON.parse(JSON.stringify(given)))).toBe(true);
      // Without needs between them, exactly the others are missing.
      const kept = new Set(some(structure, chosen).map(({ index }) => index));
      for (const index of missing.leftOut) expect(kept.has(index)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('numbers keep their notation, keys their order, and equal keys stay', () => {
  const rows = Array.from(
    { length: 40 },
    (_, at) => `{"id":12345678901234567${at + 10},"x":1.10,"y":1e400,"x":-0}`,
  );
  const structure = structureOf(`{"b":1.0,"rows":[${rows.join(', ')}],"a":2}`);
  expect(structure.rebuild([{ index: 3 }, { index: 30 }]).text).toBe(
    `{"b":1.0,"rows":[${rows[3]}, ${rows[30]}],"a":2}`,
  );
  expect(structure.rebuild([]).text).toBe('{"b":1.0,"rows":[],"a":2}');
});

test('__proto__ is a key like others, and changes no prototype', () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `{"__proto__":{"polluted":${at}},"constructor":{"a":1},"status":"${at % 2 ? 'a' : 'b'}"}`,
  );
  const given = JSON.parse(`{"__proto__":{"rows":[${rows.join(',')}]}}`);
  const { rebuild, blocks } = structureOfValue(given);
  const rebuilt = JSON.parse(rebuild([{ index: 4 }]).text);
  expect(blocks).toHaveLength(30);
  expect(JSON.stringify(rebuilt)).toBe(`{"__proto__":{"rows":[${rows[4]}]}}`);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

const cell = fc.stringMatching(/^[a-z]{2,6}( [a-z]{1,5})?$/);
const table = fc
  .tuple(fc.uniqueArray(cell, { minLength: 3, maxLength: 5 }), fc.integer({ min: 3, max: 30 }), fc.nat())
  .map(([names, rows, seed]) => ({
    names,
    rows: Array.from({ length: rows }, (_, at) =>
      names.map((name, column) => `${name.slice(0, 2)}${(at * 7 + column + seed) % 97}`),
    ),
  }));

const WRITERS: Record<
  string,
  (names: readonly string[], rows: readonly (readonly string[])[]) => { header: string; rows: string[] }
> = {
  markdown: (names, rows) => ({
    header: `| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}\n`,
    rows: rows.map((row) => `| ${row.join(' | ')} |\n`),
  }),
  csv: (names, rows) => ({ header: `${names.join(',')}\n`, rows: rows.map((row) => `${row.join(',')}\n`) }),
  tsv: (names, rows) => ({ header: `${names.join('\t')}\n`, rows: rows.map((row) => `${row.join('\t')}\n`) }),
  psql: (names, rows) => ({
    header: ` ${names.join(' | ')} \n${names.map(() => '------').join('+')}\n`,
    rows: rows.map((row) => ` ${row.join(' | ')} \n`),
  }),
  columns: (names, rows) => ({
    header: `${names.map((name) => name.toUpperCase().padEnd(14)).join('')}\n`,
    rows: rows.map((row) => `${row.map((each) => each.padEnd(14)).join('')}\n`),
  }),
};

for (const [name, write] of Object.entries(WRITERS))
  test(`the header of a table stays with any of its rows, and every other row is counted: ${name}`, () => {
    fc.assert(
      fc.property(table, bits, ({ names, rows: cells }, chosen) => {
        const { header, rows } = write(names, cells);
        const structure = structureOf(header + rows.join(''));
        expect(structure.blocks).toHaveLength(rows.length);
        expect(structure.rebuild(all(structure)).text).toBe(header + rows.join(''));
        const kept = some(structure, chosen);
        fc.pre(kept.length > 0);
        const { text, missing } = structure.rebuild(kept);
        expect(text).toBe(header + rows.filter((_, at) => kept.some(({ index }) => index === at)).join(''));
        expect(missing.leftOut).toEqual(
          rows.flatMap((_, at) => (kept.some(({ index }) => index === at) ? [] : [at])),
        );
        // For relevance and recall, a row has the names of its columns.
        for (const [at, { text: readable }] of structure.blocks.entries())
          for (const [column, each] of (cells[at] as string[]).entries())
            expect(readable.toLowerCase()).toContain(`${names[column]}: ${each}`);
      }),
      { numRuns: 60 },
    );
  });

test('all blocks of any text give the text', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '# A',
      '## B',
      '- one',
      '  - two',
      '```',
      '```js',
      '| a | b | c |',
      '|---|---|---|',
      '| 1 | 2 | 3 |',
      'a,b,c',
      '1,2,3',
      '----+----',
      ' a | b',
      '{"a":1}',
      '[1,2]',
      'x: y',
      'Lists follow:',
      '…',
      '\t',
      '\r',
    ),
    fc.lorem({ mode: 'sentences', maxCount: 2 }),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.constantFrom('\n', '\r\n'),
      bits,
      (lines, end, chosen) => {
        const text = lines.join(end);
        const structure = structureOf(text);
        expect(structure.rebuild(all(structure)).text).toBe(text);
        // No character of the result is invented, except the marks of gaps.
        const { text: part } = structure.rebuild(some(structure, chosen));
        let at = 0;
        for (const character of part) {
          if (/[…\s]/.test(character)) continue;
          at = text.indexOf(character, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      },
    ),
  );
});
