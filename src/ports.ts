/** The outside world, as interfaces. Everything that waits, costs or fails comes through one of these. */

/**
 * Turns texts into vectors.
 *
 * @param texts distinct texts, in a stable order; the query is one of them when it is wanted.
 * @param options `queryIndex`: which of `texts` is the query (models that embed queries and passages
 *   differently need to know), absent when there is none; `signal`: aborts the request.
 * @returns one vector per text, same order, all of one dimension, finite. Need not be normalised.
 */
export interface Embedder {
  embed(
    texts: readonly string[],
    options: { queryIndex?: number; signal?: AbortSignal },
  ): Promise<readonly ArrayLike<number>[]>;
}

/** How many tokens a text costs: a whole number, at least 0, the same for the same text. */
export type TokenCounter = (text: string) => number;
