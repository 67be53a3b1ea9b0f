/**
 * WordPiece: splits a word from left to right into the longest pieces of the vocabulary. A word that cannot be split
 * this way, or is too long, is the unknown token.
 *
 * Source: Y. Wu et al., "Google's Neural Machine Translation System", 2016; J. Devlin et al., "BERT", 2019.
 */
import type { TokenizerFile } from './tokenizer-file.js';

type Options = Omit<TokenizerFile['model'], 'vocab'>;

/** @returns a function from a word to the ids of its pieces, or the id of `unk_token`. */
export function wordPiece(
  vocabulary: ReadonlyMap<string, number>,
  options: Options,
): (word: string) => number[] {
  const { unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: most } = options;
  const unknown = [vocabulary.get(unk_token) as number];
  const continuing = new Map<string, number>();
  let longest = 0;
  for (const [token, id] of vocabulary) {
    longest = Math.max(longest, token.length);
    if (token.startsWith(prefix)) continuing.set(token.slice(prefix.length), id);
  }
  return (word) => {
    if (word.length > most && characters(word) > most) return unknown;
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? vocabulary : continuing;
      let end = Math.min(word.length, start + longest);
      while (end > start && !known.has(word.slice(start, end))) end -= 1;
      if (end === start) return unknown;
      ids.push(known.get(word.slice(start, end)) as number);
      start = end;
    }
    return ids;
  };
}

/** The number of characters (code points) of a text. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
