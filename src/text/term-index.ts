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

/** Words, or their numbers. */
type Term = string | number;

/** Lists one after the other: that of `each` is from `starts[each]` to `starts[each + 1]`. */
interface Lists {
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** How often each item occurs. */
  readonly counts: Int32Array;
}

export class TermIndex {
  /** Number of texts. */
  readonly size: number;
  readonly #idOf = new Map<Term, number>();
  /** Per text: distinct term ids, in order of first appearance. */
  readonly #terms: Lists;
  /** Per term: the texts that have it, ascending. */
  readonly #postings: Lists;
  readonly #lengths: readonly number[];
  #idf?: Float64Array;
  #norms?: Float64Array;

  /**
   * @param texts the terms of each text, in order; an empty text is legal and matches nothing.
   * @param lengths how many terms each text has, where only some of them are given.
   */
  constructor(
    texts: readonly (ArrayLike<Term> & Iterable<Term>)[],
    lengths = texts.map((terms) => terms.length),
  ) {
    this.size = texts.length;
    this.#lengths = lengths;
    this.#terms = this.#count(texts);
    this.#postings = inverted(this.#terms, this.#idOf.size);
  }

  #count(texts: readonly Iterable<Term>[]): Lists {
    const starts = new Int32Array(texts.length + 1);
    const items: number[] = [];
    const counts: number[] = [];
    /** Per term: its place among the items of the last text that had it. */
    const placeOf: number[] = [];
    for (const [text, terms] of texts.entries()) {
      const start = items.length;
      for (const term of terms) {
        let id = this.#idOf.get(term);
        if (id === undefined) {
          id = this.#idOf.size;
          this.#idOf.set(term, id);
          placeOf.push(-1);
        }
        const place = placeOf[id] as number;
        if (place >= start) counts[place] = (counts[place] as number) + 1;
        else {
          placeOf[id] = items.length;
          items.push(id);
          counts.push(1);
        }
      }
      starts[text + 1] = items.length;
    }
    return { starts, items: new Int32Array(items), counts: new Int32Array(counts) };
  }

  /** BM25 of every text for a query; each distinct query term counts once. 0 where nothing matches. */
  bm25(queryTerms: Iterable<Term>): Float64Array {
    const scores = new Float64Array(this.size);
    const total = this.#lengths.reduce((sum, length) => sum + length, 0);
    const average = total / Math.max(1, this.size);
    const { starts, items, counts } = this.#postings;
    for (const term of new Set(queryTerms)) {
      const id = this.#idOf.get(term);
      if (id === undefined) continue;
      const [from, to] = [starts[id] as number, starts[id + 1] as number];
      const idf = Math.log(1 + (this.size - (to - from) + 0.5) / (to - from + 0.5));
      for (let at = from; at < to; at++) {
        const text = items[at] as number;
        const tf = counts[at] as number;
        const norm = K1 * (1 - B + (B * (this.#lengths[text] as number)) / average);
        scores[text] = (scores[text] as number) + (idf * tf * (K1 + 1)) / (tf + norm);
      }
    }
    return scores;
  }

  /**
   * Jaccard similarity, 0..1, of one text with every text. Two texts without terms have 0.
   *
   * @param shared where to put it; what is in there is lost.
   */
  jaccard(text: number, shared = new Float64Array(this.size)): Float64Array {
    shared.fill(0);
    const { starts, items } = this.#terms;
    const { starts: first, items: texts } = this.#postings;
    const [from, to] = [starts[text] as number, starts[text + 1] as number];
    for (let at = from; at < to; at++) {
      const id = items[at] as number;
      const end = first[id + 1] as number;
      for (let place = first[id] as number; place < end; place++) {
        const other = texts[place] as number;
        shared[other] = (shared[other] as number) + 1;
      }
    }
    for (let other = 0; other < this.size; other++) {
      const both = shared[other] as number;
      const either = to - from + (starts[other + 1] as number) - (starts[other] as number) - both;
      if (both > 0) shared[other] = both / either;
    }
    return shared;
  }

  /** TF-IDF cosine similarity, 0..1, of one text with every text. Two texts without terms have 0. */
  tfidfCosine(text: number): Float64Array {
    this.#idf ??= this.#inverseFrequencies();
    this.#norms ??= this.#lengthsOfVectors(this.#idf);
    const norms = this.#norms;
    const similarity = new Float64Array(this.size);
    const { starts, items, counts } = this.#terms;
    const { starts: first, items: texts, counts: times } = this.#postings;
    for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
      const id = items[at] as number;
      const own = (counts[at] as number) * (this.#idf[id] as number) ** 2;
      const end = first[id + 1] as number;
      for (let place = first[id] as number; place < end; place++) {
        const other = texts[place] as number;
        similarity[other] = (similarity[other] as number) + own * (times[place] as number);
      }
    }
    for (let other = 0; other < this.size; other++) {
      const sum = similarity[other] as number;
      if (sum > 0)
        similarity[other] = Math.min(1, sum / ((norms[text] as number) * (norms[other] as number)));
    }
    return similarity;
  }

  #inverseFrequencies(): Float64Array {
    const { starts } = this.#postings;
    const idf = new Float64Array(this.#idOf.size);
    for (let id = 0; id < idf.length; id++) {
      const df = (starts[id + 1] as number) - (starts[id] as number);
      idf[id] = Math.log((1 + this.size) / (1 + df)) + 1;
    }
    return idf;
  }

  #lengthsOfVectors(idf: Float64Array): Float64Array {
    const { starts, items, counts } = this.#terms;
    const norms = new Float64Array(this.size);
    for (let text = 0; text < this.size; text++) {
      let sum = 0;
      for (let at = starts[text] as number; at < (starts[text + 1] as number); at++)
        sum += (counts[at] as number) ** 2 * (idf[items[at] as number] as number) ** 2;
      norms[text] = Math.sqrt(sum);
    }
    return norms;
  }
}

/** For each of so many items the lists that it is in, ascending. */
function inverted({ starts, items, counts }: Lists, size: number): Lists {
  const first = new Int32Array(size + 1);
  for (const item of items) first[item + 1] = (first[item + 1] as number) + 1;
  for (let item = 0; item < size; item++)
    first[item + 1] = (first[item + 1] as number) + (first[item] as number);
  const next = first.slice();
  const inverse = {
    starts: first,
    items: new Int32Array(items.length),
    counts: new Int32Array(items.length),
  };
  for (let list = 0; list < starts.length - 1; list++) {
    for (let at = starts[list] as number; at < (starts[list + 1] as number); at++) {
      const item = items[at] as number;
      const place = next[item] as number;
      next[item] = place + 1;
      inverse.items[place] = list;
      inverse.counts[place] = counts[at] as number;
    }
  }
  return inverse;
}
