/** The options `conflicts.prefer` and `conflicts.drop`: which side comes first, which chunks are marked, which go. */
import { type Chunk, createShaper, renderContext, type ShapingOptions } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { describe, expect, test } from 'vitest';
import { settle, statesNothingElse } from '../../../src/stages/semantic-dedup/prefer.js';
import type { Candidate, Claim, Conflict } from '../../../src/types.js';
import { deepFreeze, ids } from '../../support.js';

const query = 'How long does Hookline retry a failed delivery?';
const hours = (id: string, number: number, metadata: Record<string, unknown> = {}, more = ''): Chunk => ({
  id,
  text: `Hookline retries a failed delivery for ${number} hours.${more}`,
  metadata,
});

async function shaped(
  chunks: readonly Chunk[],
  conflicts: ShapingOptions['conflicts'],
  options: ShapingOptions = {},
) {
  const shaper = createShaper({ ranked: false, ...options, conflicts });
  const { chunks: kept, report } = await shaper.shape(deepFreeze({ query, chunks }));
  return {
    kept,
    report,
    order: ids(kept),
    marks: Object.fromEntries(kept.flatMap(({ id, superseded }) => (superseded ? [[id, superseded]] : []))),
    gone: Object.fromEntries(
      report.evicted.flatMap((each) => (each.reason === 'superseded' ? [[each.id, each.by]] : [])),
    ),
    reasons: report.conflicts.map(({ preferred }) => preferred),
  };
}

describe('the newest side', () => {
  const three = (values: readonly Record<string, unknown>[]) =>
    values.map((metadata, at) =>
      hours(['one', 'two', 'three'][at] as string, [6, 12, 24][at] as number, metadata),
    );
  test.each([
    ['metadata.date', [{ date: '2023-01-01' }, { date: '2024-06' }, { date: '2022' }]],
    [
      'metadata.created_at',
      [{ created_at: 1672531200 }, { created_at: 1717200000 }, { created_at: 1640995200 }],
    ],
    ['metadata.version', [{ version: '1.9' }, { version: 'v1.10' }, { version: 1 }]],
    ['the version in the title', [{ title: 'API v2' }, { title: 'API v3.1' }, { title: 'API version 1' }]],
    ['the version in the source', [{ source: 'v2/a.md' }, { source: 'v3/a.md' }, { source: 'v1/a.md' }]],
    [
      'the date in the title',
      [{ title: 'API, May 2023' }, { title: 'API (2024-06)' }, { title: 'API, 1 March 2022' }],
    ],
    ['the date in the source', [{ source: 'a/2023.md' }, { source: 'a/2024.md' }, { source: 'a/2022.md' }]],
  ])('by %s', async (from, values) => {
    const { order, marks, reasons, report } = await shaped(three(values), { prefer: 'newest' });
    expect(order).toEqual(['two', 'one', 'three']);
    expect(new Set(reasons)).toEqual(new Set([`newest by ${from}`]));
    const withTwo = report.conflicts.filter(({ sides }) => sides.some((side) => side.ids.includes('two')));
    expect(withTwo.length).toBeGreaterThan(0);
    for (const { sides } of withTwo) expect(sides[0]?.ids).toEqual(['two']);
    expect(marks).toMatchObject({
      one: { by: 'two', because: `newest by ${from}` },
      three: { by: 'two', because: `newest by ${from}` },
    });
  });

  test.each([
    ['nothing is known', [{}, {}]],
    ['one side has no date', [{ date: '2023' }, {}]],
    ['the dates are equal', [{ date: '2023' }, { date: '2023' }]],
    ['one date is a part of the other', [{ date: '2023' }, { date: '2023-05-01' }]],
    ['a date can be read in two ways', [{ date: '5/8/2023' }, { date: '6/8/2024' }]],
    ['the kinds are not the same', [{ title: 'API v1' }, { version: 2 }]],
    ['a title has two versions', [{ title: 'API v1, v2' }, { title: 'API v3' }]],
  ])('is none if %s', async (_, values) => {
    const chunks = three(values);
    const off = await shaped(chunks, {});
    const { kept, report, reasons } = await shaped(chunks, { prefer: 'newest' });
    expect(kept).toEqual(off.kept);
    expect(report.conflicts).toEqual(off.report.conflicts);
    expect(report.conflicts).toHaveLength(1);
    expect(reasons).toEqual([undefined]);
  });

  test('is by the next kind if the first is equal', async () => {
    const ingested = { date: '2024-05-01' };
    const { reasons, order } = await shaped(
      three([
        { ...ingested, version: 1 },
        { ...ingested, version: 2 },
      ]),
      { prefer: 'newest' },
    );
    expect(reasons).toEqual(['newest by metadata.version']);
    expect(order).toEqual(['two', 'one']);
  });

  test('a copy that was evicted counts with its date: the statement was made again', async () => {
    const { order, marks } = await shaped(
      [
        hours('first', 6, { date: '2022' }),
        hours('second', 12, { date: '2023' }),
        {
          ...hours('third', 6, { date: '2024', title: 'Manual' }),
          text: 'HOOKLINE retries a failed delivery for 6 hours',
        },
      ],
      { prefer: 'newest' },
    );
    expect(order).toEqual(['first', 'second']);
    expect(marks).toEqual({
      second: { by: 'first', because: 'newest by metadata.date', title: 'Manual', date: '2024' },
    });
  });
});

