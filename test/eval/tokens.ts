import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';

const asPlainText = { disallowedSpecial: new Set<string>() };
const counts = new Map<string, number>();

/** Tokens of cl100k_base. Every text is counted once per run: the same passages are in many pools. */
export function countTokens(text: string): number {
  const count = counts.get(text) ?? cl100k(text, asPlainText);
  counts.set(text, count);
  return count;
}
