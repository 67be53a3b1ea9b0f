/**
 * Exact token counts in a bundle, where `tokenizer: 'o200k_base'` finds no package.
 *
 * @packageDocumentation
 */
import type { TokenCounter } from '../../src/index.js';
import { type Encoding, exactCounter } from '../../src/internal.js';

/**
 * Loads the exact counter of an encoding of OpenAI. Afterwards the option `tokenizer` finds it by its name as well: in a
 * replayed lockfile, for example. Bundlers find the vocabulary (1 to 2.4 MB) by this module, and put it into a file of its own.
 */
export async function gptTokenizer(encoding: Encoding): Promise<TokenCounter> {
  const { countTokens } = await (encoding === 'o200k_base'
    ? import('gpt-tokenizer/encoding/o200k_base')
    : import('gpt-tokenizer/encoding/cl100k_base'));
  const { default: ranks } = await (encoding === 'o200k_base'
    ? import('gpt-tokenizer/bpeRanks/o200k_base')
    : import('gpt-tokenizer/bpeRanks/cl100k_base'));
  const constants = await import('gpt-tokenizer/encodingParams/constants');
  return exactCounter(encoding, { countTokens, constants, ranks });
}
