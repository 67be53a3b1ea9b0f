import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MessageSize,
  PRICES,
  planRelief,
  type ReliefLevel,
  type ReliefSettings,
} from '../../../src/conversation/plan-relief.js';
import { type Choice, naiveLevels, priceOf, requestsOf, totalOf } from '../../conversation/naive-plan.js';

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

const SETTINGS: ReliefSettings = { fixed: 0, high: 1000, low: 500, prices: PRICES.anthropic };

/** Turns of a question, a call, its result and an answer. */
const turnsOf = (results: readonly number[], note = 10): MessageSize[] =>
  results.flatMap((full, turn) => [
    { full: 10, noted: 10, turn, canDrop: true, isAnswer: false },
    { full: 10, noted: 10, turn, canDrop: true, isAnswer: true },
    { full, noted: Math.min(note, full), turn, canDrop: true, isAnswer: false },
    { full: 10, noted: 10, turn, canDrop: true, isAnswer: true },
  ]);

/** Up to the newest request of each turn, the one that answers. */
const answering = (sizes: readonly MessageSize[]) => sizes.slice(0, -1);

describe('a batch', () => {
  test('beyond the high mark, the oldest results give way to notes until the low mark', () => {
    const plan = planRelief(answering(turnsOf([300, 300, 300, 300])), SETTINGS);
    expect(plan.levels.filter((_, place) => place % 4 === 2)).toEqual(['noted', 'noted', 'noted', 'full']);
    expect(plan.total).toBe(11 * 10 + 3 * 10 + 300);
    expect(plan.rewrites).toBe(1);
    // The question and the call of the first turn.
    expect(plan.stablePrefixTokens).toBe(20);
    expect(plan.tokens).toEqual({ read: 20, write: plan.total - 20 });
    expect(plan.cost).toBeCloseTo(20 * 0.1 + (plan.total - 20) * 1.25);
  });

  test('a list without messages has only the fixed part', () => {
    expect(planRelief([], { ...SETTINGS, fixed: 7 })).toMatchObject({
      levels: [],
      breakpoints: [],
      rewrites: 0,
    });
  });
});

describe('below the high mark', () => {
  const long = answering(turnsOf(Array(30).fill(300)));
  const wide = { ...SETTINGS, high: 1e6, low: 600 };

  test('a batch is made when its results have cost as much as writing the rest again', () => {
    const { rewrites } = planRelief(long, wide);
    expect(rewrites).toBeGreaterThan(1);
    expect(rewrites).toBeLessThan(15);
  });
});

describe('breakpoints', () => {
  test('the ends of the fixed part, of the part that the next batch keeps, of the previous request, and of this one', () => {
    const system: MessageSize = { full: 100, noted: 100, turn: 0, canDrop: false, isAnswer: false };
    const sizes = [system, ...answering(turnsOf([300, 300, 300, 300]))];
    // The next batch begins with the result of the third turn, message 11; without a batch so far, with the first result.
    expect(planRelief(sizes, SETTINGS).breakpoints).toEqual([0, 10, 13, 15]);
    expect(planRelief(sizes, { ...SETTINGS, high: 2000 }).breakpoints).toEqual([0, 2, 13, 15]);
    expect(planRelief(sizes.slice(0, 4), SETTINGS).breakpoints).toEqual([0, 1, 2, 3]);
  });
});

const size = fc.record({
  kind: fc.constantFrom('question', 'answer', 'answer', 'result', 'result', 'pinned'),
  full: fc.nat(400),
  noted: fc.nat(40),
});
const conversation = fc.array(size, { minLength: 1, maxLength: 40 }).map((messages): MessageSize[] => {
  let turn = 0;
  return messages.map(({ kind, full, noted }, place) => {
    if (kind === 'question' && place > 0) turn++;
    return {
      full,
      noted: kind === 'result' ? Math.min(full, noted) : full,
      turn,
      canDrop: kind !== 'pinned',
      isAnswer: kind === 'answer',
    };
  });
});
const settings = fc
  .record({
    fixed: fc.nat(100),
    high: fc.integer({ min: 1, max: 2000 }),
    share: fc.constantFrom(0, 0.25, 0.5, 1),
    prices: fc.constantFrom(...Object.values(PRICES), { read: 0.5, write: 1 }),
  })
  .map(({ share, ...rest }): ReliefSettings => ({ ...rest, low: rest.high * share }));

