import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GgufFile } from '../../../adapters/gguf/reader.js';
import { Tokenizer } from '../../../adapters/gguf/tokenizer.js';
import { scoreRequests, tinyModel } from '../logprobs/items.js';
import { ggufOf, inLetters, LETTERS, tokenizerOf, type Value } from './writer.js';

const FIRST_WORD = 258;
const tokenizer = (
  words: readonly string[] = [],
  merges?: readonly string[],
  over: Record<string, Value> = {},
) => new Tokenizer(new GgufFile(ggufOf({ ...tokenizerOf(words, merges), ...over }, {})));
const bytesOf = (text: string) => [...Buffer.from(text)];

describe('words', () => {
  // As llama.cpp cuts them for `llama-bpe`.
  test.each<[text: string, words: string[]]>([
    ['Hello world', ['Hello', ' world']],
    ["I'm sure they'LL say it's", ['I', "'m", ' sure', ' they', "'LL", ' say', ' it', "'s"]],
    ['in 1234567 days', ['in', ' ', '123', '456', '7', ' days']],
    ['a   b', ['a', '  ', ' b']],
    ['a  \n\n  b', ['a', '  \n\n', ' ', ' b']],
    ['ends  ', ['ends', '  ']],
    ['what?!\n\nyes', ['what', '?!\n\n', 'yes']],
    ['a.b (c) <|end|>', ['a', '.b', ' (', 'c', ')', ' <|', 'end', '|>']],
    ['Größe\u00a0und 大桥', ['Größe', '\u00a0und', ' 大桥']],
    ['x\u0085\u0085y\ufeffz', ['x', '\u0085', '\u0085y', '\ufeffz']],
  ])('%j', (text, words) => {
    const distinct = [...new Set(words.filter((word) => Buffer.byteLength(word) > 1))];
    const expected = words.map((word) => {
      const place = distinct.indexOf(word);
      return place === -1 ? bytesOf(word)[0] : FIRST_WORD + place;
    });
    expect(tokenizer(distinct).encode(text)).toEqual(expected);
  });

  test('one that the vocabulary has whole is one token, though no merge makes it', () => {
    expect(tokenizer(['hello', 'hel'], ['h e']).encode('hello')).toEqual([FIRST_WORD]);
  });

  test('what looks like a special token is text', () => {
    expect(tokenizer().encode('<|begin|><|end|>')).toEqual(bytesOf('<|begin|><|end|>'));
    const over = { 'tokenizer.ggml.tokens': [...LETTERS, 'begin', 'end'] };
    expect(tokenizer([], [], over).encode('end')).toEqual(bytesOf('end'));
  });
});

describe('merges', () => {
  const words = ['ab', 'bc', 'abc', 'aa', ' t', ' the'];
  const id = (word: string) => FIRST_WORD + words.indexOf(word);

  test('the one that was learned first comes first', () => {
    expect(tokenizer(words, ['a b', 'b c']).encode('xabcx')).toEqual([120, id('ab'), 99, 120]);
    expect(tokenizer(words, ['b c', 'a b']).encode('xabcx')).toEqual([120, 97, id('bc'), 120]);
    expect(tokenizer(words, ['b c', 'a bc']).encode('xabcx')).toEqual([120, id('abc'), 120]);
  });

  test('of equal ones the left comes first', () => {
    expect(tokenizer(words, ['a a']).encode('xaaax')).toEqual([120, id('aa'), 97, 120]);
  });

  test('what they make but the vocabulary lacks comes as bytes', () => {
    expect(tokenizer([], ['a b']).encode('xab')).toEqual([120, 97, 98]);
    expect(tokenizer([], ['\u0120 t']).encode(' tx')).toEqual([32, 116, 120]);
  });

  test('a space and what the bytes of other scripts look like are letters as well', () => {
    const [first, second] = inLetters('é');
    expect(tokenizer(['é'], [`${first} ${second}`]).encode('xéx')).toEqual([120, FIRST_WORD, 120]);
    expect(tokenizer(words, ['\u0120 t']).encode(' tx')).toEqual([id(' t'), 120]);
  });
});

