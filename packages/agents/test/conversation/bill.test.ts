/** The plans against the bill of a provider, which knows only the sent messages. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type MessageSize,
  PRICES,
  planRelief,
  type ReliefPlan,
  type ReliefSettings,
} from '../../src/conversation/plan-relief.js';
import { priceRequests, type Sent } from '../langchain/priced-requests.js';
import { requestsOf, tokensAt } from './naive-plan.js';

const turn = fc.record({
  question: fc.integer({ min: 1, max: 50 }),
  results: fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 4 }),
  answer: fc.integer({ min: 1, max: 50 }),
});
const conversation = fc.array(turn, { minLength: 1, maxLength: 12 }).map((turns) =>
  turns.flatMap(({ question, results, answer }, at): MessageSize[] => {
    const words = (full: number, isAnswer: boolean) => ({
      full,
      noted: full,
      turn: at,
      canDrop: true,
      isAnswer,
    });
    return [
      words(question, false),
      ...results.flatMap((full) => [words(8, true), { ...words(full, false), noted: Math.min(full, 20) }]),
      words(answer, true),
    ];
  }),
);
const settings = fc
  .record({
    fixed: fc.integer({ min: 1, max: 100 }),
    high: fc.integer({ min: 100, max: 3000 }),
    share: fc.constantFrom(0.2, 0.4, 0.8),
    prices: fc.constantFrom(...Object.values(PRICES)),
  })
  .map(({ share, ...rest }): ReliefSettings => ({ ...rest, low: rest.high * share }));

/** The messages of each request as they are sent, after the tools, and the plans. */
function requestsFor(sizes: readonly MessageSize[], given: ReliefSettings) {
  const plans = requestsOf(sizes).map((end) => planRelief(sizes.slice(0, end), given));
  const requests = plans.map(({ levels }): Sent[] => [
    { text: 'tools', tokens: given.fixed },
    ...levels.flatMap((level, place) => {
      const tokens = tokensAt(sizes[place] as MessageSize, level);
      return level === 'dropped' ? [] : [{ text: `${place} ${tokens}`, tokens }];
    }),
  ]);
  return { plans, requests };
}

/** The places of the breakpoints in the sent messages. */
const marksOf = ({ levels, breakpoints }: ReliefPlan) =>
  breakpoints.map((mark) => levels.slice(0, mark + 1).filter((level) => level !== 'dropped').length);

const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

test('a plan has the tokens of its bill', () => {
  fc.assert(
    fc.property(conversation, settings, (sizes, given) => {
      const { plans, requests } = requestsFor(sizes, given);
      const bill = priceRequests(requests, { ...given.prices, minimum: 0, inside: false });
      expect(plans.slice(1).map(({ stablePrefixTokens }) => stablePrefixTokens)).toEqual(bill.stable);
      expect(sum(plans.map(({ tokens }) => tokens.read))).toBe(bill.tokens.read);
      expect(sum(plans.map(({ tokens }) => tokens.write))).toBe(bill.tokens.write);
      expect(sum(plans.map(({ cost }) => cost))).toBeCloseTo(bill.cost);
      expect(plans.at(-1)?.rewrites).toBe(bill.rewrites);
    }),
    { numRuns: 1000 },
  );
});

test('with its breakpoints alone, a provider reads as much as with one at each message', () => {
  fc.assert(
    fc.property(conversation, settings, (sizes, given) => {
      const { plans, requests } = requestsFor(sizes, given);
      const prices = { ...given.prices, minimum: 0, inside: false };
      const withTools = plans.map((plan) => [0, ...marksOf(plan)]);
      expect(priceRequests(requests, prices, withTools).tokens.read).toBe(
        priceRequests(requests, prices).tokens.read,
      );
      for (const { breakpoints } of plans) expect(breakpoints.length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 1000 },
  );
});
