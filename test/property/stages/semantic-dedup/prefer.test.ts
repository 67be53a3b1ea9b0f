/** The options of conflicts on generated manuals, of which each page exists in three versions, and on any pool. */
import {
  type Chunk,
  createShaper,
  renderContext,
  type ShapingOptions,
  type ShapingReport,
} from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze, ids, ledger, options, pool, timeless } from '../../../support.js';

/** A statement about a product, and the values that the three versions of its page have, the oldest first. */
const STATEMENTS = [
  ['retries a failed delivery for', 'hours'],
  ['keeps the logs of each account for', 'days'],
  ['accepts uploads of at most', 'megabytes'],
  ['rotates its signing key every', 'weeks'],
] as const;
const PRODUCTS = ['Hookline', 'Ledgerly', 'Mailspur', 'Quarrydb'];
type How = 'metadata' | 'title' | 'path' | 'none';

interface Page {
  product: number;
  statement: number;
  values: number[];
  years: number[];
}

const page: fc.Arbitrary<Page> = fc.record({
  product: fc.nat({ max: PRODUCTS.length - 1 }),
  statement: fc.nat({ max: STATEMENTS.length - 1 }),
  values: fc.uniqueArray(fc.integer({ min: 2, max: 90 }), { minLength: 3, maxLength: 3 }),
  years: fc
    .uniqueArray(fc.integer({ min: 2005, max: 2025 }), { minLength: 3, maxLength: 3 })
    .map((years) => years.sort((a, b) => a - b)),
});
const pages = fc.uniqueArray(page, {
  minLength: 1,
  maxLength: 4,
  // Whether statements about two products are a conflict is for the search for conflicts, not for this test.
  selector: ({ statement }) => statement,
});

/** Three chunks a page. The last number of an id is that of the version. */
function manual(given: readonly Page[], how: How, more = ''): Chunk[] {
  return given.flatMap(({ product, statement, values, years }) => {
    const name = PRODUCTS[product] as string;
    const [verb, unit] = STATEMENTS[statement] as (typeof STATEMENTS)[number];
    return values.map((value, version): Chunk => {
      const title = how === 'title' ? `${name} manual, version ${version + 1}` : `${name} manual`;
      const path =
        how === 'path' ? `${name}/${years[version]}/limits.md` : `${name}/${'abc'[version]}/limits.md`;
      const date = how === 'metadata' ? { date: `${years[version]}-03-0${version + 1}` } : {};
      return {
        id: `${name}-${statement}-${version}`,
        text: `${name} ${verb} ${value} ${unit}.${more}`,
        metadata: { title, source: path, ...date },
      };
    });
  });
}
const versionOf = (id: string) => Number(id.slice(-1));
const pageOf = (id: string) => id.slice(0, -2);
const shuffled = (chunks: readonly Chunk[]) =>
  fc.shuffledSubarray([...chunks], { minLength: chunks.length, maxLength: chunks.length });
const ordered = (how: fc.Arbitrary<How>) =>
  fc.tuple(pages, how).chain(([given, way]) => fc.tuple(fc.constant(way), shuffled(manual(given, way))));
const order = fc.constantFrom('relevance', 'input', 'source', 'edges-first' as const);
const question = 'How long does Hookline retry a failed delivery, and how large may uploads be?';
const shape = (given: ShapingOptions, chunks: readonly Chunk[]) =>
  createShaper({ ranked: false, ...given }).shape(deepFreeze({ query: question, chunks }));

