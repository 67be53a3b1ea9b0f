import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { ContextShapingError } from '../../src/errors.js';
import type { TokenCounter } from '../../src/ports.js';
import { estimateTokens } from '../../src/tokens/token-estimate.js';
import { loadTokenCounter } from '../../src/tokens/tokenizers.js';
import { cpuMilliseconds } from '../time.js';

const SPECIAL = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|im_sep|>',
  '<|fim_prefix|>',
  '<|fim_middle|>',
  '<|fim_suffix|>',
  '<|endofprompt|>',
];

async function failureOf(returned: unknown): Promise<unknown> {
  const count = await loadTokenCounter((() => returned) as unknown as TokenCounter);
  try {
    count('text');
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('loadTokenCounter', () => {
  it('gives the estimate', async () => {
    const count = await loadTokenCounter('estimate');
    const text = 'Die Brücke ist 1,280 m lang.';
    expect([count(text), count(text)]).toEqual([estimateTokens(text), estimateTokens(text)]);
  });

  it('reckons with four characters a token, far too low outside English', async () => {
    const count = await loadTokenCounter('characters/4');
    expect(['', 'a', 'four', 'fives'].map(count)).toEqual([0, 1, 1, 2]);
    const chinese = '人人生而自由，在尊严和权利上一律平等。';
    expect(count(chinese)).toBeLessThan(0.5 * o200k(chinese));
  });

  it.each([
    ['o200k_base', 'Hello, world! Привет, мир! 你好,世界!', 14],
    ['cl100k_base', 'Hello, world! Привет, мир! 你好,世界!', 19],
  ] as const)('counts exactly under %s', async (encoding, text, tokens) => {
    const count = await loadTokenCounter(encoding);
    expect(count(text)).toBe(tokens);
    expect(count('')).toBe(0);
  });

  it.each(['estimate', 'o200k_base', 'cl100k_base'] as const)(
    'counts special tokens as text under %s',
    async (tokenizer) => {
      const count = await loadTokenCounter(tokenizer);
      for (const token of SPECIAL) {
        expect(count(token)).toBeGreaterThan(1);
        expect(count(`Say ${token} twice: ${token}`)).toBeGreaterThan(2 * count(token));
      }
    },
  );

  it.each(['o200k_base', 'cl100k_base'] as const)(
    'counts lone surrogates and control characters under %s',
    async (encoding) => {
      const count = await loadTokenCounter(encoding);
      expect(count('\ud800')).toBeGreaterThan(0);
      expect(count('\u0000\u001b')).toBe(2);
    },
  );

  describe.each([
    ['o200k_base', o200k],
    ['cl100k_base', cl100k],
  ] as const)('long runs under %s', (encoding, exactly) => {
    it.each(['的一是不了', 'etaoins', '=-*#/', '𝒜😀ÿ', 'e\u0301\u20dd', '\ud83d\ude00\ud83d'])(
      'of %s have at most one token more for each 512 characters',
      async (characters) => {
        const count = await loadTokenCounter(encoding);
        for (const times of [99, 200, 401]) {
          const text = characters.repeat(times);
          const more = count(text) - exactly(text);
          expect(more).toBeGreaterThanOrEqual(text.length > 512 ? -1 : 0);
          expect(more).toBeLessThanOrEqual(Math.floor(text.length / 512));
        }
      },
    );

    it('take no more time than others', async () => {
      const count = await loadTokenCounter(encoding);
      for (const character of ['的一是不了', 'a', '=', ' ', '\n', '😀', 'é', '\u0301']) {
        const text = character.repeat(100_000 / character.length);
        const read = () => expect(count(text)).toBeGreaterThan(0);
        expect(await cpuMilliseconds(read)).toBeLessThan(3000);
      }
    });

    it('are counted exactly in ordinary texts, however long', async () => {
      const count = await loadTokenCounter(encoding);
      const text = 'Hello, world! https://example.org/a?b=c Привет, мир! 你好,世界!\n\n----------\n'.repeat(
        50,
      );
      expect(count(text)).toBe(exactly(text));
    });
  });

  it.each([
    ['o200k_base', o200k],
    ['cl100k_base', cl100k],
  ] as const)('counts any text as the encoding itself does under %s', async (encoding, exactly) => {
    const count = await loadTokenCounter(encoding);
    const part = fc.oneof(
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\t',
        " I'm ",
        "WE'LL",
        'iPhone',
        '1234567',
        '…',
        ' — ',
        '“it’s”',
        'ǅ',
        'ñ',
        '२३',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary-ascii', maxLength: 8 }),
      fc.stringMatching(/^[A-Za-z]{1,9}$/),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        expect(count(text)).toBe(exactly(text, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 2000, seed: 8 },
    );
  });

  it('counts the same when it has met more pieces than it remembers', async () => {
    const count = await loadTokenCounter('cl100k_base');
    const before = count('numbers and letters');
    for (let i = 0; i < 60_000; i++)
      count(`w${i.toString(26).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] as string)}`);
    expect(count('numbers and letters')).toBe(before);
  });

  it('hands the text to a function and returns what it returns', async () => {
    const count = await loadTokenCounter((text) => text.length);
    expect(count('four')).toBe(4);
    expect(count('')).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, 2 ** 60, '7', 7n, null, undefined])(
    'rejects a function that returns %s',
    async (returned) => {
      expect(await failureOf(returned)).toMatchObject({
        kind: 'invalid-options',
        field: 'tokenizer',
        value: returned,
      });
    },
  );

  it('rejects an asynchronous function, and says that it must be synchronous', async () => {
    const error = await failureOf(Promise.resolve(3));
    expect(ContextShapingError.isInstance(error)).toBe(true);
    expect((error as ContextShapingError).message).toBe(
      'tokenizer must return a whole number of tokens, at least 0 (got Promise). Give a synchronous function that counts the tokens of a text; load its data beforehand.',
    );
  });

  it('leaves no rejection of an asynchronous function alone, which would end the process', async () => {
    const rejections: unknown[] = [];
    const note = (error: unknown) => void rejections.push(error);
    process.on('unhandledRejection', note);
    await failureOf(Promise.reject(new Error('mine')));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it('lets an error of the function itself through', async () => {
    const count = await loadTokenCounter(() => {
      throw new TypeError('mine');
    });
    expect(() => count('text')).toThrow(new TypeError('mine'));
  });
});
