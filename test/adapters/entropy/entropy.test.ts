import { readFileSync } from 'node:fs';
import { createShaper } from 'context-shaping';
import {
  annotateChunks,
  calculateShannonEntropy,
  calculateTokenEntropy,
  evictionReport,
  pruneToBudget,
  scoreChunk,
} from 'context-shaping/entropy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/tokens/token-estimate.js';
import { byEntropy } from '../../support.js';
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

  it('are those of the pipeline', async () => {
    const texts = linesOf('dense').slice(0, 20);
    const chunks = texts.map((text, index) => ({ id: String(index), text }));
    const { report } = await createShaper({
      ...byEntropy,
      annotate: { minEntropy: 1 },
      allowEmpty: true,
    }).shape({ query: '', chunks });
    expect(report.evicted.map((eviction) => 'entropy' in eviction && eviction.entropy)).toEqual(
      annotateChunks(chunks).map(({ entropy }) => entropy.blend),
    );
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

describe('annotateChunks', () => {
  it('adds tokens and entropies to copies, and keeps what is there', () => {
    const chunk = deepFrozen([
      { id: 'a', text: 'Kestrels hover', rendered: '# Birds\nKestrels hover', mine: 7 },
    ]);
    const [annotated] = annotateChunks(chunk);
    expect(annotated).toEqual({
      ...chunk[0],
      tokens: estimateTokens('# Birds\nKestrels hover'),
      entropyScore: scoreChunk('Kestrels hover'),
      entropy: { character: calculateShannonEntropy('Kestrels hover'), token: 1, blend: expect.any(Number) },
    });
    expect(annotateChunks([{ ...annotated!, entropyScore: 0.5, tokens: 3 }])).toEqual([
      { ...annotated, entropyScore: 0.5, tokens: 3 },
    ]);
  });

  it('counts as it is told', () => {
    const chunks = [{ id: 'a', text: '123456789' }];
    expect(annotateChunks(chunks, { tokenizer: 'characters/4' })[0]?.tokens).toBe(3);
    expect(annotateChunks(chunks, { tokenizer: (text) => text.length })[0]?.tokens).toBe(9);
  });

  it.each([
    ['chunks', null],
    ['chunks[0]', ['text']],
    ['chunks[1].id', [{ id: 'a', text: '' }, { text: '' }]],
    ['chunks[0].text', [{ id: 'a' }]],
    ['chunks[0].rendered', [{ id: 'a', text: '', rendered: 1 }]],
    ['chunks[0].tokens', [{ id: 'a', text: '', tokens: -1 }]],
    ['chunks[0].entropyScore', [{ id: 'a', text: '', entropyScore: Number.NaN }]],
  ])('names %s where it is wrong', (field, chunks) => {
    expect(() => annotateChunks(chunks as never)).toThrow(
      expect.objectContaining({ kind: 'invalid-input', field }),
    );
  });
});

describe('pruneToBudget', () => {
  const scored = (...entries: [score: number, tokens: number][]) =>
    entries.map(([entropyScore, tokens], index) => ({
      id: `c${index}`,
      text: `${index}`,
      entropyScore,
      tokens,
    }));
  const ids = (chunks: readonly { id: string }[]) => chunks.map(({ id }) => id);

  it('takes the highest first, skips what does not fit, and goes on', () => {
    const chunks = scored([0.5, 4], [0.9, 8], [0.7, 3], [0.6, 2]);
    expect(ids(pruneToBudget(chunks, { maxTokens: 10 }))).toEqual(['c1', 'c3']);
    expect(ids(pruneToBudget(chunks))).toEqual(['c1', 'c2', 'c3', 'c0']);
  });

  it('settles ties by input order, and keeps what is exactly at the bounds', () => {
    expect(
      ids(pruneToBudget(scored([0.5, 5], [0.5, 5], [0.5, 5]), { maxTokens: 10, minEntropy: 0.5 })),
    ).toEqual(['c0', 'c1']);
  });

  it.each([
    ['maxTokens', { maxTokens: 0 }],
    ['maxTokens', { maxTokens: 1.5 }],
    ['minEntropy', { minEntropy: 2 }],
    ['tokenizer', { tokenizer: 'o200k_base' }],
    ['threshold', { threshold: 1 }],
  ])('refuses a wrong %s', (field, options) => {
    expect(() => pruneToBudget([], options as never)).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field }),
    );
  });

  it('never goes over, leaves out nothing that fits, and changes nothing that it was given', () => {
    fc.assert(
      fc.property(pool, bounds, (given, options) => {
        const chunks = deepFrozen(given);
        const selected = pruneToBudget(chunks, Object.freeze(options));
        const room =
          (options.maxTokens ?? Number.POSITIVE_INFINITY) -
          selected.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(room).toBeGreaterThanOrEqual(0);
        const kept = new Set(ids(selected));
        for (const chunk of annotateChunks(chunks)) {
          if (kept.has(chunk.id)) expect(chunk.entropyScore).toBeGreaterThanOrEqual(options.minEntropy);
          else expect(chunk.entropyScore < options.minEntropy || chunk.tokens > room).toBe(true);
        }
        const scores = selected.map(({ entropyScore }) => entropyScore);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('agrees with the stages, given their score', async () => {
    await fc.assert(
      fc.asyncProperty(pool, bounds, async (chunks, options) => {
        const blended = annotateChunks(chunks).map((chunk) => ({
          ...chunk,
          entropyScore: chunk.entropy.blend,
        }));
        const { chunks: shaped, report } = await createShaper({
          ...byEntropy,
          budget: { maxTokens: options.maxTokens },
          annotate: { minEntropy: options.minEntropy },
          allowEmpty: true,
        }).shape({ query: 'anything', chunks });
        const selected = pruneToBudget(blended, options);
        expect(new Set(ids(selected))).toEqual(new Set(ids(shaped)));
        const facts = ({ id, index, tokens, reason, stage }: (typeof report.evicted)[number]) => ({
          id,
          index,
          tokens,
          reason,
          stage,
        });
        const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index;
        expect(evictionReport(blended, selected, options).evicted.map(facts)).toEqual(
          report.evicted.toSorted(byIndex).map(facts),
        );
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});

describe('evictionReport', () => {
  it('has every chunk once, with its reason', () => {
    fc.assert(
      fc.property(pool, bounds, (chunks, options) => {
        const selected = pruneToBudget(chunks, options);
        const report = evictionReport(chunks, selected, options);
        const places = [...report.kept, ...report.evicted].map(({ index }) => index);
        expect(places.toSorted((a, b) => a - b)).toEqual([...chunks.keys()]);
        expect(report.kept.map(({ id }) => id)).toEqual(selected.map(({ id }) => id));
        expect(report.tokens.output + report.evicted.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
          report.tokens.input,
        );
        for (const eviction of report.evicted) {
          if (eviction.reason === 'low-entropy') {
            expect(eviction.entropy).toBeLessThan(eviction.minEntropy);
          } else expect(eviction.reason).toBe('over-budget');
        }
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  const chunks = annotateChunks(
    linesOf('dense')
      .slice(0, 6)
      .map((text, index) => ({ id: `c${index}`, text })),
  );

  it('tells copies of one chunk apart', () => {
    const twice = [chunks[0]!, chunks[0]!, chunks[1]!];
    const own = { maxTokens: 2 * chunks[0]!.tokens };
    const report = evictionReport(twice, pruneToBudget(twice, own), own);
    expect([...report.kept, ...report.evicted].map(({ index }) => index).sort()).toEqual([0, 1, 2]);
  });

  it('refuses a selection from elsewhere', () => {
    expect(() => evictionReport(chunks, [{ id: 'x', text: 'y' }], {})).toThrow(
      expect.objectContaining({ kind: 'invalid-input', field: 'selected[0]' }),
    );
  });
});
