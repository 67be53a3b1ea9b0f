/**
 * The plain BM25 that ours is compared with.
 *
 *   BM25(d, q) = Σ_t∈q idf(t) · tf(t,d) (k1 + 1) / (tf(t,d) + k1 (1 − b + b |d| / avg|d|))
 *   idf(t)     = ln(1 + (n − df(t) + ½) / (df(t) + ½))            always positive
 *
 * Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with Lucene's
 * positive idf.
 */
const K1 = 1.2;
const B = 0.75;

export class Bm25 {
  /** Per term, how often the texts that have it have it. */
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: readonly number[];

  /** @param texts the terms of each. */
  constructor(texts: readonly (readonly string[])[]) {
    this.#lengths = texts.map(({ length }) => length);
    for (const [text, terms] of texts.entries()) {
      for (const term of terms) {
        const counts = this.#postings.get(term) ?? new Map<number, number>();
        this.#postings.set(term, counts.set(text, (counts.get(text) ?? 0) + 1));
      }
    }
  }

  /** Of every text; each distinct term of the query counts once. */
  scores(query: readonly string[]): Float64Array {
    const n = this.#lengths.length;
    const scores = new Float64Array(n);
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, n);
    for (const term of new Set(query)) {
      const counts = this.#postings.get(term);
      if (counts === undefined) continue;
      const idf = Math.log(1 + (n - counts.size + 0.5) / (counts.size + 0.5));
      for (const [text, tf] of counts) {
        const norm = K1 * (1 - B + (B * (this.#lengths[text] as number)) / average);
        scores[text] = (scores[text] as number) + (idf * tf * (K1 + 1)) / (tf + norm);
      }
    }
    return scores;
  }
}
