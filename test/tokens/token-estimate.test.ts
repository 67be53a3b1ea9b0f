import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/tokens/token-estimate.js';

const asText = { disallowedSpecial: new Set<string>() };
const trueCount = (text: string) => countO200k(text, asText);
const errorOf = (text: string) => estimateTokens(text) / trueCount(text) - 1;
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const sumError = (texts: readonly string[]) => {
  let [told, truth] = [0, 0];
  for (const text of texts) {
    told += estimateTokens(text);
    truth += trueCount(text);
  }
  return told / truth - 1;
};

const ARTICLES: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../fixtures/udhr/articles.json', import.meta.url), 'utf8'),
);
/** Code and Markdown of this project as of one day. The weights were not fitted to it, and edits do not change it. */
const SOURCES = { TypeScript: 'typescript.txt', Markdown: 'markdown.md' };

/** Pieces of 110 words each, as they stand in the file. */
function textsOf(kind: keyof typeof SOURCES): string[] {
  const file = new URL(`../fixtures/tokens/${SOURCES[kind]}`, import.meta.url);
  const words = readFileSync(file, 'utf8').match(/\S+\s*/g) ?? [];
  return Array.from({ length: Math.floor(words.length / 110) }, (_, i) =>
    words.slice(110 * i, 110 * (i + 1)).join(''),
  );
}

describe('estimateTokens', () => {
  it('is unbiased and tight over the languages', () => {
    const errors = Object.values(ARTICLES).flat().map(errorOf);
    expect(Math.abs(mean(errors))).toBeLessThan(0.03);
    expect(errors.filter((error) => Math.abs(error) <= 0.12).length / errors.length).toBeGreaterThan(0.95);
  });

  it.each(Object.keys(SOURCES) as (keyof typeof SOURCES)[])('is unbiased and tight in %s', (kind) => {
    const texts = textsOf(kind);
    const errors = texts.map(errorOf);
    expect(texts.length).toBeGreaterThan(50);
    expect(Math.abs(mean(errors))).toBeLessThan(0.03);
    expect(errors.filter((error) => Math.abs(error) <= 0.08).length / errors.length).toBeGreaterThan(0.95);
    for (let at = 0; at + 20 <= texts.length; at += 20)
      expect(sumError(texts.slice(at, at + 20))).toBeGreaterThan(kind === 'Markdown' ? -0.05 : -0.03);
  });

  it('counts what tokenizers do not merge as they do', () => {
    // Digits by three, a space with the word behind it, the line breaks with the symbol before them.
    expect(['', '1234567', 'the', ' the', '\n'].map(estimateTokens)).toEqual([0, 3, 1, 1, 1]);
    // Contractions, camel case, spaces before a line break, slashes after one.
    const texts = [" don't", 'getElementById', '    \n', 'let a;\n// b', '\u00a0\u00a0', '。\n'];
    expect(texts.map(estimateTokens)).toEqual(texts.map(trueCount));
  });

  it('counts control characters, which tokenizers do not merge', () => {
    for (const code of [0x01, 0x07, 0x0e, 0x1b, 0x7f, 0x80])
      for (const length of [1, 8, 40, 200])
        expect([code, errorOf(String.fromCharCode(code).repeat(length))]).toEqual([
          code,
          expect.toSatisfy((error) => error > -0.3),
        ]);
  });

  it('is a whole number, from 1 to the UTF-8 bytes of a text that is not empty, the same every time', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...' \n\t\r\ud83d\udc00aA1-.中é'), minLength: 1, maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const estimate = estimateTokens(text);
        expect(Number.isSafeInteger(estimate)).toBe(true);
        expect(estimate).toBeGreaterThanOrEqual(1);
        expect(estimate).toBeLessThanOrEqual(Buffer.byteLength(text));
        expect(estimateTokens(text)).toBe(estimate);
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it('of texts one after the other is about the sum of theirs', () => {
    const texts = Object.values(ARTICLES).flat();
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.constantFrom(...texts), (one, other) => {
        const sum = estimateTokens(one) + estimateTokens(other);
        const both = estimateTokens(`${one}\n\n${other}`);
        expect(Math.abs(both / sum - 1)).toBeLessThan(0.1);
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it.each(['a', ' ', '中', '-', 'aB', "a'", '\n/', '1', '\ud800'])(
    'grows in proportion on a long run of %j',
    (unit) => {
      const short = estimateTokens(unit.repeat(1000));
      const long = estimateTokens(unit.repeat(100_000));
      expect(long).toBeGreaterThan(90 * short);
      expect(long).toBeLessThan(110 * short + 100);
    },
  );
});
