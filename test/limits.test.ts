/** The ledger of limits: the packed candidates never exceed a limit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ledger, type Limits } from '../src/limits.js';
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
