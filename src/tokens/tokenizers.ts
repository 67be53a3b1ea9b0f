import { ContextShapingError } from '../errors.js';
import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { lazyRegExp } from '../runtime/lazily.js';
import { boundTokens } from './token-bound.js';
import { estimateTokens } from './token-estimate.js';
import { byPieces, byTexts } from './token-pieces.js';

/**
 * The counter that the `tokenizer` option asks for. The vocabulary of an exact encoding (1 to 2.4 MB) is
 * loaded only when it is asked for, and once per process. It counts U+FEFF, the byte order mark, as more
 * tokens than OpenAI's own tokenizer does, and errs high where more than 500 letters, symbols or white
 * spaces stand in a row.
 *
 * @returns a synchronous counter. Text that looks like a special token (`<|endoftext|>`) counts as text.
 *   One made of the caller's own function throws ContextShapingError `invalid-options` as soon as that
 *   function returns anything but a whole number from 0 up.
 */
export async function loadTokenCounter(tokenizer: ResolvedOptions['tokenizer']): Promise<TokenCounter> {
  switch (tokenizer) {
    // Literal specifiers, so that bundlers can see them and split each vocabulary off.
    case 'o200k_base':
      return exact(tokenizer, () => import('gpt-tokenizer/encoding/o200k_base'));
    case 'cl100k_base':
      return exact(tokenizer, () => import('gpt-tokenizer/encoding/cl100k_base'));
    default:
      return readyTokenCounter(tokenizer);
  }
}

const estimate = byTexts(estimateTokens);
const upperBound = byTexts(boundTokens);

type ReadyTokenizer = Exclude<ResolvedOptions['tokenizer'], 'o200k_base' | 'cl100k_base'>;

/** The same for the counters that need nothing loaded. */
export function readyTokenCounter(tokenizer: ReadyTokenizer): TokenCounter {
  switch (tokenizer) {
    case 'estimate':
      return estimate;
    case 'upper-bound':
      return upperBound;
    case 'characters/4':
      return quarterOfCharacters;
    default:
      return checked(tokenizer);
  }
}

/**
 * Four UTF-16 code units a token, rounded up: what many programs reckon with. Against the larger of the two exact
 * counts it is too low for 14 % of English Wikipedia passages (2,655), 41 % of source code and 78 % of Markdown, by up
 * to 57 %. A sentence of the Universal Declaration of Human Rights under o200k_base and cl100k_base: English +30 and
 * +30 %, Spanish +13 and −2, Polish −19 and −33, Vietnamese −8 and −45, Russian −2 and −46, Greek −31 and −72, Arabic
 * −34 and −67, Hebrew −36 and −75, Hindi −13 and −74, Thai −48 and −76, Chinese −70 and −79, Japanese −69 and −76,
 * Korean −57 and −74.
 */
const quarterOfCharacters: TokenCounter = (text) => Math.ceil(text.length / 4);

/** One of each per process, for what a counter has learnt serves all calls. */
const loaded = new Map<string, TokenCounter>();

async function exact(
  name: 'o200k_base' | 'cl100k_base',
  load: () => Promise<Encoding>,
): Promise<TokenCounter> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const patterns = await import('gpt-tokenizer/encodingParams/constants');
  const pattern =
    name === 'o200k_base' ? patterns.O200K_TOKEN_SPLIT_REGEX : patterns.CL100K_TOKEN_SPLIT_REGEX;
  const counter = asPlainText(await load(), pattern);
  loaded.set(name, counter);
  return counter;
}

interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
}

/** By default the library throws on special tokens: documents may well contain them, as text. */
function asPlainText(encoding: Encoding, pattern: RegExp): TokenCounter {
  const options = { disallowedSpecial: new Set<string>() };
  return byTexts(
    byPieces(
      inSlices((piece) => encoding.countTokens(piece, options)),
      pattern,
    ),
  );
}

const LONGEST_RUN = 512;
/** What the encodings merge within: letters, white space, or symbols. Digits they take three at a time. */
const RUN = lazyRegExp(
  ['[\\p{L}\\p{M}]', '\\s', '[^\\s\\p{L}\\p{N}]'].map((kind) => `${kind}{1,${LONGEST_RUN}}`).join('|'),
  'gu',
);

/**
 * The library takes a time that grows with the square of a piece: half a minute for 100,000 letters. Cuts
 * each run that is longer than any in ordinary texts. Merges across a cut are lost, so the sum is rather too
 * high; a cut can also spare one token, since merging is greedy, so each is charged one.
 */
function inSlices(count: TokenCounter): TokenCounter {
  return (text) => {
    if (text.length < LONGEST_RUN) return count(text);
    let tokens = 0;
    let start = 0;
    for (const { 0: run, index } of text.matchAll(RUN())) {
      const end = index + run.length;
      if (run.length < LONGEST_RUN || end === text.length) continue;
      tokens += count(text.slice(start, end)) + 1;
      start = end;
    }
    return tokens + count(text.slice(start));
  };
}

function checked(count: TokenCounter): TokenCounter {
  return (text) => {
    const tokens: unknown = count(text);
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
    // Nobody waits for a promise that is refused here. Left alone, its rejection would end the process.
    if (tokens instanceof Promise) tokens.catch(() => {});
    throw new ContextShapingError('invalid-options', {
      field: 'tokenizer',
      value: tokens,
      is: 'must return a whole number of tokens, at least 0',
      remedy: 'Give a synchronous function that counts the tokens of a text; load what it needs beforehand.',
    });
  };
}