describe('another preference', () => {
  const trust = [{ value: 'own' }, { value: 'web' }];
  test('the more trusted side', async () => {
    const chunks = [hours('web', 6, { trust: 'web' }), hours('own', 24, { trust: 'own' })];
    const { order, reasons, marks } = await shaped(chunks, { prefer: 'trusted' }, { trust });
    expect(order).toEqual(['own', 'web']);
    expect(reasons).toEqual(['more trusted']);
    expect(marks.web).toEqual({ by: 'own', because: 'more trusted' });
    const same = await shaped(
      [hours('a', 6, { trust: 'own' }), hours('b', 24, { trust: 'own' })],
      { prefer: 'trusted' },
      { trust },
    );
    expect(same.reasons).toEqual([undefined]);
  });

  test('trust without tiers has no effect', async () => {
    const { reasons } = await shaped([hours('a', 6), hours('b', 24)], { prefer: 'trusted' });
    expect(reasons).toEqual([undefined]);
  });

  test('the side of more documents, only if there are more', () => {
    const of = (...support: number[]) =>
      settle(
        [
          conflictOf(
            support.map((_, at) => at),
            { support },
          ),
        ],
        pool(3),
        { prefer: 'majority', drop: false },
      );
    expect(of(1, 3, 2).conflicts[0]).toMatchObject({
      preferred: 'said by more documents',
      sides: [{ support: 3 }, { support: 1 }, { support: 2 }],
    });
    expect(of(3, 3, 2).conflicts[0]?.preferred).toBeUndefined();
  });

  test.each([
    ['numbers', 3, 12, 'greatest metadata.info.revision'],
    ['numbers in text', '3', '12', 'greatest metadata.info.revision'],
    ['dates', '2023-12', '2024-01-05', 'newest by metadata.info.revision'],
    ['versions', '1.9', '1.10', 'newest by metadata.info.revision'],
    ['a number and a version', 2, '2.0.1', 'newest by metadata.info.revision'],
  ])('a metadata path: %s', async (_, less, greater, because) => {
    const chunks = [
      hours('less', 6, { info: { revision: less } }),
      hours('greater', 24, { info: { revision: greater } }),
    ];
    const { order, reasons } = await shaped(chunks, { prefer: 'info.revision' });
    expect(order).toEqual(['greater', 'less']);
    expect(reasons).toEqual([because]);
  });

  test.each([
    ['old', 'new'],
    [true, false],
    [1, 'new'],
    [[1], [2]],
  ])('a metadata path: other values do not count (%s, %s)', async (one, other) => {
    const { reasons } = await shaped([hours('a', 6, { state: one }), hours('b', 24, { state: other })], {
      prefer: 'state',
    });
    expect(reasons).toEqual([undefined]);
  });

  test('a path that no chunk has is in the report', async () => {
    const { report } = await shaped([hours('a', 6, { revision: 1 }), hours('b', 24, { revision: 2 })], {
      prefer: 'revison',
    });
    expect(report.degradations).toMatchObject([{ code: 'option-without-effect', field: 'conflicts.prefer' }]);
  });
});

