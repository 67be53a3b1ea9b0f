import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Joiner } from '../../src/text/join.js';
import { unitsOf } from '../../src/text/units/units.js';
import { anyText, document, jsonLines, pipeTable, records } from './documents.js';

/** The rest of a text when only the units at these places are kept. */
const keep = (text: string, places: number[], gap = ' … '): string =>
  new Joiner(text, unitsOf(text)).join(new Set(places), gap).text;

const anySubset = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.infiniteStream(fc.boolean()), fc.constantFrom(' … ', ' [...] ', '', '[cut]'))
    .map(([text, choices, gap]) => {
      const units = unitsOf(text);
      return {
        text,
        units,
        gap,
        kept: new Set(units.map((_, place) => place).filter(() => choices.next().value)),
      };
    });

describe('joining', () => {
  const prose = '  One is here. Two is here.  Three is here. Four. ';

  test('marks a gap in a line within the line', () => {
    expect(keep(prose, [0, 2])).toBe('One is here. … Three is here.');
    expect(keep(prose, [0, 1, 3])).toBe('One is here. Two is here. … Four.');
    expect(keep(prose, [1, 2])).toBe('Two is here.  Three is here.');
    expect(keep(prose, [0, 2], '')).toBe('One is here. Three is here.');
    expect(keep('一。二。三。', [0, 2], '')).toBe('一。三。');
    expect(keep(prose, [])).toBe('');
    expect(keep(prose, [0, 1, 2, 3])).toBe(prose);
    expect(keep(' \n', [])).toBe(' \n');
  });

  test('marks a gap between lines on a line of its own', () => {
    const list = 'Take:\n- a\n- b\n- c\n\nEnd. Really.';
    expect(keep(list, [0, 1, 3, 4])).toBe('Take:\n- a\n…\n- c\n\nEnd.');
    expect(keep(list, [0, 1, 5])).toBe('Take:\n- a\n\n…\n\nReally.');
    expect(keep(list, [0, 1, 3], ' ')).toBe('Take:\n- a\n- c');
    expect(keep('- a\r\n- b\r\n- c', [0, 2])).toBe('- a\r\n…\r\n- c');
  });

  test('keeps the indentation of the unit that starts a line', () => {
    expect(keep('- a\n  - b\n  - c', [0, 2], '')).toBe('- a\n  - c');
  });

  const table =
    'Prices. All:\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 | 9 |\n## End\nBye.';

  test('a pipe table is not interrupted; the mark is behind it, apart', () => {
    expect(keep(table, [2, 3, 4, 6])).toBe('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 7 | 8 | 9 |\n\n…');
    expect(keep(table, [2, 3, 6], '')).toBe('| a | b | c |\n|---|---|---|\n| 7 | 8 | 9 |');
    expect(keep(table, [0, 2, 3, 4, 8], '|x|')).toBe(
      'Prices.\n\n|x|\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n\n|x|\n\nBye.',
    );
    expect(keep('| a |\n|---|\n| 1 |\n| 2 |', [0, 1, 3])).toBe('| a |\n|---|\n| 2 |\n\n…');
    expect(keep('a | b\n--|--\n1 | 2\n3 | 4', [0, 1, 3])).toBe('a | b\n--|--\n3 | 4\n\n…');
    expect(keep('a | b\n--|--\n1 | 2\n3 | 4', [0, 3])).toBe('a | b\n3 | 4\n\n…');
    expect(keep('a | b\n--|--\n1 | 2\n3 | 4', [0, 2, 3])).toBe('a | b\n1 | 2\n3 | 4');
  });

  test('tables and records can go without the mark, and what follows them is still marked', () => {
    const bare = (text: string, places: number[]) =>
      new Joiner(text, unitsOf(text)).join(new Set(places), ' … ', false).text;
    expect(bare(table, [2, 3, 6])).toBe('| a | b | c |\n|---|---|---|\n| 7 | 8 | 9 |');
    expect(bare('id,a,b\n1,x,y\n2,x,y\n3,x,y', [0, 2])).toBe('id,a,b\n2,x,y');
    expect(bare(prose, [0, 2])).toBe('One is here. … Three is here.');
  });

  test('records are not interrupted; the mark is behind them', () => {
    const csv = 'id,a,b\n1,x,y\n2,x,y\n3,x,y\n\nEnd.';
    expect(keep(csv, [0, 1, 3])).toBe('id,a,b\n1,x,y\n3,x,y\n…');
    expect(keep(csv, [0, 3, 4])).toBe('id,a,b\n3,x,y\n\n…\n\nEnd.');
    expect(keep(csv, [0, 1, 2, 3])).toBe('id,a,b\n1,x,y\n2,x,y\n3,x,y');
    expect(keep(csv, [0, 3, 4], '')).toBe('id,a,b\n3,x,y\n\nEnd.');
    expect(keep('{"a":1}\n{"a":2}\n{"a":3}', [0, 2])).toBe('{"a":1}\n{"a":3}\n…');
  });

  test('excerpts are offsets into the original', () => {
    expect(new Joiner(prose, unitsOf(prose)).join(new Set([0, 1, 3]), ' … ').excerpts).toEqual([
      { start: 2, end: 27 },
      { start: 44, end: 49 },
    ]);
    expect(new Joiner(prose, unitsOf(prose)).join(new Set([0, 1, 2, 3]), ' … ').excerpts).toEqual([
      { start: 0, end: 50 },
    ]);
  });
});

