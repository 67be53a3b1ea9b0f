/**
 * Postings over a small pool of texts, and the three lexical measures that need them.
 *
 *   BM25(d, q)    = Σ_t∈q idf(t) · tf(t,d) (k1 + 1) / (tf(t,d) + k1 (1 − b + b |d| / avg|d|))
 *   idf(t)        = ln(1 + (n − df(t) + ½) / (df(t) + ½))            always positive
 *   Jaccard(d, e) = |d ∩ e| / |d ∪ e|                                over distinct terms
 *   TF-IDF cosine = Σ_t w(t,d) w(t,e),  w = tf · (ln((1 + n) / (1 + df)) + 1), at unit length
 *
 * Sources: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009
 * (with Lucene's positive idf); P. Jaccard, 1912; G. Salton, C. Buckley, "Term-weighting approaches in
 * automatic text retrieval", 1988, with smoothed idf.
 */
const K1 = 1.2;
const B = 0.75;

interface Posting {
  texts: number[];
  counts: number[];
}

export class TermIndex {
  /** Number of texts. */
  readonly size: number;
  readonly #idOf = new Map<string, number>();
  /** Per text: distinct term ids, in order of first appearance, and how often each occurs. */
  readonly #terms: number[][] = [];
  readonly #counts: number[][] = [];
  readonly #lengths: readonly number[];
  /** Per term: the texts that have it, ascending, and how often. */
  readonly #postings: Posting[] = [];
  #norms?: number[];

  /**
   * @param texts the terms of each text, in order; an empty text is legal and matches nothing.
   * @param lengths how many terms each text has, where only some of them are given.
   */
  constructor(texts: readonly (readonly string[])[], lengths = texts.map((terms) => terms.length)) {
    this.size = texts.length;
    this.#lengths = lengths;
    for (const [text, terms] of texts.entries()) this.#add(text, terms);
  }

  #add(text: number, terms: readonly string[]): void {
    const counts = new Map<number, number>();
    for (const term of terms) {
      let id = this.#idOf.get(term);
      if (id === undefined) {
        id = this.#postings.length;
        this.#idOf.set(term, id);
        this.#postings.push({ texts: [], counts: [] });
      }
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, count] of counts) {
      const posting = this.#postings[id] as Posting;
      posting.texts.push(text);
      posting.counts.push(count);
    }
    this.#terms.push([...counts.keys()]);
    this.#counts.push([...counts.values()]);
  }

  /** BM25 of every text for a query; each distinct query term counts once. 0 where nothing matches. */
  bm25(queryTerms: readonly string[]): Float64Array {
    const scores = new Float64Array(this.size);
    const total = this.#lengths.reduce((sum, length) => sum + length, 0);
    const average = total / Math.max(1, this.size);
    for (const term of new Set(queryTerms)) {
      const id = this.#idOf.get(term);
      if (id === undefined) continue;
      const { texts, counts } = this.#postings[id] as Posting;
      const idf = Math.log(1 + (this.size - texts.length + 0.5) / (texts.length + 0.5));
      for (const [at, text] of texts.entries()) {
        const tf = counts[at] as number;
        const norm = K1 * (1 - B + (B * (this.#lengths[text] as number)) / average);
        scores[text] = (scores[text] as number) + (idf * tf * (K1 + 1)) / (tf + norm);
      }
    }
    return scores;
  }

  /** Jaccard similarity, 0..1, of one text with every text. Two texts without terms have 0. */
  jaccard(text: number): Float64Array {
    const shared = new Float64Array(this.size);
    const own = this.#terms[text] as number[];
    for (const id of own) {
      for (const other of (this.#postings[id] as Posting).texts)
        shared[other] = (shared[other] as number) + 1;
    }
    for (let other = 0; other < this.size; other++) {
      const both = shared[other] as number;
      if (both > 0) shared[other] = both / (own.length + (this.#terms[other] as number[]).length - both);
    }
    return shared;
  }

  /** TF-IDF cosine similarity, 0..1, of one text with every text. Two texts without terms have 0. */
  tfidfCosine(text: number): Float64Array {
    this.#norms ??= this.#terms.map((ids, each) => {
      const squares = ids.map(
        (id, at) => ((this.#counts[each] as number[])[at] as number) ** 2 * this.#idf(id) ** 2,
      );
      return Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
    });
    const norms = this.#norms;
    const similarity = new Float64Array(this.size);
    for (const [at, id] of (this.#terms[text] as number[]).entries()) {
      const own = ((this.#counts[text] as number[])[at] as number) * this.#idf(id) ** 2;
      const { texts, counts } = this.#postings[id] as Posting;
      for (const [place, other] of texts.entries()) {
        similarity[other] = (similarity[other] as number) + own * (counts[place] as number);
      }
    }
    return similarity.map((sum, other) =>
      sum === 0 ? 0 : Math.min(1, sum / ((norms[text] as number) * (norms[other] as number))),
    );
  }

  #idf(id: number): number {
    return Math.log((1 + this.size) / (1 + (this.#postings[id] as Posting).texts.length)) + 1;
  }
}
