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
import { Slots } from '../math/slots.js';

/** Concatenated lists: the list of `each` is from `starts[each]` to `starts[each + 1]` (exclusive). */
interface Lists {
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** Number of occurrences of each item. */
  readonly counts: Int32Array;
}

/** The terms of a pool of texts, in both directions: terms by text, and texts by term. */
export class TermIndex {
  /** Number of texts. */
  readonly size: number;
  readonly #slots: Slots;
  /** By text: its distinct terms as slots, in order of first appearance. */
  readonly #terms: Lists;
  /** By slot: the texts that have the term, ascending. */
  readonly #postings: Lists;
  #knownWeights?: { idf: Float64Array; norms: Float64Array };
  /** By slot: the text that was marked last, plus 1, if it has the term. */
  #marks?: Int32Array;
  #marked = -1;

  private constructor(slots: Slots, terms: Lists, postings: Lists) {
    this.size = terms.starts.length - 1;
    this.#slots = slots;
    this.#terms = terms;
    this.#postings = postings;
  }

  /**
   * Indexes texts.
   *
   * @param texts the terms of each text, in order. An empty text is legal and matches nothing.
   * @param vocabulary the size of the vocabulary: every term is below it.
   */
  static of(texts: readonly Int32Array[], vocabulary: number): TermIndex {
    const slots = new Slots();
    const terms = counted(texts, slots, vocabulary);
    return new TermIndex(slots, terms, inverted(terms, slots.size));
  }

  /** Returns the number of distinct terms of a text. */
  sizeOf(text: number): number {
    const { starts } = this.#terms;
    return (starts[text + 1] as number) - (starts[text] as number);
  }

  /** Returns the number of distinct terms that two texts share. One text is best compared with many others in a row. */
  sharedBy(text: number, other: number): number {
    this.#marks ??= new Int32Array(this.#slots.size);
    const marks = this.#marks;
    const { starts, items } = this.#terms;
    if (text !== this.#marked) {
      for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
        marks[items[at] as number] = text + 1;
      }
      this.#marked = text;
    }
    let count = 0;
    for (let at = starts[other] as number; at < (starts[other + 1] as number); at++) {
      if (marks[items[at] as number] === text + 1) count++;
    }
    return count;
  }

  /**
   * Returns the Jaccard similarity, 0..1, of one text with every text. For two texts without terms it is 0.
   *
   * @param similarity the array for the result. Its contents are overwritten.
   */
  jaccard(text: number, similarity = new Float64Array(this.size)): Float64Array {
    similarity.fill(0);
    const { starts, items } = this.#terms;
    const { starts: first, items: texts } = this.#postings;
    const own = this.sizeOf(text);
    for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
      const id = items[at] as number;
      for (let place = first[id] as number; place < (first[id + 1] as number); place++) {
        const other = texts[place] as number;
        similarity[other] = (similarity[other] as number) + 1;
      }
    }
    for (let other = 0; other < this.size; other++) {
      const both = similarity[other] as number;
      if (both > 0) similarity[other] = both / (own + this.sizeOf(other) - both);
    }
    return similarity;
  }

  /**
   * Returns the TF-IDF cosine similarity, 0..1, of one text with every text of a higher index. For two texts without
   * terms it is 0.
   *
   * @param similarity the array for the result, by text. Its contents are overwritten.
   */
  tfidfCosines(text: number, similarity = new Float64Array(this.size)): Float64Array {
    const { idf: idfs, norms } = this.#weights;
    similarity.fill(0);
    const { starts, items, counts } = this.#terms;
    const { starts: first, items: texts, counts: times } = this.#postings;
    const to = starts[text + 1] as number;
    for (let at = starts[text] as number; at < to; at++) {
      const id = items[at] as number;
      const idf = idfs[id] as number;
      const own = (counts[at] as number) * (idf * idf);
      for (let place = (first[id + 1] as number) - 1; (texts[place] as number) > text; place--) {
        const other = texts[place] as number;
        similarity[other] = (similarity[other] as number) + own * (times[place] as number);
      }
    }
    for (let other = text + 1; other < this.size; other++) {
      const sum = similarity[other] as number;
      if (sum > 0)
        similarity[other] = Math.min(1, sum / ((norms[text] as number) * (norms[other] as number)));
    }
    return similarity;
  }

  get #weights() {
    if (this.#knownWeights === undefined) {
      const idf = this.#inverseFrequencies();
      this.#knownWeights = { idf, norms: this.#lengthsOfVectors(idf) };
    }
    return this.#knownWeights;
  }

  #inverseFrequencies(): Float64Array {
    const { starts } = this.#postings;
    const idf = new Float64Array(this.#slots.size);
    /** By number of texts: most terms are in as many texts as others. */
    const known = new Float64Array(this.size + 1);
    for (let id = 0; id < idf.length; id++) {
      const df = (starts[id + 1] as number) - (starts[id] as number);
      known[df] ||= log((1 + this.size) / (1 + df)) + 1;
      idf[id] = known[df] as number;
    }
    return idf;
  }

  #lengthsOfVectors(idf: Float64Array): Float64Array {
    const { starts, items, counts } = this.#terms;
    const norms = new Float64Array(this.size);
    for (let text = 0; text < this.size; text++) {
      let sum = 0;
      for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
        const weight = idf[items[at] as number] as number;
        const count = counts[at] as number;
        sum += count * count * (weight * weight);
      }
      norms[text] = Math.sqrt(sum);
    }
    return norms;
  }
}

/** Returns for each text its distinct terms, and the count of each. */
function counted(texts: readonly Int32Array[], slots: Slots, vocabulary: number): Lists {
  const most = texts.reduce((sum, { length }) => sum + length, 0);
  const starts = new Int32Array(texts.length + 1);
  const items = new Int32Array(most);
  const counts = new Int32Array(most);
  /** By slot: its index among the items of the last text that had it. */
  const placeOf = new Int32Array(Math.min(vocabulary, most)).fill(-1);
  let end = 0;
  for (let text = 0; text < texts.length; text++) {
    const terms = texts[text] as Int32Array;
    const start = end;
    for (let at = 0; at < terms.length; at++) {
      const slot = slots.add(terms[at] as number);
      const place = placeOf[slot] as number;
      if (place >= start) counts[place] = (counts[place] as number) + 1;
      else {
        placeOf[slot] = end;
        items[end] = slot;
        counts[end++] = 1;
      }
    }
    starts[text + 1] = end;
  }
  return { starts, items: items.subarray(0, end), counts: counts.subarray(0, end) };
}

/** Returns for each of `size` items the lists that contain it, ascending. */
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
