import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { importOptional } from '../runtime/optional-package.js';
import { readyTokenCounter } from './ready-counters.js';
import { byPieces, byTexts } from './token-pieces.js';

type Encoding = 'o200k_base' | 'cl100k_base';

/** The vocabularies of the exact encodings, 1 to 2.4 MB each: the optional package `gpt-tokenizer`. */
interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  /** The expressions that split a text into the pieces within which an encoding merges. */
  constants: Record<'O200K_TOKEN_SPLIT_REGEX' | 'CL100K_TOKEN_SPLIT_REGEX', RegExp>;
}

/**
 * Makes the counter that the option `tokenizer` names. The vocabulary of an exact encoding is loaded only if it is used, and
 * once per process. An exact encoding counts U+FEFF, the byte order mark, as more tokens than OpenAI's own tokenizer does, and
 * at most one more for each 512 characters without a space or a sign between them.
 *
 * @throws ContextShapingError `missing-dependency`, for an exact encoding without the package `gpt-tokenizer`.
 * @returns a synchronous counter. Text that looks like a special token (`<|endoftext|>`) counts as text. A counter made
 *   from the caller's own function throws ContextShapingError `invalid-options` as soon as that function returns anything
 *   but a whole number, at least 0.
 */
export async function loadTokenCounter(tokenizer: ResolvedOptions['tokenizer']): Promise<TokenCounter> {
  if (tokenizer !== 'o200k_base' && tokenizer !== 'cl100k_base') return readyTokenCounter(tokenizer);
  const known = loaded.get(tokenizer);
  if (known !== undefined) return known;
  const vocabulary = await importOptional(
    () => loadVocabulary(tokenizer),
    'tokenizer',
    'npm install gpt-tokenizer. In a bundle, set tokenizer to its countTokens',
  );
  return exactCounter(tokenizer, vocabulary);
}

/** The names are computed, so that bundlers, whose users may not have the package, do not look for it. */
async function loadVocabulary(encoding: Encoding): Promise<Vocabulary> {
  const load = (file: string) =>
    import(/* webpackIgnore: true */ /* @vite-ignore */ `gpt-tokenizer/${file}`) as Promise<unknown>;
  const { countTokens } = (await load(`encoding/${encoding}`)) as Vocabulary;
  return { countTokens, constants: (await load('encodingParams/constants')) as Vocabulary['constants'] };
}

/** One counter of each encoding per process, so that all calls share the remembered counts. */
const loaded = new Map<string, TokenCounter>();

/**
 * The counter of an encoding; from now on, the option `tokenizer` finds it by its name. It counts special tokens as text,
 * because documents may contain them. By default the library throws on them.
 */
export function exactCounter(encoding: Encoding, { countTokens, constants }: Vocabulary): TokenCounter {
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  const options = { disallowedSpecial: new Set<string>() };
  const pattern =
    encoding === 'o200k_base' ? constants.O200K_TOKEN_SPLIT_REGEX : constants.CL100K_TOKEN_SPLIT_REGEX;
  const counter = byTexts(byPieces((piece) => countTokens(piece, options), pattern));
  loaded.set(encoding, counter);
  return counter;
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
