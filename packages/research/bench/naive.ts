/** The stages as one writes them in an afternoon: plain loops over plain arrays, everything computed each time. */

export function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0;
  let squaresOfA = 0;
  let squaresOfB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    product += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  return product / Math.sqrt(squaresOfA * squaresOfB);
}

export function cosineMatrix(vectors: readonly (readonly number[])[]): number[][] {
  return vectors.map((a) => vectors.map((b) => cosine(a, b)));
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** @returns the texts that stay. */
export function exactDedup(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = words(text).join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Each against all that stay, by cosine. @returns places that stay. */
export function semanticDedup(vectors: readonly (readonly number[])[], maxDistance: number): number[] {
  const kept: number[] = [];
  for (const [place, vector] of vectors.entries()) {
    if (kept.every((other) => 1 - cosine(vector, vectors[other] as number[]) > maxDistance)) kept.push(place);
  }
  return kept;
}

/** The same by the words they share (Jaccard). */
export function lexicalDedup(texts: readonly string[], maxDistance: number): number[] {
  const sets = texts.map((text) => new Set(words(text)));
  const distance = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
    let shared = 0;
    for (const word of a) if (b.has(word)) shared++;
    return 1 - shared / (a.size + b.size - shared);
  };
  const kept: number[] = [];
  for (const [place, set] of sets.entries()) {
    if (kept.every((other) => distance(set, sets[other] as Set<string>) > maxDistance)) kept.push(place);
  }
  return kept;
}

/** Each pick compares every candidate with every pick so far. @returns places, in the order of picks. */
export function maximalMarginalRelevance(
  query: readonly number[],
  vectors: readonly (readonly number[])[],
  lambda: number,
  k: number,
): number[] {
  const picks: number[] = [];
  while (picks.length < Math.min(k, vectors.length)) {
    let best = -1;
    let most = -Infinity;
    for (const [place, vector] of vectors.entries()) {
      if (picks.includes(place)) continue;
      let nearest = picks.length === 0 ? 0 : -1;
      for (const pick of picks) nearest = Math.max(nearest, cosine(vector, vectors[pick] as number[]));
      const value = lambda * cosine(query, vector) - (1 - lambda) * nearest;
      if (value > most) [best, most] = [place, value];
    }
    picks.push(best);
  }
  return picks;
}

/** Every text is read anew for each word of the query. */
export function bm25(query: readonly string[], texts: readonly (readonly string[])[]): number[] {
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  return texts.map((text) => {
    let score = 0;
    for (const term of new Set(query)) {
      const having = texts.filter((other) => other.includes(term)).length;
      const count = text.filter((word) => word === term).length;
      const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
      score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * text.length) / average));
    }
    return score;
  });
}

/** Bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = [...text].length;
  let bits = 0;
  for (const count of counts.values()) bits -= (count / total) * Math.log2(count / total);
  return bits;
}
