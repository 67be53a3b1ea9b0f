/**
 * Numbers that look random and are the same for a seed on every machine.
 *
 * Sources: C. Doty-Humphrey, sfc32 of PractRand, 2010 (public domain; smaller generators have been seen to skew
 * intervals); R. Durstenfeld, "Algorithm 235: Random permutation", 1964.
 */

/** @returns a function that draws from 0 (included) to 1 (excluded). */
export function seededRandom(seed: number): () => number {
  let [a, b, c, counter] = [0, seed | 0, 0, 1];
  const draw = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first draws of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 15; skipped++) draw();
  return draw;
}

/** A copy in random order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}
