import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { lazyRegExp } from '../runtime/lazily.js';
import { onDemand } from '../runtime/on-demand.js';
import { importOptional } from '../runtime/optional-package.js';
import { byPieces, byTexts } from './token-pieces.js';
import { type Encoding, loadVocabulary, type Vocabulary } from './vocabularies.js';

/**
 * Makes the counter that the option `tokenizer` names. The vocabulary of an exact encoding (1 to 2.4 MB) is loaded only if
 * it is used, and once per process. An exact encoding counts U+FEFF, the byte order mark, as more tokens than OpenAI's own
 * tokenizer does. Its count may be too high for more than 500 letters, symbols or white-space characters in a row.
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
      return (await loadReadyCounters()).readyTokenCounter(tokenizer);
  }
}

/** A page loads the weights of the estimate after its first paint. */
const loadReadyCounters = onDemand(() => import('./ready-counters.js'));

/** One counter of each encoding per process, so that all calls share the remembered counts. */
const loaded = new Map<string, TokenCounter>();

async function exact(name: Encoding): Promise<TokenCounter> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const vocabulary = await importOptional(
    () => loadVocabulary(name),
    'tokenizer',
    'npm install gpt-tokenizer. In a bundle, call gptTokenizer of context-shaping/gpt-tokenizer first',
  );
  return exactCounter(name, vocabulary);
}

/**
 * The counter of an encoding; from now on, the option `tokenizer` finds it by its name. It counts special tokens as text,
 * because documents may contain them. By default the library throws on them.
 */
export function exactCounter(encoding: Encoding, { countTokens, constants }: Vocabulary): TokenCounter {
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  const options = { disallowedSpecial: new Set<string>() };
  const counter = byTexts(
    byPieces(
      inSlices((piece) => countTokens(piece, options)),
      encoding === 'o200k_base' ? constants.O200K_TOKEN_SPLIT_REGEX : constants.CL100K_TOKEN_SPLIT_REGEX,
    ),
  );
  loaded.set(encoding, counter);
  return counter;
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

/** A counter that counts each text once, for the time of one call. */
export function countOnce(countTokens: TokenCounter): TokenCounter {
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text) ?? countTokens(text);
    counts.set(text, known);
    return known;
  };
}
