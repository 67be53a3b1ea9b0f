/** The forms in which texts are compared, and parts of texts. */
/** Lower case, and one space for any white space. */
export const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** The places at which a text may be cut: white space, and between the characters of scripts without it. */
const ENDS = /\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/gu;

/**
 * The longest beginning of a text, or its longest end, that has at most so many tokens. Cut between words; empty if no word
 * fits.
 */
export function within(
  text: string,
  maxTokens: number,
  countTokens: (text: string) => number,
  side: 'beginning' | 'end',
): string {
  if (countTokens(text) <= maxTokens) return text;
  const cuts = Array.from(text.matchAll(ENDS), ({ index, 0: { length } }) =>
    side === 'beginning' ? text.slice(0, index) : text.slice(index + length),
  );
  if (side === 'end') cuts.reverse();
  let [fits, tooLong] = [-1, cuts.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (countTokens(cuts[middle] as string) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return cuts[fits] ?? '';
}
