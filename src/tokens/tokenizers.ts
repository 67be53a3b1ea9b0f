import { ContextShapingError } from '../errors.js';
import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { lazyRegExp } from '../runtime/lazily.js';
import { boundTokens } from './token-bound.js';
import { estimateTokens } from './token-estimate.js';
import { byPieces, byTexts } from './token-pieces.js';

/**
 * Loads the counter that the option `tokenizer` names. The vocabulary of an exact encoding (1 to 2.4 MB) is loaded only if
 * it is used, and once per process. An exact encoding counts U+FEFF, the byte order mark, as more tokens than OpenAI's own
 * tokenizer does. Its count may be too high for more than 500 letters, symbols or white-space characters in a row.
 *
 * @returns a synchronous counter. Text that looks like a special token (`<|endoftext|>`) counts as text. A counter made
 *   from the caller's own function throws ContextShapingError `invalid-options` as soon as that function returns anything
 *   but a whole number, at least 0.
 */
export async function loadTokenCounter(tokenizer: ResolvedOptions['tokenizer']): Promise<TokenCounter> {
  switch (tokenizer) {
    // The specifiers are literals, so that bundlers find them and put each vocabulary into its own chunk.
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

/** Returns a counter that needs no loading. */
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
 * Counts one token per four UTF-16 code units, rounded up, as many programs do. Compared with the larger of the two exact
 * counts, it is too low for 14 % of English Wikipedia passages (2,655), 41 % of source code and 78 % of Markdown, by up
 * to 57 %. Its error for a sentence of the Universal Declaration of Human Rights, under o200k_base and cl100k_base:
 * English +30 and +30 %, Spanish +13 and −2, Polish −19 and −33, Vietnamese −8 and −45, Russian −2 and −46, Greek −31 and
 * −72, Arabic −34 and −67, Hebrew −36 and −75, Hindi −13 and −74, Thai −48 and −76, Chinese −70 and −79, Japanese −69 and
 * −76, Korean −57 and −74.
 */
const quarterOfCharacters: TokenCounter = (text) => Math.ceil(text.length / 4);

/** One counter of each encoding per process, so that all calls share the remembered counts. */
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

/** Counts special tokens as text, because documents may contain them. By default the library throws on them. */
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
/** Runs within which the encodings merge: letters, white space, or symbols. They split digits into groups of three. */
const RUN = lazyRegExp(
  ['[\\p{L}\\p{M}]', '\\s', '[^\\s\\p{L}\\p{N}]'].map((kind) => `${kind}{1,${LONGEST_RUN}}`).join('|'),
  'gu',
);

/**
 * Creates a counter that cuts very long runs, which do not occur in ordinary texts. The time of the library grows with the
 * square of a piece: half a minute for 100,000 letters. Merges across a cut are lost, so the sum is usually too high.
 * Since merging is greedy, a cut can also save one token, so each cut adds one.
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
    // A promise is refused here and never awaited. Without a handler, its rejection would end the process.
    if (tokens instanceof Promise) tokens.catch(() => {});
    throw new ContextShapingError('invalid-options', {
      field: 'tokenizer',
      value: tokens,
      is: 'must return a whole number of tokens, at least 0',
      remedy: 'Give a synchronous function that counts the tokens of a text; load what it needs beforehand.',
    });
  };
}

/** A counter that counts each text once, for the time of one call. */
export function countOnce(countTokens: TokenCounter): TokenCounter {
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text) ?? countTokens(text);
    counts.set(text, known);
    return known;
  };
}
