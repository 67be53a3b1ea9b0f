/**
 * Shannon entropy of a sequence of symbols, in bits per symbol, estimated from their frequencies:
 *
 *   H = − Σ_s p(s) log2 p(s),   p(s) = occurrences of s / number of symbols
 *
 * Source: C. E. Shannon, "A Mathematical Theory of Communication", Bell System Technical Journal 27, 1948.
 */

/** Bits at which characters and words count as fully varied: 64 equally frequent characters, 256 words. */
const CHARACTER_CEILING = 6;
const TOKEN_CEILING = 8;
const TOKEN_SHARE = 0.6;

/** @returns bits per symbol, at least 0; 0 for none, and for one symbol however often repeated. */
export function shannonEntropy(symbols: Iterable<string>): number {
  const counts = new Map<string, number>();
  let total = 0;
  for (const symbol of symbols) {
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    total++;
  }
  let sum = 0;
  for (const count of counts.values()) sum += count * Math.log2(count);
  return total === 0 ? 0 : Math.max(0, Math.log2(total) - sum / total);
}

/**
 * One figure from both entropies, 0..1: 60 % tokens, 40 % characters, each as a share of its ceiling.
 * Low for empty, short and repetitive texts. It says how varied a text is, not how useful: as a ranker
 * it does worse than chance.
 */
export function blendEntropy(character: number, token: number): number {
  return (
    TOKEN_SHARE * Math.min(1, token / TOKEN_CEILING) +
    (1 - TOKEN_SHARE) * Math.min(1, character / CHARACTER_CEILING)
  );
}
