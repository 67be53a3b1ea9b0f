import type { Tokenizer } from './engine.js';

/**
 * Makes texts plain: tokenizers read the name of a control token in a text as that token, so a passage could forge the
 * end of itself. A space after the first character breaks the name up.
 */
export function plainText({ all_special_tokens }: Tokenizer): (text: string) => string {
  const names = all_special_tokens.filter((name) => name.length > 1);
  if (names.length === 0) return (text) => text;
  // Longer names first, since a name can begin with another one.
  const pattern = names
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  const control = new RegExp(pattern, 'gu');
  return (text) => text.replace(control, (name) => `${name[0]} ${name.slice(1)}`);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
