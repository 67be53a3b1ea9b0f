import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { importOptional } from '../runtime/optional-package.js';
import { mergeCounter } from './merges.js';
import { readyTokenCounter } from './ready-counters.js';
import { byPieces, byTexts } from './token-pieces.js';
import { type Encoding, loadVocabulary, type Vocabulary } from './vocabularies.js';

/**
 * Makes the counter that the option `tokenizer` names. The vocabulary of an exact encoding (1 to 2.4 MB) is loaded only if
 * it is used, and once per process. An exact encoding counts U+FEFF, the byte order mark, as more tokens than OpenAI's own
 * tokenizer does.
 *
 * @throws ContextShapingError `missing-dependency`, for an exact encoding without the package `gpt-tokenizer`.
 * @returns a synchronous counter. Text that looks like a special token (`<|endoftext|>`) counts as text. A counter made
 *   from the caller's own function throws ContextShapingError `invalid-options` as soon as that function returns anything
 *   but a whole number, at least 0.
 */
export async function loadTokenCounter(tokenizer: ResolvedOptions['tokenizer']): Promise<TokenCounter> {
  switch (tokenizer) {
    case 'o200k_base':
    case 'cl100k_base':
      return exact(tokenizer);
    default:
      return readyTokenCounter(tokenizer);
  }
}

/** One counter of each encoding per process, so that all calls share the remembered counts. */
const loaded = new Map<string, TokenCounter>();

async function exact(name: Encoding): Promise<TokenCounter> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const vocabulary = await importOptional(
    () => loadVocabulary(name),
    'tokenizer',
    'npm install gpt-tokenizer. In a bundle, set tokenizer to its countTokens',
  );
  return exactCounter(name, vocabulary);
}

/**
 * The counter of an encoding; from now on, the option `tokenizer` finds it by its name. It counts special tokens as text,
 * because documents may contain them. By default the library throws on them.
 */
export function exactCounter(
  encoding: Encoding,
  { countTokens, constants, ranks }: Vocabulary,
): TokenCounter {
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  const options = { disallowedSpecial: new Set<string>() };
  const merged = mergeCounter(ranks);
  const counter = byTexts(
    byPieces(
      (piece) => (piece.length < LONGEST_PIECE ? countTokens(piece, options) : merged(piece)),
      encoding === 'o200k_base' ? constants.O200K_TOKEN_SPLIT_REGEX : constants.CL100K_TOKEN_SPLIT_REGEX,
    ),
  );
  loaded.set(encoding, counter);
  return counter;
}

/** The library takes longer for each character of a long piece: half a minute for 100,000 letters in a row. */
const LONGEST_PIECE = 512;

/** A counter that counts each text once, for the time of one call. */
export function countOnce(countTokens: TokenCounter): TokenCounter {
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text) ?? countTokens(text);
    counts.set(text, known);
    return known;
  };
}