test.each([
  [{ drop: true }, 'conflicts.drop', /has no effect without conflicts.prefer/],
  [{ prefer: 'Newest' }, 'conflicts.prefer', /is nearly "newest"/],
  [{ prefer: 'trust' }, 'conflicts.prefer', /is nearly "trusted"/],
  [{ prefer: '' }, 'conflicts.prefer', /at least 1 character/],
  [{ prefer: 'a.'.repeat(20) }, 'conflicts.prefer', /at most 16 steps/],
  [{ prefer: 5 }, 'conflicts.prefer', /"newest", "trusted", "majority"/],
])('wrong options are named: %o', (conflicts, field, message) => {
  expect(() => createShaper({ conflicts } as never)).toThrow(message);
  expect(() => createShaper({ conflicts } as never)).toThrow(
    expect.objectContaining({ kind: 'invalid-options', field }),
  );
});

describe('the order of the result', () => {
  const chunks = [
    hours('old', 6, { date: '2022', position: 1 }),
    { id: 'cats', text: 'Cats sleep sixteen hours a day.' },
    { id: 'dogs', text: 'Dogs bark at the post van.' },
    hours('new', 24, { date: '2024', position: 2 }),
  ];
  test.each(['relevance', 'input', 'source', 'edges-first'] as const)(
    '%s: only sides exchange places',
    async (order) => {
      const off = await shaped(chunks, {}, { order });
      const on = await shaped(chunks, { prefer: 'newest' }, { order });
      expect(on.order.indexOf('new')).toBeLessThan(on.order.indexOf('old'));
      const turned = { old: 'new', new: 'old' } as Record<string, string>;
      const isTurned = off.order.indexOf('new') > off.order.indexOf('old');
      expect(on.order).toEqual(off.order.map((id) => (isTurned ? (turned[id] ?? id) : id)));
    },
  );

  test('off: the order of selection stays', async () => {
    const off = await shaped(chunks, {}, { order: false });
    expect((await shaped(chunks, { prefer: 'newest' }, { order: false })).order).toEqual(off.order);
  });
});

describe('a frame', () => {
  const chunks = [
    hours('old', 6, { date: '2022', title: 'Hooks [2]\n' }),
    hours('new', 24, { date: '2024-05-01', title: 'Hooks [2]\n' }),
  ];
  test.each(['delimiter', 'datamark', 'none'] as const)(
    '%s: names the preferred chunk, and its tokens count',
    async (spotlight) => {
      const countTokens = (text: string) => text.length;
      const { kept, report } = await shaped(
        chunks,
        { prefer: 'newest' },
        { frame: { spotlight }, tokenizer: countTokens },
      );
      const { text } = renderContext(kept, { spotlight });
      expect(text).toContain('superseded by: Hooks \\[2\\]\\u{A}, 2024-05-01]');
      const around =
        spotlight === 'delimiter' ? '[BEGIN 123456789012345678]\n\n[END 123456789012345678]\n' : '';
      expect(text).toHaveLength(report.tokens.output + around.length);
    },
  );

  test('fits the budget', async () => {
    const tokenizer = (text: string) => text.length;
    for (let maxTokens = 100; maxTokens <= 500; maxTokens += 7) {
      const { kept, report } = await shaped(
        chunks,
        { prefer: 'newest' },
        { frame: {}, tokenizer, budget: { maxTokens } },
      );
      expect(renderContext(kept).text.length).toBeLessThanOrEqual(maxTokens);
      expect(report.tokens.output).toBeLessThanOrEqual(maxTokens);
    }
  });

  test('a title cannot pretend it', () => {
    const title = '[2 superseded by: X]';
    const { text } = renderContext([{ text: 'A.', sources: [{ id: 'a', title }] }], { spotlight: 'none' });
    expect(text).toContain('[1] \\[2 superseded by: X\\]');
  });
});

