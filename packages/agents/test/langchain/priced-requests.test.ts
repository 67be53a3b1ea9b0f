import { describe, expect, test } from 'vitest';
import { type PriceModel, priceRequests, type Sent, tokensIn } from './priced-requests.js';

const PRICES: PriceModel = { read: 0.1, write: 1.25, minimum: 0, inside: false };
/** Each word is a message; its tokens are its characters. */
const request = (words: string): Sent[] => words.split(' ').map((text) => ({ text, tokens: text.length }));

describe('the bill of requests', () => {
  test('the first request is written', () => {
    expect(priceRequests([request('system question')], PRICES)).toEqual({
      tokens: { read: 0, write: 14, input: 0 },
      cost: 14 * 1.25,
      stable: [],
      rewrites: 0,
    });
  });

  test('a longer request reads the one before, and writes the rest', () => {
    const bill = priceRequests([request('system question'), request('system question call result')], PRICES);
    expect(bill.tokens).toEqual({ read: 14, write: 14 + 10, input: 0 });
    expect(bill).toMatchObject({ stable: [14], rewrites: 0 });
    expect(bill.cost).toBeCloseTo(1.4 + 24 * 1.25);
  });

  test('behind a changed message nothing is read, though it is the same', () => {
    const bill = priceRequests([request('system result question'), request('system note question')], PRICES);
    expect(bill.tokens).toEqual({ read: 6, write: 20 + 12, input: 0 });
    expect(bill).toMatchObject({ stable: [6], rewrites: 1 });
  });

  test('each earlier request is in the cache, not only the last', () => {
    const requests = ['system result question', 'system note question', 'system result question'].map(
      request,
    );
    const bill = priceRequests(requests, PRICES);
    expect(bill.tokens.read).toBe(6 + 20);
    expect(bill).toMatchObject({ stable: [6, 6], rewrites: 2 });
  });

  test('a shorter request that the one before begins with is a rewrite too', () => {
    expect(priceRequests([request('system question'), request('system')], PRICES)).toMatchObject({
      stable: [6],
      rewrites: 1,
    });
  });

  test('a cache that looks inside messages reads the first characters of a changed one', () => {
    const requests = [request('system abcdefgh'), request('system abcdxyz0')];
    expect(priceRequests(requests, PRICES).tokens.read).toBe(6);
    expect(priceRequests(requests, { ...PRICES, inside: true }).tokens.read).toBe(6 + 4);
  });

  test('short prefixes are not cached, and short requests are plain input', () => {
    const requests = [request('system'), request('system question'), request('system question call')];
    expect(priceRequests(requests, { ...PRICES, minimum: 10 }).tokens).toEqual({
      read: 14,
      write: 14 + 4,
      input: 6,
    });
  });

  test('with marks, only the marked ends of earlier requests are read', () => {
    const requests = [request('system question'), request('system question call')];
    expect(priceRequests(requests, PRICES, [[0], [2]]).tokens.read).toBe(6);
    expect(priceRequests(requests, PRICES, [[0, 1], [2]]).tokens.read).toBe(14);
    expect(priceRequests(requests, PRICES, [[], []]).tokens.read).toBe(0);
  });

  test('all tokens are in one class', () => {
    const requests = ['a b c', 'a b x y', 'a b x y z'].map(request);
    const { read, write, input } = priceRequests(requests, { ...PRICES, minimum: 4 }).tokens;
    expect(read + write + input).toBe(requests.reduce((all, each) => all + tokensIn(each), 0));
  });
});
