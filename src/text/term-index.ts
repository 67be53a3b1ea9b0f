/**
 * Indexes the terms of the texts of a small pool, for two lexical similarities.
 *
 *   Jaccard(d, e) = |d ∩ e| / |d ∪ e|                                over distinct terms
 *   TF-IDF cosine = Σ_t w(t,d) w(t,e),  w = tf · (ln((1 + n) / (1 + df)) + 1), at unit length
 *
 * Sources: P. Jaccard, 1912; G. Salton, C. Buckley, "Term-weighting approaches in automatic text retrieval", 1988, with
 * smoothed idf.
 */
import { log } from '../math/elementary.js';

/** A term of the pool. */
interface Term {
  /** The texts that have it, ascending, and how often each has it. */
  readonly texts: number[];
  readonly counts: number[];
  idf: number;
}

/** The terms of a pool of texts. */
export class TermIndex {
  readonly #terms: readonly Term[];
  /** By text: its distinct terms, in order of first appearance. */
  readonly #termsOf: readonly (readonly Term[])[];
  /** By text: the number of its distinct terms. */
  readonly #sizes: Int32Array;
  /** Lengths of the vectors of TF-IDF. They are computed when they are first asked for. */
  #norms: Float64Array | undefined;
  #marked: { readonly text: number; readonly terms: ReadonlySet<Term> } | undefined;

  /**
   * @param texts the terms of each text, in order. An empty text is legal and matches nothing.
   * @param vocabulary the size of the vocabulary: every term is below it.
   */
  constructor(texts: readonly Int32Array[], vocabulary: number) {
    const terms: Term[] = [];
    /** By number in the vocabulary: the place in `terms`, plus one. */
    const places = new Int32Array(vocabulary);
    this.#termsOf = texts.map((numbers, text) => {
      const own: Term[] = [];
      for (let at = 0; at < numbers.length; at++) {
        const number = numbers[at] as number;
        const place = places[number] as number;
        if (place === 0) {
          const term = { texts: [text], counts: [1], idf: 0 };
          places[number] = terms.push(term);
          own.push(term);
          continue;
        }
        const term = terms[place - 1] as Term;
        const last = term.texts.length - 1;
        if (term.texts[last] === text) term.counts[last] = (term.counts[last] as number) + 1;
        else {
          own.push(term);
          term.texts.push(text);
          term.counts.push(1);
        }
      }
      return own;
    });
    this.#terms = terms;
    this.#sizes = Int32Array.from(this.#termsOf, ({ length }) => length);
  }

  /** Number of texts. */
  get size(): number {
    return this.#termsOf.length;
  }

  /** Returns the number of distinct terms of a text. */
  sizeOf(text: number): number {
    return this.#sizes[text] as number;
  }

  /** Returns the number of distinct terms that two texts share. One text is best compared with many others in a row. */
  sharedBy(text: number, other: number): number {
    if (this.#marked?.text !== text) this.#marked = { text, terms: new Set(this.#of(text)) };
    const { terms } = this.#marked;
    return this.#of(other).reduce((count, term) => count + Number(terms.has(term)), 0);
  }

  /**
   * Returns the Jaccard similarity, 0..1, of one text with every text. For two texts without terms it is 0.
   *
   * @param similarity the array for the result. Its contents are overwritten.
   */
  jaccard(text: number, similarity = new Float64Array(this.size)): Float64Array {
    similarity.fill(0);
    for (const { texts } of this.#of(text)) {
      for (let at = 0; at < texts.length; at++) {
        const other = texts[at] as number;
        similarity[other] = (similarity[other] as number) + 1;
      }
    }
    const sizes = this.#sizes;
    const own = sizes[text] as number;
    for (let other = 0; other < sizes.length; other++) {
      const both = similarity[other] as number;
      if (both > 0) similarity[other] = both / (own + (sizes[other] as number) - both);
    }
    return similarity;
  }

  /**
   * Returns the TF-IDF cosine similarity, 0..1, of one text with every text of a higher index. For two texts without
   * terms it is 0.
   */
  tfidfCosines(text: number): Float64Array {
    this.#norms ??= this.#lengthsOfVectors();
    const norms = this.#norms;
    const similarity = new Float64Array(this.size);
    for (const { texts, counts, idf } of this.#of(text)) {
      const place = texts.indexOf(text);
      const own = (counts[place] as number) * idf * idf;
      for (let behind = place + 1; behind < texts.length; behind++) {
        const other = texts[behind] as number;
        similarity[other] = (similarity[other] as number) + own * (counts[behind] as number);
      }
    }
    for (let other = text + 1; other < this.size; other++) {
      const sum = similarity[other] as number;
      if (sum > 0)
        similarity[other] = Math.min(1, sum / ((norms[text] as number) * (norms[other] as number)));
    }
    return similarity;
  }

  #lengthsOfVectors(): Float64Array {
    const squares = new Float64Array(this.size);
    const known: number[] = [];
    for (const term of this.#terms) {
      const { texts, counts } = term;
      known[texts.length] ??= log((1 + this.size) / (1 + texts.length)) + 1;
      term.idf = known[texts.length] as number;
      for (let at = 0; at < texts.length; at++) {
        const text = texts[at] as number;
        squares[text] = (squares[text] as number) + ((counts[at] as number) * term.idf) ** 2;
      }
    }
    return squares.map(Math.sqrt);
  }

  #of(text: number): readonly Term[] {
    return this.#termsOf[text] as readonly Term[];
  }
}