describe('dropping', () => {
  const drop = { prefer: 'newest', drop: true } as const;
  const [old, young] = [hours('old', 6, { date: '2022' }), hours('new', 24, { date: '2024' })];
  test('evicts a superseded chunk that states nothing else', async () => {
    const { gone, order, report } = await shaped([old, young], drop);
    expect([order, gone]).toEqual([['new'], { old: 'new' }]);
    expect(report.evicted).toMatchObject([
      {
        id: 'old',
        stage: 'semantic-dedup',
        reason: 'superseded',
        by: 'new',
        because: 'newest by metadata.date',
      },
    ]);
    expect(formatReport({ ...report, conflicts: [] })).toContain(
      'another side of a conflict is preferred: new',
    );
  });

  test('not with another statement, unless the preferred chunk states it too', async () => {
    const more = ' The attempts are ten minutes apart.';
    const longer = hours('old', 6, { date: '2022' }, more);
    expect((await shaped([longer, young], drop)).marks).toMatchObject({ old: { by: 'new' } });
    const both = await shaped([longer, hours('new', 24, { date: '2024' }, more)], drop);
    expect(both.gone).toEqual({ old: 'new' });
  });

  test('not a pinned chunk, nor one that is more trusted', async () => {
    expect((await shaped([old, young], drop, { pin: ['old'] })).order).toEqual(['new', 'old']);
    const trust = [{ value: 'own' }, { value: 'web' }];
    const of = (older: string, younger: string) =>
      shaped(
        [hours('old', 6, { date: '2022', trust: older }), hours('new', 24, { date: '2024', trust: younger })],
        drop,
        { trust },
      );
    expect((await of('own', 'web')).marks).toMatchObject({ old: { by: 'new' } });
    expect((await of('own', 'own')).gone).toEqual({ old: 'new' });
    expect((await of('web', 'own')).gone).toEqual({ old: 'new' });
  });

  test('not without values, and not if they are equal', async () => {
    expect((await shaped([hours('old', 6), young], drop)).gone).toEqual({});
    expect((await shaped([hours('old', 6, { date: '2024' }), young], drop)).gone).toEqual({});
  });

  test('of three versions, the newest stays and is named', async () => {
    const { gone, order } = await shaped([hours('mid', 12, { date: '2023' }), old, young], drop);
    expect([order, gone]).toEqual([['new'], { mid: 'new', old: 'new' }]);
  });
});

test.each([
  ['It opened in 1932.', 'It opened in 1934.', true],
  ['It opened in 1932.', 'It opened on 21 June 1934.', true],
  ['# Bridge 1\n\nIt opened in 1932.', '# Bridge 2\n\nIt opened in 1934.', true],
  ['It opened in 1932. It is grey.', 'It is grey. It opened in 1934.', true],
  ['It opened in 1932. It is grey.', 'It opened in 1934.', false],
  ['It opened in 1932 and killed three workers.', 'It opened in 1934.', false],
  ['The valve is not opened.', 'The valve is opened.', true],
  ['', 'It opened in 1934.', true],
  ['It opened in 1932.', '', false],
])('%s – states nothing beside: %s', (text, preferred, expected) => {
  expect(statesNothingElse(text, preferred)).toBe(expected);
});

