import type { Chunk, TokenCounter } from 'context-shaping';
import type { Kept } from '../metrics.js';
import type { Pool } from '../pool.js';

/** A way to choose what of a pool is handed on. */
export interface Method {
  name: string;
  /** Vectors of the pool have to be there. */
  needsVectors: boolean;
  /** Texts that cost at most `maxTokens` together. */
  fit(pool: Pool, maxTokens: number, countTokens: TokenCounter): Promise<Kept[]>;
  /** Ids of the `k` best chunks, best first. Absent where a method does not choose among whole chunks. */
  top?(pool: Pool, k: number): Promise<string[]>;
  /** Nearly the same as `top`, for pools of hundreds of chunks and hundreds of questions. */
  quickTop?(pool: Pool, k: number): Promise<string[]>;
}

/**
 * A method that ranks chunks. Into a budget they are packed in order of rank; what does not fit is skipped.
 *
 * @param rank places in the pool, best first; all of them, or at least `k`.
 */
export function ranker(
  name: string,
  rank: (pool: Pool, k: number) => readonly number[] | Promise<readonly number[]>,
  needsVectors = false,
): Method {
  const ranked = async (pool: Pool, k: number) =>
    (await rank(pool, k)).map((place) => pool.chunks[place] as Chunk);
  return {
    name,
    needsVectors,
    async fit(pool, maxTokens, countTokens) {
      let left = maxTokens;
      return (await ranked(pool, pool.chunks.length)).filter(({ text }) => {
        const tokens = countTokens(text);
        if (tokens > left) return false;
        left -= tokens;
        return true;
      });
    },
    async top(pool, k) {
      return (await ranked(pool, k)).slice(0, k).map(({ id }) => id);
    },
  };
}

/** Ids of the `k` best chunks, best first, in the quickest way that the method has. */
export function topOf(method: Method, pool: Pool, k: number): Promise<string[]> {
  const top = method.quickTop ?? method.top;
  if (top === undefined) throw new Error(`${method.name} does not choose among whole chunks.`);
  return top.call(method, pool, k);
}
