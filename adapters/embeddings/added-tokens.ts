import type { TokenizerFile } from './tokenizer-file.js';

/**
 * What cuts added tokens out of a text, wherever they stand: the leftmost first, at one place the longest.
 *
 * @returns from a text to its parts in order: ids of added tokens, and the texts between them.
 */
export function addedTokenCutter(
  tokens: TokenizerFile['added_tokens'],
): (text: string) => (string | number)[] {
  const ids = new Map(tokens.map(({ content, id }) => [content, id]));
  ids.delete('');
  if (ids.size === 0) return (text) => [text];
  const alternatives = [...ids.keys()]
    .sort((a, b) => b.length - a.length)
    .map((content) => content.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(${alternatives.join('|')})`, 'u');
  // Splitting by a group leaves what it matched at the odd places.
  return (text) => text.split(pattern).map((part, at) => (at % 2 === 1 ? (ids.get(part) as number) : part));
}
