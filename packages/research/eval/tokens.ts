import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';

const asPlainText = { disallowedSpecial: new Set<string>() };

/** Longer texts are cuts of one result, each met once: to remember them would fill the memory. */
const LONGEST = 100_000;

/** Every text is counted once per run: the same passages are in many pools. */
function remembering(count: typeof cl100k): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text) ?? count(text, asPlainText);
    if (text.length <= LONGEST) counts.set(text, known);
    return known;
  };
}

/** Tokens of cl100k_base. */
export const countTokens = remembering(cl100k);
/** Tokens of o200k_base, which is made for more languages. */
export const countTokensO200k = remembering(o200k);