describe('manuals with three versions of each page', () => {
  const NEWEST = {
    metadata: 'metadata.date',
    title: 'the version in the title',
    path: 'the date in the source',
  };

  test('the newest side is first in all conflicts, in the report and in the result, and the others are marked', async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        ordered(fc.constantFrom('metadata', 'title', 'path')),
        order,
        async ([how, chunks], by) => {
          const { report, chunks: kept } = await shape(
            { order: by, conflicts: { prefer: 'newest' } },
            chunks,
          );
          const places = new Map(kept.map(({ id }, place) => [id, place]));
          for (const { sides, preferred } of report.conflicts) {
            conflicts++;
            expect(preferred).toBe(`newest by ${NEWEST[how as 'path']}`);
            const [first, ...others] = sides.map((side) => side.ids[0] as string) as [string, ...string[]];
            for (const other of others) {
              expect(versionOf(first)).toBeGreaterThan(versionOf(other));
              expect(places.get(first)).toBeLessThan(places.get(other) as number);
            }
          }
          const superseded = kept.filter((chunk) => chunk.superseded !== undefined);
          expect(superseded).toHaveLength((kept.length / 3) * 2);
          for (const { id, superseded: mark } of superseded) {
            expect([pageOf(mark?.by as string), versionOf(mark?.by as string)]).toEqual([pageOf(id), 2]);
          }
        },
      ),
      { numRuns: 200, seed: 1 },
    );
    expect(conflicts).toBeGreaterThan(200);
  });

  test('with drop, the newest version of each page stays, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(ordered(fc.constantFrom('metadata', 'title', 'path')), async ([, chunks]) => {
        const { report, chunks: kept } = await shape({ conflicts: { prefer: 'newest', drop: true } }, chunks);
        expect(kept.map(({ id }) => versionOf(id))).toEqual(kept.map(() => 2));
        expect(kept).toHaveLength(chunks.length / 3);
        expect(report.evicted).toHaveLength((chunks.length / 3) * 2);
        for (const each of report.evicted) {
          if (each.reason !== 'superseded') throw new Error(each.reason);
          expect(each.by).toBe(`${pageOf(each.id)}-2`);
        }
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  test('without dates, nothing changes', async () => {
    await fc.assert(
      fc.asyncProperty(ordered(fc.constant('none')), order, fc.boolean(), async ([, chunks], by, drop) => {
        const [off, on] = [
          await shape({ order: by }, chunks),
          await shape({ order: by, conflicts: { prefer: 'newest', drop } }, chunks),
        ];
        expect(on.chunks).toEqual(off.chunks);
        expect(told(on.report)).toEqual(told(off.report));
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  test('the order of the input does not matter', async () => {
    const twice = fc
      .tuple(pages, fc.constantFrom<How>('metadata', 'title', 'path'), fc.boolean())
      .chain(([given, how, drop]) => {
        const chunks = manual(given, how);
        return fc.tuple(shuffled(chunks), shuffled(chunks), fc.constant(drop));
      });
    await fc.assert(
      fc.asyncProperty(twice, async ([one, other, drop]) => {
        const outcomes = await Promise.all(
          [one, other].map(async (chunks) => {
            const { report } = await shape({ conflicts: { prefer: 'newest', drop } }, chunks);
            const marks = report.kept.map(({ id, superseded }) => [id, superseded?.by ?? '']);
            return { marks: marks.sort(), evicted: ids(report.evicted).sort() };
          }),
        );
        expect(outcomes[1]).toEqual(outcomes[0]);
      }),
      { numRuns: 150, seed: 4 },
    );
  });

  test('pinned chunks, more trusted ones and those with more to say are never dropped', async () => {
    const trust = [{ value: 'own' }, { value: 'web' }];
    const tiers = fc.array(fc.constantFrom('own', 'web'), { minLength: 12, maxLength: 12 });
    const pins = fc.array(fc.nat({ max: 11 }), { maxLength: 3 });
    const more = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        ordered(fc.constantFrom('metadata', 'path')),
        tiers,
        pins,
        more,
        async ([, plain], tier, pin, longer) => {
          const chunks = plain.map((chunk, at) => ({
            ...chunk,
            text: longer[at] ? `${chunk.text} The office in room ${chunk.id} knows more.` : chunk.text,
            metadata: { ...chunk.metadata, trust: tier[at] },
          }));
          const pinned = pin.flatMap((at) => chunks[at]?.id ?? []);
          const { report } = await shape(
            { trust, pin: pinned, conflicts: { prefer: 'newest', drop: true } },
            chunks,
          );
          const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
          for (const each of report.evicted) {
            if (each.reason !== 'superseded') continue;
            expect(pinned).not.toContain(each.id);
            expect(byId.get(each.id)?.text).not.toContain('office');
            if (byId.get(each.id)?.metadata?.trust === 'own') {
              expect(byId.get(each.by)?.metadata?.trust).toBe('own');
            }
            expect(ids(report.kept)).toContain(each.by);
          }
        },
      ),
      { numRuns: 200, seed: 5 },
    );
  });
});

/** A report without its options. */
const told = ({ options: _, digest: __, ...report }: ShapingReport) => timeless(report as ShapingReport);

test('any pool: nothing is lost or changed, caps hold, frames fit, and equal calls give equal results', async () => {
  const conflicts = fc.record({
    prefer: fc.constantFrom<NonNullable<ShapingOptions['conflicts']>['prefer']>(
      'newest',
      'trusted',
      'majority',
      'position',
    ),
    drop: fc.boolean(),
  });
  const tokenizer = (text: string) => text.length;
  await fc.assert(
    fc.asyncProperty(
      pool(12),
      options,
      conflicts,
      fc.boolean(),
      async (chunks, given, preferring, framed) => {
        const settings: ShapingOptions = {
          ...(given as ShapingOptions),
          tokenizer,
          trust: [{ value: 's0' }, { value: '*' }],
          fields: { trust: 'source' },
          frame: framed ? { spotlight: 'delimiter' } : false,
          conflicts: preferring,
        };
        const before = JSON.stringify(chunks);
        const first = await shape(settings, chunks);
        const second = await shape(settings, chunks);
        expect(ledger(first.report)).toEqual(chunks.map((_, index) => index));
        expect(JSON.stringify(chunks)).toBe(before);
        expect(second.chunks).toEqual(first.chunks);
        expect(timeless(second.report)).toEqual(timeless(first.report));
        const { maxTokens, reserve = 0 } = settings.budget ?? {};
        if (maxTokens != null) {
          const room = Math.max(1, maxTokens - reserve);
          expect(first.report.tokens.output).toBeLessThanOrEqual(room);
          if (framed && first.chunks.length > 0 && reserve === 0 && maxTokens > 100)
            expect(renderContext(first.chunks).text.length).toBeLessThanOrEqual(maxTokens);
        }
        const pinned = new Set(given.pin ?? []);
        const tierOf = (id: string) =>
          Number(chunks.find((chunk) => chunk.id === id)?.metadata?.source !== 's0');
        for (const each of first.report.evicted) {
          if (each.reason !== 'superseded') continue;
          expect(pinned).not.toContain(each.id);
          expect(tierOf(each.id)).toBeGreaterThanOrEqual(tierOf(each.by));
        }
        // The kept chunks of the preferred side come first.
        if (settings.order === false) return;
        const places = new Map(first.chunks.map(({ index }, place) => [index, place]));
        for (const { preferred, sides } of first.report.conflicts) {
          const [winner, loser] = sides.map(({ indices }) => places.get(indices[0] as number));
          if (preferred === undefined || winner === undefined || loser === undefined) continue;
          // Tiers and positions are of one order, so that no circle cancels them.
          if (preferring.prefer === 'trusted' || preferring.prefer === 'position')
            expect(winner).toBeLessThan(loser);
        }
      },
    ),
    { numRuns: 500, seed: 6 },
  );
});
