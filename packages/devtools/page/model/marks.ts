/** Finds words in a text, to mark them. */
export interface Marked {
  text: string;
  isMarked: boolean;
}

/**
 * Splits a text at each occurrence of a word or of several words, in any case and with any white space between them.
 * Letters and digits beside a word make it another word.
 */
export function splitAt(text: string, words: readonly string[]): Marked[] {
  // A cut statement has dots at its ends.
  const bare = words.map((word) => word.replaceAll(/^[\s…]+|(?<![\s…])[\s…]+$/g, ''));
  const wanted = bare.filter((word) => word !== '').toSorted((a, b) => b.length - a.length);
  if (wanted.length === 0) return [{ text, isMarked: false }];
  const pattern = wanted
    .map((word) =>
      word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`),
    )
    .join('|');
  const each = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'giu');
  const parts: Marked[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(each)) {
    if (index > at) parts.push({ text: text.slice(at, index), isMarked: false });
    parts.push({ text: found, isMarked: true });
    at = index + found.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}