describe('for all kept units', () => {
  test.each([
    ['arbitrary', anyText],
    ['documents', document],
  ])('the text is its excerpts, verbatim and in order, with nothing but marks between: %s', (_, texts) => {
    fc.assert(
      fc.property(anySubset(texts), ({ text, units, kept, gap }) => {
        const joined = new Joiner(text, units).join(kept, gap);
        let rest = joined.text;
        let last = 0;
        for (const { start, end } of joined.excerpts) {
          expect(start).toBeGreaterThanOrEqual(last);
          const excerpt = text.slice(start, end);
          const mark = /^(?:\s*|\s*\|?\s*(?:…|\[\.\.\.\]|\[cut\])[\s|]*)$/;
          let at = rest.indexOf(excerpt);
          while (at >= 0 && !mark.test(rest.slice(0, at))) at = rest.indexOf(excerpt, at + 1);
          expect(at).toBeGreaterThanOrEqual(0);
          rest = rest.slice(at + excerpt.length);
          last = end;
        }
        expect(['', gap.trim()]).toContain(rest.trim());
        const inside = (start: number, end: number) =>
          joined.excerpts.some((excerpt) => excerpt.start <= start && end <= excerpt.end);
        expect(units.map(({ start, end }) => inside(start, end))).toEqual(
          units.map((_, place) => kept.has(place)),
        );
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  const COUNTERS: Record<string, (text: string) => number> = {
    characters: (text) => text.length,
    words: (text) => text.split(/\s+/).filter((word) => word !== '').length,
    'line breaks dearly': (text) => text.length + 9 * text.split('\n').length,
    pieces: (text) => text.match(/\r?\n+| ?[\p{L}\p{M}\p{N}]+| ?[^\s\p{L}\p{N}]+|\s/gu)?.length ?? 0,
  };

  test.each(Object.entries(COUNTERS))(
    'more units add as many tokens as the whole text has more: %s',
    (_, count) => {
      let checked = 0;
      const larger = fc.array(document, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n\n'));
      fc.assert(
        fc.property(anySubset(fc.oneof(anyText, larger)), fc.infiniteStream(fc.nat(3)), (one, choices) => {
          const { text, units, gap, kept } = one;
          const places = [...kept];
          const more = [...units.keys()].filter((place) => !kept.has(place) && choices.next().value === 0);
          const all = new Set([...places, ...more]);
          fc.pre(all.size < units.length && more.length > 0);
          const joiner = new Joiner(text, units);
          const whole = (set: ReadonlySet<number>) => count(joiner.join(set, gap, false).text);
          const before = places.length === 0 ? count('') : whole(kept);
          expect(before + joiner.added(places, more, gap, count)).toBe(whole(all));
          checked++;
        }),
        { numRuns: 1000, seed: 9 },
      );
      expect(checked).toBeGreaterThan(300);
    },
  );

  test('all of it is the text itself', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, document), (text) => {
        const units = unitsOf(text);
        expect(new Joiner(text, units).join(new Set(units.keys()), ' … ').text).toBe(text);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('a pipe table has its header and the rows that are kept, and the mark is no row', () => {
    fc.assert(
      fc.property(anySubset(pipeTable), fc.boolean(), ({ text, units, kept, gap }, marks) => {
        const all = new Set([0, ...kept]);
        const joined = new Joiner(text, units).join(all, gap, marks).text;
        const rows = units.map(({ start, end }) => text.slice(start, end));
        const table = rows.filter((_, place) => all.has(place)).join('\n');
        const isBroken = units.some(({ kind }, place) => kind === 'row' && !all.has(place));
        const isMarked = marks && isBroken && gap.trim() !== '';
        if (all.size === units.length) expect(joined).toBe(text);
        else expect(joined).toBe(isMarked ? `${table}\n\n${gap.trim()}` : table);
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  test('records that are kept are parsed as they were, and nothing else is', () => {
    fc.assert(
      fc.property(anySubset(fc.oneof(records, jsonLines)), ({ text, units, kept }) => {
        fc.pre(units.every(({ kind }) => kind === 'record'));
        const all = units.map(({ start, end }) => text.slice(start, end));
        const expected = all.filter((_, place) => kept.has(place));
        const mark = kept.size > 0 && kept.size < all.length ? ['…'] : [];
        expect(new Joiner(text, units).join(kept, ' … ').text).toBe([...expected, ...mark].join('\n'));
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
