import { readFileSync } from 'node:fs';
import { estimateTokens } from 'context-shaping';
import {
  calculateShannonEntropy,
  calculateTokenEntropy,
  pruneToBudget,
  scoreChunk,
} from 'context-shaping/entropy';
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

const SOURCES = [...linesOf('dense'), ...linesOf('filler')];
const pool = fc
  .uniqueArray(fc.constantFrom(...SOURCES, '', ' '), {
    minLength: 0,
    maxLength: 14,
    selector: (text) => text.trim(),
  })
  .map((texts) => texts.map((text, index) => ({ id: `c${index}`, text, metadata: { row: index } })));
const bounds = fc.record({
  maxTokens: fc.option(fc.integer({ min: 1, max: 200 })),
  minEntropy: fc.constantFrom(0, 0.2, 0.35, 0.65),
});

const deepFrozen = <T extends object>(chunks: T[]): readonly T[] =>
  Object.freeze(chunks.map((chunk) => Object.freeze(chunk)));

describe('pruneToBudget', () => {
  const ids = (chunks: readonly { id: string }[]) => chunks.map(({ id }) => id);
  const [fact, other, filler] = ['price floor: $4.99', 'maxmemory 2gb', 'Hello! How are you today?'];
  const chunks = deepFrozen(
    [filler, fact, other, fact].map((text, index) => ({ id: `c${index}`, text, rendered: `# x\n${text}` })),
  );
  const tokenizer = (text: string) => text.length;

  it('takes the highest first, ties by input order, skips what does not fit, and goes on', () => {
    const { chunks: kept, report } = pruneToBudget(chunks, { tokenizer, maxTokens: 40 });
    expect(kept).toEqual([chunks[1], chunks[2]]);
    expect(kept[0]).toBe(chunks[1]);
    expect(report.kept[0]).toEqual({ id: 'c1', index: 1, tokens: 22, entropyScore: scoreChunk(fact) });
    expect(report.evicted).toEqual([
      {
        id: 'c0',
        index: 0,
        tokens: 29,
        stage: 'budget',
        reason: 'over-budget',
        limit: 'maxTokens',
      },
      {
        id: 'c3',
        index: 3,
        tokens: 22,
        stage: 'budget',
        reason: 'over-budget',
        limit: 'maxTokens',
      },
    ]);
    expect(report.tokens).toEqual({ input: 90, output: 39, budget: 40 });
    expect(ids(pruneToBudget(chunks, { minEntropy: 0.65 }).chunks)).toEqual(['c1', 'c3']);
    expect(pruneToBudget([chunks[1]!]).report.tokens.output).toBe(estimateTokens(`# x\n${fact}`));
  });

  it.each([
    ['maxTokens', [], { maxTokens: 0 }],
    ['minEntropy', [], { minEntropy: 2 }],
    ['tokenizer', [], { tokenizer: 'o200k_base' }],
    ['threshold', [], { threshold: 1 }],
    ['chunks', null, {}],
    ['chunks[0]', ['text'], {}],
    ['chunks[1].id', [{ id: 'a', text: '' }, { text: '' }], {}],
    ['chunks[0].text', [{ id: 'a' }], {}],
    ['chunks[0].rendered', [{ id: 'a', text: '', rendered: 1 }], {}],
  ])('refuses a wrong %s', (field, given, options) => {
    expect(() => pruneToBudget(given as never, options as never)).toThrow(expect.objectContaining({ field }));
  });

  it('has every chunk once, never goes over, and evicts only for its reason', () => {
    fc.assert(
      fc.property(pool, bounds, (given, options) => {
        const { chunks: kept, report } = pruneToBudget(deepFrozen(given), Object.freeze(options));
        const { tokens, evicted } = report;
        expect(tokens.output).toBeLessThanOrEqual(options.maxTokens ?? Number.POSITIVE_INFINITY);
        expect(ids(report.kept)).toEqual(ids(kept));
        const places = [...report.kept, ...evicted].map(({ index }) => index);
        expect(places.toSorted((a, b) => a - b)).toEqual([...given.keys()]);
        expect(tokens.output + evicted.reduce((sum, each) => sum + each.tokens, 0)).toBe(tokens.input);
        for (const each of evicted) {
          if (each.reason === 'low-entropy') expect(each.entropy).toBeLessThan(options.minEntropy);
          else if (each.reason === 'over-budget') {
            expect(tokens.output + each.tokens).toBeGreaterThan(options.maxTokens as number);
          } else expect.unreachable();
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
