/** Finds the name that a reader may have meant by one that does not exist. */

const MOST_SHOWN = 3;

/**
 * The known names that are most like `wrong`, at most three. They are paths such as `budget.maxTokens`. A name that is right
 * in another group comes first, then names in the same group, then names of other groups.
 *
 * @param group path of the group in which `wrong` was written; '' for the options themselves.
 */
export function namesLike(wrong: string, group: string, known: readonly string[]): string[] {
  const same = known.filter((path) => last(path) === wrong);
  if (same.length > 0) return same;
  const inGroup = known.filter((path) => groupOf(path) === group);
  const near = nearest(wrong, inGroup, aThird, last);
  return near.length > 0 ? near : nearest(wrong, known, (length) => Math.floor(length / 5), last);
}

/** The words with the fewest differences from `wrong`, of those with at most as many as its length allows. */
export function nearest(
  wrong: string,
  words: readonly string[],
  allowed: (length: number) => number = aThird,
  nameOf: (word: string) => string = (word) => word,
): string[] {
  const sought = plain(wrong);
  const far = words.map((word) => distance(sought, plain(nameOf(word))));
  const least = Math.min(allowed(sought.length), ...far);
  return words.filter((_, at) => far[at] === least).slice(0, MOST_SHOWN);
}

const aThird = (length: number) => Math.floor((length + 1) / 3);

export const groupOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')));
export const last = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const plain = (name: string) => name.toLowerCase().replace(/[-_\s]/g, '');

/**
 * The number of letters to insert, delete or replace, and of neighbours to exchange, that make one word of the other.
 *
 * Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors", 1964.
 */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const [above, before] = [rows[i - 1] as number[], rows[i - 2]];
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = cost === 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + cost,
        isSwap ? (before?.[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) as number;
}