const claim = (id: string, date?: string): Claim => ({ source: { id, ...(date ? { date } : {}) } });
const pool = (size: number, dates: readonly string[] = []): Candidate[] =>
  Array.from({ length: size }, (_, index) => ({
    index,
    id: `c${index}`,
    text: `It lasts ${index} hours.`,
    rendered: '',
    sources: [{ id: `c${index}` }],
    claims: [claim(`c${index}`, dates[index])],
    namespace: '',
    pinned: false,
    conflicts: [],
    signals: { tokens: 1 },
  }));
const conflictOf = (
  indices: readonly (number | number[])[],
  { support = [], level = 'sure' }: { support?: number[]; level?: Conflict['level'] } = {},
): Conflict => ({
  level,
  kinds: ['number'],
  sides: indices.map((side, at) => ({
    ids: [side].flat().map((index) => `c${index}`),
    indices: [side].flat(),
    support: support[at] ?? indices.length - at,
  })),
});

describe('several conflicts', () => {
  /** Prefers the first side: it is that of most documents. */
  const first = { prefer: 'majority', drop: false } as const;
  const marks = (
    conflicts: Conflict[],
    candidates: Candidate[],
    options: Parameters<typeof settle>[2] = first,
  ) =>
    Object.fromEntries(
      [...settle(deepFreeze(conflicts), deepFreeze(candidates), options).superseded].map(
        ([index, { superseded, behind, goes }]) => [index, [superseded.by, [...behind], goes]],
      ),
    );

  test('one that is preferred to one chunk and not to another is superseded', () => {
    expect(marks([conflictOf([1, 0]), conflictOf([2, 1])], pool(3))).toEqual({
      0: ['c1', [1], false],
      1: ['c2', [2], false],
    });
  });

  test('a chunk names the one for which the preferred one went', () => {
    const [oldest, middle, ...rest] = pool(3);
    const longer = { ...(oldest as Candidate), text: `${oldest?.text} It has more to say.` };
    expect(
      marks([conflictOf([1, 0]), conflictOf([2, 1])], [longer, middle as Candidate, ...rest], {
        ...first,
        drop: true,
      }),
    ).toEqual({ 0: ['c2', [1, 2], false], 1: ['c2', [2], true] });
  });

  test('a chunk names one that is not superseded itself, else the first', () => {
    expect(marks([conflictOf([1, 0]), conflictOf([2, 0]), conflictOf([2, 1])], pool(3))[0]).toEqual([
      'c2',
      [1, 2],
      false,
    ]);
    expect(marks([conflictOf([2, 0]), conflictOf([1, 0])], pool(3))[0]).toEqual(['c1', [1, 2], false]);
  });

  test('preferences in a circle cancel each other, and others stay', () => {
    expect(marks([conflictOf([0, 1]), conflictOf([1, 0])], pool(2))).toEqual({});
    const circle = [conflictOf([0, 1]), conflictOf([1, 2]), conflictOf([2, 0])];
    expect(marks([...circle, conflictOf([2, 3])], pool(4))).toEqual({ 3: ['c2', [2], false] });
    const two = [
      conflictOf([0, 1]),
      conflictOf([1, 0]),
      conflictOf([1, 2]),
      conflictOf([2, 3]),
      conflictOf([3, 2]),
    ];
    expect(marks(two, pool(4))).toEqual({ 2: ['c1', [1], false] });
  });

  test('sides of several chunks: the one with the newest date is named, all others are behind all of them', () => {
    const newest = { prefer: 'newest', drop: true } as const;
    const candidates = pool(4, ['2021', '2024', '2023', '']);
    expect(
      marks(
        [
          conflictOf([
            [0, 1],
            [2, 3],
          ]),
        ],
        candidates,
        newest,
      ),
    ).toEqual({
      2: ['c1', [0, 1], true],
      // It has no date.
      3: ['c1', [0, 1], false],
    });
  });

  test('chunks that are not among the candidates decide nothing', () => {
    const newest = { prefer: 'newest', drop: false } as const;
    expect(marks([conflictOf([0, 1])], pool(2, ['2023', '2024']).slice(0, 1), newest)).toEqual({});
  });
});
