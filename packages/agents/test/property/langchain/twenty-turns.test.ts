/** Twenty questions to one agent: the requests to the model, and whether all evidence stays within reach. */
import type { Document } from '@langchain/core/documents';
import type { BaseMessage } from '@langchain/core/messages';
import {
  type ContextShapingMiddlewareOptions,
  contextShapingMiddleware,
} from 'context-shaping-agents/langchain';
import { beforeAll, expect, test } from 'vitest';
import { PRICES } from '../../../src/conversation/plan-relief.js';
import { reachOf } from '../../langchain/evidence.js';
import { priceRequests, tokensIn } from '../../langchain/priced-requests.js';
import { documentation, QUESTIONS } from '../../langchain/support.js';
import { searchWork, sentIn, twentyTurns } from '../../langchain/twenty-turns.js';

let documents: Document[];
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

const textOf = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text).join('\n');

let plain: Awaited<ReturnType<typeof twentyTurns>>;
beforeAll(async () => {
  documents = await documentation();
  plain = await twentyTurns(searchWork(documents), []);
});

test('unshaped, twenty turns are some sixty thousand tokens, with all evidence', () => {
  expect(plain.tokens.at(-1)).toBeGreaterThan(55_000);
  for (const [turn, [, evidence]] of QUESTIONS.entries())
    expect(textOf(plain.answers[turn] as BaseMessage[]).includes(evidence)).toBe(true);
});

test.each<[string, ContextShapingMiddlewareOptions]>([
  ['results and messages', { maxTokens: 6000, maxToolTokens: 1500 }],
  ['messages alone', { mode: 'model', maxTokens: 6000 }],
])(
  '%s shaped: a fifth of the tokens, never more than the budget, no evidence out of reach',
  async (_, options) => {
    const middleware = contextShapingMiddleware({ ...options, handleKey: 'a key of the tests' });
    const shaped = await twentyTurns(searchWork(documents), [middleware]);
    expect(shaped.tokens).toHaveLength(2 * QUESTIONS.length);
    expect(Math.max(...shaped.tokens)).toBeLessThanOrEqual(6000);
    expect(sum(shaped.tokens)).toBeLessThan(sum(plain.tokens) / 5);

    const ofItsTurn = [];
    for (const [turn, question] of QUESTIONS.entries()) {
      const [prompt, state] = [shaped.answers[turn], shaped.states[turn]] as [BaseMessage[], BaseMessage[]];
      ofItsTurn.push(await reachOf(prompt, state, question, middleware));
    }
    expect(ofItsTurn).not.toContain('lost');

    const [prompt, state] = [shaped.answers.at(-1), shaped.states.at(-1)] as [BaseMessage[], BaseMessage[]];
    const atTheEnd = [];
    for (const question of QUESTIONS) atTheEnd.push(await reachOf(prompt, state, question, middleware));
    expect(atTheEnd).not.toContain('lost');
  },
);

test('with each prompt cache, shaping costs less than half of no shaping', async () => {
  const options = { maxTokens: 6000, maxToolTokens: 1500, handleKey: 'a key of the tests' };
  const unshaped = await sentIn(plain);
  const shaped = await sentIn(await twentyTurns(searchWork(documents), [contextShapingMiddleware(options)]));
  for (const prices of Object.values(PRICES)) {
    // The unshaped agent gets the cache that looks inside messages, or none, if that is cheaper.
    const costs = [
      priceRequests(unshaped, { ...prices, minimum: 0, inside: true }).cost,
      sum(unshaped.map(tokensIn)),
    ];
    const { cost } = priceRequests(shaped, { ...prices, minimum: 0, inside: false });
    expect(cost).toBeLessThan(Math.min(...costs) / 2);
  }
});
