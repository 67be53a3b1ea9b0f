import { readFileSync } from 'node:fs';
import { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from 'context-shaping/entropy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMilliseconds } from '../../time.js';

const linesOf = (name: string) =>
  readFileSync(`test/fixtures/entropy/${name}.txt`, 'utf8').trimEnd().split('\n');
const shareOf = (texts: readonly string[], isRight: (score: number) => boolean) =>
  texts.filter((text) => isRight(scoreChunk(text))).length / texts.length;
const isDense = (score: number) => score >= 0.65;
const isFiller = (score: number) => score <= 0.35;

describe('the plain entropies', () => {
  it('are bits per symbol', () => {
    expect(calculateShannonEntropy('aabb')).toBe(1);
    expect(calculateShannonEntropy('😀😃')).toBe(1);
    expect(calculateTokenEntropy('the cat, The dog; a cat a dog')).toBe(2);
    expect([calculateShannonEntropy(''), calculateTokenEntropy(' … ')]).toEqual([0, 0]);
  });
});

describe('scoreChunk', () => {
  it.each([
    'Slushy: 80% net, weekly, min $25, holds: 14 days',
    'Post yoga content Tue/Thu 6-8 PM — peak engagement per 90-day analytics',
    'OnlyFans subscription price floor: $4.99, ceiling: $49.99',
    'BullMQ concurrency:1, Redis maxmemory 2gb, eviction: allkeys-lru',
  ])('is at least .65 for the facts in %j', (text) => {
    expect(scoreChunk(text)).toBeGreaterThanOrEqual(0.65);
  });

  it.each([
    'Hello! How are you today?',
    'Hi there, how can I help you?',
    'To do this, follow these steps. First, open the settings. Then...',
    'To do this, follow these steps. First, open the settings. Then, click the button and follow the instructions.',
    'a',
    'OK',
    '!!!!!!!!',
    'ha '.repeat(100),
    'x'.repeat(5000),
  ])('is at most .35 for filler, %#', (text) => {
    expect(scoreChunk(text)).toBeLessThanOrEqual(0.35);
  });

  it.each(['', ' \n\t '])('is 0 for %j', (text) => {
    expect(scoreChunk(text)).toBe(0);
  });

  it('tells facts from filler on texts that were kept apart', () => {
    const [dense, filler] = [linesOf('dense'), linesOf('filler')];
    expect([dense.length >= 200, filler.length >= 200]).toEqual([true, true]);
    expect(shareOf(dense, isDense)).toBeGreaterThanOrEqual(0.95);
    expect(shareOf(filler, isFiller)).toBeGreaterThanOrEqual(0.95);
  });

  it('does not go by digits: facts without, filler with', () => {
    const dense = linesOf('dense').filter((text) => !/\d/.test(text));
    const filler = linesOf('filler').filter((text) => /\d/.test(text));
    expect([dense.length >= 60, filler.length >= 35]).toEqual([true, true]);
    expect(shareOf(dense, isDense)).toBeGreaterThanOrEqual(0.95);
    expect(shareOf(filler, isFiller)).toBeGreaterThanOrEqual(0.9);
  });

  it('is within 0 and 1 and the same each time, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const score = scoreChunk(text);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(scoreChunk(text)).toBe(score);
      }),
      { seed: 4 },
    );
  });

  it('takes a time that grows with the length', async () => {
    for (const text of ['的', 'a', '1', '1,', 'É', "a'", '=', 'dolor 12,5 ']) {
      const long = text.repeat(200_000 / text.length);
      expect(await cpuMilliseconds(() => scoreChunk(long))).toBeLessThan(3000);
    }
  });
});
