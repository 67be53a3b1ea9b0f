/** The expected tokens are those of Hugging Face tokenizers 0.23. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bertTokenizer } from '../../../adapters/embeddings/static/tokenizer.js';
import { type TokenizerSource, tokenizerOf } from './static-model.js';

const VOCABULARY =
  "[PAD] [UNK] [CLS] un ##aff ##able ##a ##ffa a b new york city naive istanbul i ##s ##t οδοσ σ 大 桥 e mail - . , $ 's ' s x ##x cafe café # ##1 1 한 ᄒ ##ᅡ ##ᆫ й и ; = 😀 ##😀".split(
    ' ',
  );
const SPECIAL = [
  { content: '[UNK]', normalized: false },
  { content: '[CLS]', normalized: false },
];

function cutter(source: TokenizerSource = {}) {
  const added = source.added ?? SPECIAL;
  const tokens = [
    ...VOCABULARY,
    ...added.map(({ content }) => content).filter((content) => !VOCABULARY.includes(content)),
  ];
  const { ids } = bertTokenizer(tokenizerOf(VOCABULARY, { ...source, added }));
  return (text: string) => ids(text).map((id) => tokens[id]);
}

/** @param tokens separated by spaces. */
function expectCuts(source: TokenizerSource, cases: [text: string, tokens: string][]) {
  const cut = cutter(source);
  for (const [text, tokens] of cases) expect([text, cut(text).join(' ')]).toEqual([text, tokens]);
}

describe('cuts', () => {
  test('uncased', () => {
    expectCuts({}, [
      ['', ''],
      [' \n', ''],
      ['unaffable', 'un ##aff ##able'],
      ['UNAFFABLE!', 'un ##aff ##able'],
      ['una ffa', 'un ##a'],
      ['abx', ''],
      ['a\tb\nx', 'a b x'],
      ['a\u00a0b\u2003x\u3000a', 'a b x a'],
      ['a\u200bb a\u0000x \ufffda', 'a ##x a'],
      ['大桥a', '大 桥 a'],
      ['Café cafe\u0301', 'cafe cafe'],
      ['İstanbul', 'istanbul'],
      ['ΟΔΟΣ Σ', 'οδοσ σ'],
      ['e-mail, $1', 'e - mail , $ 1'],
      ['naïve', 'naive'],
      ["It's", "i ##t ' s"],
      ['한', 'ᄒ ##ᅡ ##ᆫ'],
      ['й И', 'и и'],
      ['\u037e ≠', '; ='],
      // Names of added tokens are plain text, which Hugging Face reads as the tokens.
      ['[CLS] a [UNK] b', 'a b'],
      ['[cls]', ''],
      ['😀 😀😀 x😀', '😀 😀 ##😀 x ##😀'],
      ['#1 ##1', '# 1 # # 1'],
    ]);
  });
  test('words that are too long are unknown, counted in characters', () => {
    expectCuts({ model: { max_input_chars_per_word: 4 } }, [
      ['xxxx xxxxx', 'x ##x ##x ##x'],
      ['😀😀😀😀', '😀 ##😀 ##😀 ##😀'],
      ['city naive', 'city'],
    ]);
  });
});

/** The algorithm of the papers, for text that needs no normalisation: always the longest piece. */
function naive(text: string): string[] {
  return text.split(' ').flatMap((word) => {
    const pieces: string[] = [];
    for (let rest = word; rest !== ''; ) {
      const prefix = pieces.length === 0 ? '' : '##';
      const known = VOCABULARY.filter(
        (token) => token.startsWith(prefix) && rest.startsWith(token.slice(prefix.length)),
      ).filter((token) => token.slice(prefix.length) !== '' && (prefix !== '' || !token.startsWith('##')));
      const longest = known.sort((a, b) => b.length - a.length)[0];
      if (longest === undefined) return [];
      pieces.push(longest);
      rest = rest.slice(longest.length - prefix.length);
    }
    return pieces;
  });
}

test('any words: as one would by hand, the second time (from the cache) as the first', () => {
  const cut = cutter();
  const word = fc.array(fc.constantFrom('un', 'aff', 'able', 'a', 'b', 'x', 's', 't', 'i', '1', 'q'), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.map((parts) => parts.join('')).join(' ');
      const expected = naive(text);
      expect(cut(text)).toEqual(expected);
      expect(cut(text)).toEqual(expected);
    }),
  );
});

test('any text: known tokens, and never the unknown', () => {
  const cut = cutter();
  const known = new Set(VOCABULARY.filter((token) => token !== '[UNK]'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(cut(text).filter((token) => !known.has(token as string))).toEqual([]);
    }),
  );
});

test.each([
  ['x', 0],
  ['.', 300_000],
  ['\u0301', 0],
  ['\u0301\u0316', 0],
  [' ', 0],
  ['大', 300_000],
  ['😀', 0],
  ['\ud83d', 0],
])('a very long text of %j alone', (character, tokens) => {
  expect(cutter()(character.repeat(300_000))).toHaveLength(tokens);
});
