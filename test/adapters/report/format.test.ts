/** Tables of reports: what each row says, and how tables fit a width. */
import { type Conflict, type ConflictSide, createShaper, type ShapingReport } from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { describe, expect, test } from 'vitest';
import { chunks, question } from '../../pool.js';

const { report } = await createShaper({ budget: { maxTokens: 200 } }).shape({ query: question, chunks });
/** Words of a table, without lines of other tables. */
const words = (table: string) => table.split(/\s+/).filter((word) => word !== '' && !/^(?:─+|·)$/.test(word));
const widest = (table: string) => Math.max(...table.split('\n').map((line) => line.length));
/** A report whose only row is this eviction. */
const withEviction = (eviction: object): ShapingReport => ({
  ...report,
  kept: [],
  conflicts: [],
  flags: [],
  support: [],
  evicted: [
    { id: 'b', index: 1, stage: 'budget', tokens: 12, ...eviction } as ShapingReport['evicted'][number],
  ],
});
const rowOf = (eviction: object) =>
  formatReport(withEviction(eviction), { width: Number.POSITIVE_INFINITY, timings: false })
    .split('\n')
    .at(-1);

describe('rows of evicted chunks', () => {
  test('have the relevance, the source and the position', () => {
    const eviction = {
      reason: 'outranked',
      k: 2,
      margin: 0.181,
      relevance: 0.64,
      source: 'a.md',
      position: 7,
    };
    expect(rowOf(eviction)).toBe('  budget      12       0.64  b · a.md:7  others took the 2 places of k');
    expect(rowOf({ ...eviction, id: 'a.md#7' })).toContain('0.64  a.md#7  others');
  });

  test('have a dash where relevance was not measured, and no column if it was measured for none', () => {
    const copy = { reason: 'exact-duplicate', keptId: 'a' };
    expect(rowOf(copy)).toBe('  budget      12  b   same text as a');
    const two = withEviction(copy);
    const evicted = [...two.evicted, { ...two.evicted[0], relevance: 0.5 }] as ShapingReport['evicted'];
    expect(formatReport({ ...two, evicted }, { timings: false })).toMatch(
      /12 +– +b +same text[\s\S]*12 +0\.50 +b/,
    );
  });

  test('have the first words, as do those of kept chunks, if the report has them', async () => {
    const { report: shown } = await createShaper({ k: 1, preview: 16 }).shape({
      query: 'When did the bridge open?',
      chunks: [
        { id: 'a', text: 'The bridge opened in 1932.' },
        { id: 'b', text: 'Cats sleep sixteen hours a day.' },
      ],
    });
    const table = formatReport(shown, { timings: false });
    expect(table.match(/first words/g)).toHaveLength(2);
    expect(table).toMatch(/ a +The bridge\n/);
    expect(table).toMatch(/ b +Cats sleep +another took the one place of k/);
    expect(formatReport(report)).not.toContain('first words');
  });
});

describe('conflicts', () => {
  const side = (id: string, more: Partial<ConflictSide> = {}): ConflictSide => ({
    ids: [id],
    indices: [0],
    support: 1,
    ...more,
  });
  const tableOf = (...conflicts: Conflict[]) =>
    formatReport(
      { ...withEviction({ reason: 'exact-duplicate', keptId: 'a' }), conflicts },
      { timings: false },
    )
      .split('\n\n')
      .find((section) => section.startsWith('Conflicts'));
  const about = 'retries a failed delivery for';

  test('have a row for each side', () => {
    const manual = { title: 'Webhooks', source: 'v.md' };
    expect(
      tableOf({
        level: 'sure',
        kinds: ['number'],
        about,
        sides: [
          side('a', { ...manual, version: 'v3', says: '72 hours' }),
          side('b', { ...manual, version: 'v2', says: '24 hours', support: 4 }),
          side('c', { ...manual, version: 'v1', date: '2021', says: '6 hours' }),
        ],
      }),
    ).toBe(
      [
        'Conflicts',
        '  compared                       document                     says',
        '  ─────────────────────────────  ───────────────────────────  ────────',
        '  retries a failed delivery for  Webhooks · v3                72 hours',
        '                                 Webhooks · v2 · 4 documents  24 hours',
        '                                 Webhooks · 2021 · v1         6 hours',
      ].join('\n'),
    );
  });

  test('name sides of one title by their sources, else by their ids', () => {
    const two = (one: Partial<ConflictSide>, other: Partial<ConflictSide>) =>
      tableOf({
        level: 'sure',
        kinds: ['name'],
        about,
        sides: [side('a', { says: 'Ann', ...one }), side('b', { says: 'Bob', ...other })],
      });
    const [title, source] = ['Staff', 'staff.md'];
    expect(two({ title, source: 'a.md' }, { title, source: 'b.md' })).toMatch(/ a\.md +Ann\n +b\.md +Bob$/);
    expect(two({ title, source }, { title, source })).toMatch(/ a +Ann\n +b +Bob$/);
    expect(two({ title }, {})).toMatch(/ a +Ann\n +b +Bob$/);
  });

  test('of a report without texts name the kinds and the ids', () => {
    const sides = [side('a', { title: 'Staff', date: '2024' }), { ...side('b'), ids: ['b', 'c'] }];
    expect(tableOf({ level: 'sure', kinds: ['number', 'unit'], sides })).toBe(
      [
        'Conflicts',
        '  compared      ids',
        '  ────────────  ────────',
        '  number, unit  a · 2024',
        '                b, c',
      ].join('\n'),
    );
  });
});

