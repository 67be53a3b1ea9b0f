/** The measures of relevance, written down as slowly and plainly as their definitions. */

/** A passage as words that need no stemming, with its speaker. */
export interface Said {
  words: readonly string[];
  speaker?: string | undefined;
}

export const inverseFrequency = (df: number, n: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));

/** The words of a passage that the question looks for; names of speakers are none of them. */
function sought(asked: readonly string[], pool: readonly Said[]): (passage: Said) => string[] {
  const wanted = new Set(asked.filter((word) => pool.every(({ speaker }) => speaker !== word)));
  return ({ words }) => words.filter((word) => wanted.has(word));
}

/** The idf of a sought word in a pool. */
function rarity(pool: readonly Said[], terms: (passage: Said) => string[]): (term: string) => number {
  return (term) =>
    inverseFrequency(pool.filter((passage) => terms(passage).includes(term)).length, pool.length);
}

/** BM25 with k1 = 1.2 and b = 0.4, lengths compared with those of the same speaker. */
export function bm25(asked: readonly string[], pool: readonly Said[]): number[] {
  const terms = sought(asked, pool);
  const idf = rarity(pool, terms);
  return pool.map((passage) => {
    const peers = pool.filter(({ speaker }) => speaker === passage.speaker);
    const mean = peers.reduce((sum, { words }) => sum + words.length, 0) / peers.length;
    const length = mean === 0 ? 1 : passage.words.length / mean;
    const all = terms(passage);
    return [...new Set(all)].reduce((sum, term) => {
      const tf = all.filter((each) => each === term).length;
      return sum + (idf(term) * tf * 2.2) / (tf + 1.2 * (0.6 + 0.4 * length));
    }, 0);
  });
}

/** The share of the question's words, by rarity; those that no passage has count, too. */
export function coverage(asked: readonly string[], pool: readonly Said[]): number[] {
  const terms = sought(asked, pool);
  const idf = rarity(pool, terms);
  const weigh = (words: readonly string[]) => [...new Set(words)].reduce((sum, term) => sum + idf(term), 0);
  const all = weigh(terms({ words: asked }));
  return pool.map((passage) => (all === 0 ? 0 : weigh(terms(passage)) / all));
}

/** The best of all windows of 13 words. */
export function proximity(asked: readonly string[], pool: readonly Said[]): number[] {
  const terms = sought(asked, pool);
  const idf = rarity(pool, terms);
  return pool.map((passage) => {
    const windows = passage.words.map((_, at) => new Set(terms({ words: passage.words.slice(at, at + 13) })));
    return Math.max(0, ...windows.map((window) => [...window].reduce((sum, term) => sum + idf(term), 0)));
  });
}

/** Is it one of those named who is speaking? */
export function speaker(asked: readonly string[], pool: readonly Said[]): number[] {
  return pool.map((passage) => Number(passage.speaker !== undefined && asked.includes(passage.speaker)));
}

/** Pairs of the question that a passage has, too. */
export function phrase(asked: readonly string[], pool: readonly Said[]): number[] {
  const pairsOf = (words: readonly string[]) => words.slice(1).map((word, at) => `${words[at]} ${word}`);
  const wanted = new Set(pairsOf(asked));
  const found = pool.map(({ words }) => new Set(pairsOf(words).filter((pair) => wanted.has(pair))));
  return found.map((pairs) =>
    [...pairs].reduce(
      (sum, pair) => sum + inverseFrequency(found.filter((each) => each.has(pair)).length, pool.length),
      0,
    ),
  );
}

/** A passage in its source. */
export interface Placed {
  /** Its own relevance at first sight. */
  relevance: number;
  source?: string | undefined;
  position?: number | undefined;
  speaker?: string | undefined;
  isQuestion: boolean;
}

/** The best of itself and those within four places, a question of another speaker right before in full; 0 if there are none. */
export function neighbours(pool: readonly Placed[]): number[] {
  let areNeighbours = false;
  const values = pool.map(({ source, position = Number.NaN, speaker, relevance }) => {
    const worths = pool
      .filter((other) => source !== undefined && other.source === source)
      .map((other) => {
        const away = Math.abs(position - (other.position ?? Number.NaN));
        areNeighbours ||= [1, 2, 3, 4].includes(away);
        const isAsked = other.isQuestion && other.position === position - 1;
        if (isAsked && speaker !== undefined && other.speaker !== speaker) return other.relevance;
        return [1, 2, 3, 4].includes(away) ? 0.7 * 0.9 ** (away - 1) * other.relevance : 0;
      });
    return Math.max(relevance, ...worths);
  });
  return areNeighbours ? values : values.map(() => 0);
}

/** Every day of `2023`, `2023-05` or `2023-05-08`, as days since 1970. */
function daysOf(date: string): number[] {
  const days: number[] = [];
  const first = Date.UTC(Number(date.slice(0, 4)), 0, 1) / 86_400_000;
  for (let day = first; day < first + 366; day++) {
    if (new Date(day * 86_400_000).toISOString().startsWith(date)) days.push(day);
  }
  return days;
}

/** The days that a date shares with the asked ones, or how near they are. */
export function dateMatch(asked: readonly string[], dates: readonly (string | undefined)[]): number[] {
  return dates.map((date) => {
    const own = date === undefined ? [] : daysOf(date);
    const values = asked.map(daysOf).flatMap((days) => {
      const shared = own.filter((day) => days.includes(day)).length;
      if (shared > 0) return shared / own.length;
      const near = own.flatMap((day) =>
        days.map((other) => 2 ** (day > other ? (other - day) / 7 : day - other)),
      );
      return near.filter((value) => value >= 1 / 16);
    });
    return Math.max(0, ...values);
  });
}

/** As shares of the greatest. */
export function shares(values: readonly number[]): number[] {
  const greatest = Math.max(0, ...values);
  return greatest === 0 ? values.map(() => 0) : values.map((value) => value / greatest);
}
