/** The ledger of limits: the packed candidates never exceed a limit, and the value of `budgetToKeep` keeps the candidate. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits, Ledger, type Limits, roomForAll } from '../src/limits.js';
import type { Candidate } from '../src/types.js';

const candidates = fc.array(
  fc.record({
    tokens: fc.integer({ min: 0, max: 30 }),
    source: fc.option(fc.constantFrom('a.md', 'b.md'), { nil: undefined }),
    tier: fc.integer({ min: 0, max: 2 }),
    pinned: fc.boolean(),
  }),
  { maxLength: 12 },
);
const some = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined });
const limits: fc.Arbitrary<Limits> = fc.record({
  reserve: fc.integer({ min: 0, max: 5 }),
  k: some(8),
  available: some(120),
  perSource: some(60),
  chunksPerSource: some(4),
  tiers: fc.option(fc.array(fc.record({ k: some(3), maxTokens: some(60) }), { maxLength: 2 }), {
    nil: undefined,
  }),
});

type Given = { tokens: number; source: string | undefined; tier: number; pinned: boolean };
const made = (given: readonly Given[]): Candidate[] =>
  given.map(({ tokens, source, tier, pinned }, index) => ({
    index,
    id: String(index),
    text: 'text',
    rendered: 'text',
    sources: [source === undefined ? { id: String(index) } : { id: String(index), source }],
    namespace: '',
    pinned,
    tier,
    conflicts: [],
    signals: { tokens },
  }));
const tokensOf = (list: readonly Candidate[]) => list.reduce((sum, { signals }) => sum + signals.tokens, 0);

/** Packs candidates as they come. */
function packed(line: readonly Candidate[], bounds: Limits): { ledger: Ledger; kept: Candidate[] } {
  const ledger = new Ledger(bounds);
  const kept = line.filter((candidate) => {
    if ((ledger.placeLimit(candidate) ?? ledger.tokenLimit(candidate)) !== undefined) return false;
    ledger.add(candidate, candidate.signals.tokens);
    return true;
  });
  return { ledger, kept };
}

describe('the hard cap holds', () => {
  test('the packed candidates exceed no limit on tokens: in all, of a source, or of a tier', () => {
    fc.assert(
      fc.property(candidates, limits, (given, bounds) => {
        const { ledger, kept } = packed(made(given), { ...bounds, k: undefined });
        const { available = Infinity, perSource = Infinity, tiers = [] } = bounds;
        expect(tokensOf(kept)).toBeLessThanOrEqual(available);
        for (const source of ['a.md', 'b.md']) {
          const own = kept.filter(({ sources }) => sources[0].source === source);
          expect(tokensOf(own)).toBeLessThanOrEqual(perSource);
        }
        for (const [tier, { maxTokens }] of tiers.entries())
          expect(tokensOf(kept.filter((each) => each.tier === tier))).toBeLessThanOrEqual(
            maxTokens ?? Infinity,
          );
        expect(ledger.isOver()).toBe(false);
        expect(ledger.tokens).toBe(tokensOf(kept));
      }),
    );
  });

  test('no source and no tier has more chunks than its limit, unless they are pinned', () => {
    fc.assert(
      fc.property(candidates, limits, (given, bounds) => {
        const { kept } = packed(made(given), bounds);
        const count = (is: (candidate: Candidate) => boolean) => {
          const own = kept.filter(is);
          // A pinned candidate that comes after the last place is taken anyway.
          return own.findLastIndex(({ pinned }) => !pinned) + 1;
        };
        for (const source of ['a.md', 'b.md'])
          expect(count(({ sources }) => sources[0].source === source)).toBeLessThanOrEqual(
            bounds.chunksPerSource ?? Infinity,
          );
        for (const [tier, { k }] of bounds.tiers?.entries() ?? [])
          expect(count((each) => each.tier === tier)).toBeLessThanOrEqual(k ?? Infinity);
      }),
    );
  });

  test('a part that is given back leaves the ledger as it was', () => {
    fc.assert(
      fc.property(candidates, limits, (given, bounds) => {
        const line = made(given);
        const { ledger } = packed(line, bounds);
        const before = line.map((candidate) => ledger.left(candidate));
        for (const candidate of line) ledger.add(candidate, 7, 0);
        for (const candidate of line) ledger.add(candidate, -7, 0);
        expect(line.map((candidate) => ledger.left(candidate))).toEqual(before);
      }),
    );
  });
});

describe('budgetToKeep keeps it', () => {
  const raised = (bounds: Limits, limit: 'maxTokens' | 'perSource', value: number): Limits =>
    limit === 'maxTokens'
      ? { ...bounds, available: value - bounds.reserve }
      : { ...bounds, perSource: value };

  test('with the value, everything that the ledger counted fits', () => {
    fc.assert(
      fc.property(candidates, limits, fc.constantFrom('maxTokens', 'perSource'), (given, bounds, limit) => {
        const line = made(given);
        const ledger = new Ledger(bounds);
        for (const [at, candidate] of line.entries()) {
          ledger.add(candidate, candidate.signals.tokens);
          const soFar = line.slice(0, at + 1);
          if (
            limit === 'perSource' &&
            (bounds.perSource === undefined || candidate.sources[0].source === undefined)
          )
            continue;
          const value = ledger.budgetToKeep(candidate, limit);
          if (value === null) continue;
          const { kept } = packed(soFar, raised(bounds, limit, value));
          expect(kept).toContain(candidate);
          expect(soFar.length).toBeLessThanOrEqual(bounds.k ?? Infinity);
        }
      }),
    );
  });

  test('with the value for all candidates, no stage acts for lack of room', () => {
    fc.assert(
      fc.property(
        candidates,
        limits,
        (given, { chunksPerSource: _, tiers: __, perSource: ___, ...bounds }) => {
          const line = made(given);
          const room = roomForAll(line, [], bounds);
          for (const candidate of line) {
            const value = room.budgetToKeep(candidate, 'maxTokens');
            if (value !== null) expect(fits(line, raised(bounds, 'maxTokens', value))).toBe(true);
          }
        },
      ),
    );
  });

  test('it is null where a limit of chunks, or a stage of the user, decides', () => {
    const [only] = made([{ tokens: 5, source: 'a.md', tier: 0, pinned: false }]) as [Candidate];
    const value = (bounds: Partial<Limits>) => {
      const ledger = new Ledger({ reserve: 2, ...bounds });
      ledger.add(only, 5);
      return ledger.budgetToKeep(only, 'maxTokens');
    };
    expect(value({})).toBe(7);
    expect(value({ chunksPerSource: 1 })).toBeNull();
    expect(value({ tiers: [{ k: 1 }] })).toBeNull();
    expect(value({ isCustom: true })).toBeNull();
    expect(value({ perSource: 4 })).toBeNull();
  });
});
