/**
 * One spelling for texts that a reader would call the same: compatibility forms unified (Unicode NFKC),
 * case folded, punctuation and space reduced to single spaces.
 *
 * What carries meaning stays: symbols (`C++`, `a < b`, `$5`), `#` and `%`, a minus sign or a `!` in front
 * of what it negates, marks inside numbers (`1.5` is not `15`), raised digits (`10²` is not `102`).
 * A text of punctuation alone stays as it is, trimmed.
 *
 * Source: Unicode Standard Annex #15 (normalisation forms) and section 3.13 (default case folding).
 */
export function normalise(text: string): string {
  const plain = fold(text.replace(/\p{No}/gu, markRaised))
    .replace(MEANINGLESS, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return plain === '' ? text.trim() : plain;
}

/** Compatibility folding makes a plain digit of a raised one; the mark in front tells them apart. */
const markRaised = (character: string) =>
  character.normalize('NFKC') === character ? character : ` ^${character}`;

const INSIDE_NUMBER = '(?<=\\p{N})[.,:/](?=\\p{N})';
const NEGATING = '(?<![\\p{L}\\p{N}])[-\u2212](?=\\p{N})|!(?=[\\p{L}_(])';
const MEANINGLESS = new RegExp(`(?!${INSIDE_NUMBER}|${NEGATING})[^\\p{L}\\p{M}\\p{N}\\p{S}#%_]`, 'gu');

/**
 * Case and compatibility folding alone, punctuation and space untouched. Lower-casing after upper-casing
 * is the closest JavaScript has to full case folding: it sends ß, ẞ and SS to one form.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