/** The rule of the planner in its own words: what a batch would have freed has cost as much as it writes again. */
const isDueFor =
  ({ prices }: ReliefSettings) =>
  ({ freed, rewritten }: Choice): boolean => {
    const again = prices.write * (freed.at(-1) as number);
    return prices.read * sum(freed) > (prices.write - prices.read) * rewritten + again;
  };

describe('for any conversation', () => {
  test('it is that of a slow planner with a list of levels', () => {
    fc.assert(
      fc.property(conversation, settings, (sizes, given) => {
        const all = naiveLevels(sizes, given, isDueFor(given));
        const plan = planRelief(sizes, given);
        expect(plan.levels).toEqual(all.at(-1));
        expect(plan.rewrites).toBe(priceOf(sizes, all, given).rewrites);
      }),
      { numRuns: 2000 },
    );
  });

  test('a request exceeds the high mark only if what must stay does, as notes', () => {
    fc.assert(
      fc.property(conversation, settings, (sizes, given) => {
        const newest = sizes.at(-1)?.turn;
        const least = sizes.map(({ turn, canDrop, full, noted }): ReliefLevel => {
          if (turn !== newest && canDrop) return 'dropped';
          return noted < full ? 'noted' : 'full';
        });
        const { total } = planRelief(sizes, given);
        expect(total).toBeLessThanOrEqual(Math.max(given.high, totalOf(sizes, least, given.fixed)));
      }),
      { numRuns: 2000 },
    );
  });

  test('the given sizes are not changed, and the same ones give the same plan', () => {
    fc.assert(
      fc.property(conversation, settings, (sizes, given) => {
        const copy = structuredClone(sizes);
        const plan = planRelief(sizes, given);
        expect(sizes).toEqual(copy);
        expect(planRelief(copy, given)).toEqual(plan);
      }),
      { numRuns: 500 },
    );
  });
});

describe('against the best schedule in hindsight', () => {
  /** Each result that is no longer shown may be asked for once more. */
  const recalls = (
    sizes: readonly MessageSize[],
    levels: readonly ReliefLevel[],
    { prices }: ReliefSettings,
  ) =>
    prices.write *
    sum(sizes.map(({ full, noted }, place) => ((levels[place] ?? 'full') === 'full' ? 0 : full - noted)));

  /** The best of all subsets of requests at which a batch may be made. */
  const best = (sizes: readonly MessageSize[], given: ReliefSettings) => {
    const count = requestsOf(sizes).length;
    let least = Infinity;
    for (let chosen = 0; chosen < 2 ** count; chosen++) {
      const levels = naiveLevels(sizes, given, ({ request }) => ((chosen >> request) & 1) === 1);
      least = Math.min(least, priceOf(sizes, levels, given).all + recalls(sizes, levels.at(-1) ?? [], given));
    }
    return least;
  };
  const costOf = (sizes: readonly MessageSize[], given: ReliefSettings) =>
    sum(requestsOf(sizes).map((end) => planRelief(sizes.slice(0, end), given).cost)) +
    recalls(sizes, planRelief(sizes, given).levels, given);

  const results = fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1, maxLength: 5 });
  const marks = fc.record({
    high: fc.constantFrom(300, 600, 1e4),
    share: fc.constantFrom(0.1, 0.5),
    prices: fc.constantFrom(...Object.values(PRICES), { read: 0.5, write: 1 }),
  });

  test('a conversation costs at most half more, recalls of all that went included', () => {
    fc.assert(
      fc.property(results, marks, (full, { high, share, prices }) => {
        const given = { ...SETTINGS, high, low: Math.min(high, 1000) * share, prices };
        const sizes = answering(turnsOf(full));
        expect(costOf(sizes, given)).toBeLessThanOrEqual(1.5 * best(sizes, given));
      }),
      { numRuns: 200 },
    );
  });
});

test('the time is linear: of two hundred thousand messages, a planner that looks back would not return', () => {
  const words = (turn: number): MessageSize => ({
    full: 5,
    noted: 5,
    turn,
    canDrop: true,
    isAnswer: turn % 2 === 1,
  });
  const sizes = [
    ...Array.from({ length: 100_000 }, (_, turn) => words(turn)),
    ...turnsOf(Array(25_000).fill(300)),
  ].map((each, place): MessageSize => ({ ...each, turn: Math.floor(place / 4) }));
  for (const high of [1e9, 1e6, 2e4]) {
    const { total } = planRelief(sizes, { ...SETTINGS, high, low: high / 2 });
    expect(total).toBeLessThanOrEqual(high);
  }
});
