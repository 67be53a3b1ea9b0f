import type { TokenCounter } from '../../../src/index.js';
import { type ContractCheck, hold, same, suite } from './checks.js';

const TEXTS = [
  '',
  ' ',
  'word',
  'The bridge was opened to traffic on 4 May 1932.',
  '大桥于一九三二年五月开放通车 🙂👩‍👩‍👧‍👦',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  '<|endoftext|> <|im_start|>',
  'a\ud800b\udc00',
  '\u0000\n\t\r',
  'word '.repeat(5000),
  'x'.repeat(20_000),
];

/** The requirements for every token counter. */
export function tokenCounterContract(countTokens: TokenCounter): ContractCheck[] {
  return suite(() => countTokens, {
    'gives a whole number of at least 0 for any text': (count) => {
      for (const text of TEXTS) {
        const tokens = count(text);
        hold(
          Number.isInteger(tokens) && tokens >= 0,
          `${tokens} tokens for ${JSON.stringify(text.slice(0, 40))}`,
        );
      }
    },
    'gives the same for the same text, in any order': (count) => {
      const forwards = TEXTS.map(count);
      same(TEXTS.toReversed().map(count).reverse(), forwards, 'numbers of tokens');
    },
    'gives words a price': (count) => {
      hold(count('word '.repeat(5000)) > count('word'), 'five thousand words must cost more than one');
    },
  });
}
