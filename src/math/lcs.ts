/**
 * Returns the places of a longest common subsequence of two rows of numbers, in order. Equal ends are not searched.
 *
 * Source: D. S. Hirschberg, "A linear space algorithm for computing maximal common subsequences", 1975, for the recurrence.
 */
export function lcs(one: ArrayLike<number>, other: ArrayLike<number>): [left: number, right: number][] {
  const found: [number, number][] = [];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start])
    found.push([start, start++]);
  let [end, otherEnd] = [one.length, other.length];
  while (end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]) {
    end--;
    otherEnd--;
  }
  const width = otherEnd - start + 1;
  /** By pair of places: the length for the rest of both rows. */
  const lengths = new Uint16Array((end - start + 1) * width);
  const at = (left: number, right: number) => (left - start) * width + right - start;
  for (let left = end - 1; left >= start; left--) {
    for (let right = otherEnd - 1; right >= start; right--) {
      lengths[at(left, right)] =
        one[left] === other[right]
          ? (lengths[at(left + 1, right + 1)] as number) + 1
          : Math.max(lengths[at(left + 1, right)] as number, lengths[at(left, right + 1)] as number);
    }
  }
  for (let [left, right] = [start, start]; left < end && right < otherEnd; ) {
    if (one[left] === other[right]) found.push([left++, right++]);
    else if ((lengths[at(left + 1, right)] as number) >= (lengths[at(left, right + 1)] as number)) left++;
    else right++;
  }
  for (let left = end, right = otherEnd; left < one.length; ) found.push([left++, right++]);
  return found;
}