test('a report of another version is refused', () => {
  for (const read of [formatReport, reportLines]) {
    expect(() => read({ ...report, version: 1 } as never)).toThrow('report.version must be 2');
  }
});

describe('tables', () => {
  const everything = words(formatReport(report, { width: Number.POSITIVE_INFINITY }));

  test('contain the same words, once, at every width that has room for the longest id', () => {
    for (const width of [80, 100, 140, 400]) {
      const table = formatReport(report, { width });
      expect(words(table).toSorted()).toEqual(everything.toSorted());
      expect(table).not.toMatch(/ \n/);
      // The table of conflicts of this pool needs no more.
      expect(widest(table)).toBeLessThanOrEqual(width);
    }
  });

  test('have one line a row without a width', () => {
    const table = formatReport(report, { width: Number.POSITIVE_INFINITY, timings: false });
    for (const { id, stage } of report.evicted) {
      expect(
        table.split('\n').filter((line) => line.startsWith(`  ${stage}`) && line.includes(` ${id}  `)),
      ).toHaveLength(1);
    }
  });

  const longId = `docs/${'a-long-name/'.repeat(5)}page.md#12`;
  const other = `docs/${'another-name/'.repeat(5)}page.md#3`;

  test('keep ids whole: what does not fit beside its row is under it', () => {
    const copy = { id: longId, reason: 'exact-duplicate', keptId: other };
    const lines = formatReport(withEviction(copy), { width: 100, timings: false }).split('\n');
    expect(lines.at(-2)).toBe(`  budget      12  ${longId}`);
    expect(lines.at(-1)).toBe(`      same text as ${other}`);
  });

  test('break an id that is longer than a line, and lose nothing of it', () => {
    const table = formatReport(withEviction({ id: longId, reason: 'exact-duplicate', keptId: other }), {
      width: 40,
    });
    const [, after = ''] = table.split('Evicted');
    expect(after.replaceAll(/\s+/g, '')).toContain(other);
    const firstColumns = after.split('\n').map((line) => line.slice(18, 40).trim());
    expect(firstColumns.join('')).toContain(longId);
  });

  test('wrap wide characters by their width, and do not separate marks from letters', () => {
    const wide = '橋'.repeat(60);
    const marked = 'e\u0301'.repeat(60);
    for (const text of [wide, marked]) {
      const table = formatReport(withEviction({ reason: 'exact-duplicate', keptId: text }), { width: 60 });
      const lines = table.split('\n').filter((line) => line.includes(text.slice(0, 2)));
      expect(lines.join('').replaceAll(/[^橋e\p{M}]/gu, '')).toContain(text);
      for (const line of lines) {
        const columns = [...line].reduce(
          (sum, each) => sum + (each === '橋' ? 2 : each === '\u0301' ? 0 : 1),
          0,
        );
        expect(columns).toBeLessThanOrEqual(60);
        expect(line.trim()).not.toMatch(/^\u0301/);
      }
    }
  });

  test('a width that is no number is refused', () => {
    for (const width of [Number.NaN, '80'])
      expect(() => formatReport(report, { width: width as number })).toThrow(
        'width must be a number of columns',
      );
  });
});
