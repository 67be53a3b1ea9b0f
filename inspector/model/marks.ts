/** Finds words in a text, to mark them. */
export interface Marked {
  text: string;
  isMarked: boolean;
}

/** Splits a text at each occurrence of a word, in any case. Letters and digits beside a word make it another word. */
export function splitAt(text: string, words: readonly string[]): Marked[] {
  const wanted = words.filter((word) => word.trim() !== '').toSorted((a, b) => b.length - a.length);
  if (wanted.length === 0) return [{ text, isMarked: false }];
  const pattern = wanted.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
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