describe('any text', () => {
  const tiny = new Tokenizer(new GgufFile(tinyModel()));

  test('comes back from its tokens', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.constantFrom(' ', '\n', "'s", 'The capital', ' of', '12', '\ufeff', 'é', '🙂'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(tiny.decode(tiny.encode(text))).toBe(text);
      }),
    );
  });

  test('half of a surrogate pair is U+FFFD', () => {
    expect(tiny.decode(tiny.encode('a\ud83db\ude42'))).toBe('a\ufffdb\ufffd');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })), (units) => {
        const text = String.fromCharCode(...units);
        expect(tiny.decode(tiny.encode(text))).toBe(Buffer.from(text).toString());
      }),
    );
  });

  test('of the questions is made of words that the vocabulary has', () => {
    for (const { prompt, continuation } of scoreRequests().slice(0, 45)) {
      const tokens = tiny.encode(prompt + continuation);
      expect(tiny.decode(tokens)).toBe(prompt + continuation);
      expect(tokens.slice(0, tiny.encode(prompt).length)).toEqual(tiny.encode(prompt));
      expect(tiny.encode(continuation)).toHaveLength(2);
    }
  });

  test('that is long and of one word is cut in a moment', () => {
    const text = 'ab'.repeat(50_000);
    expect(tokenizer(['ab', 'abab'], ['a b', 'ab ab']).encode(text)).toHaveLength(25_000);
    expect(tokenizer().encode(' '.repeat(100_000))).toHaveLength(100_000);
  });
});

test('special tokens add nothing to a text', () => {
  const { pieces, bos, eos } = tokenizer(['word']);
  expect([bos, eos]).toEqual([256, 257]);
  expect(pieces.map((piece) => piece.length)).toEqual([...LETTERS.map(() => 1), 0, 0, 4]);
  expect(tokenizer(['word']).decode([256, FIRST_WORD, 33, 257])).toBe('word!');
});

describe('refuses', () => {
  const letters = [...LETTERS, '<|begin|>', '<|end|>'];
  test.each<[what: string, over: Record<string, Value>, field: string, problem: RegExp]>([
    ['another model', { 'tokenizer.ggml.model': 'llama' }, 'model', /must be gpt2/],
    ['other words', { 'tokenizer.ggml.pre': 'qwen2' }, 'pre', /must be llama-bpe/],
    ['no tokens', { 'tokenizer.ggml.tokens': 3 }, 'tokens', /must be an array of strings/],
    ['no kinds', { 'tokenizer.ggml.token_type': [1] }, 'token_type', /must be an array of 258 numbers/],
    ['no merges', { 'tokenizer.ggml.merges': [1, 2] }, 'merges', /must be an array of strings/],
    ['no such token', { 'tokenizer.ggml.eos_token_id': 258 }, 'eos_token_id', /is not a token/],
    ['half a token', { 'tokenizer.ggml.bos_token_id': 1.5 }, 'bos_token_id', /must be a whole number/],
    [
      'a byte that is missing',
      { 'tokenizer.ggml.tokens': ['!!', ...letters.slice(1)] },
      'tokens',
      /must have a token for each byte/,
    ],
    [
      'letters that stand for nothing',
      { 'tokenizer.ggml.tokens': ['漢', ...letters.slice(1)] },
      'tokens[0]',
      /letters that do not encode a byte/,
    ],
    [
      'what users define',
      { 'tokenizer.ggml.token_type': [4, ...letters.slice(1).map(() => 1)] },
      'tokens[0]',
      /is defined by a user/,
    ],
  ])('%s', (_, over, field, problem) => {
    expect(() => tokenizer([], [], over)).toThrowError(
      expect.objectContaining({
        kind: 'invalid-input',
        field: `GGUF: tokenizer.ggml.${field}`,
        problem: expect.stringMatching(problem),
      }),
    );
  });
});
