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
  #common?: Common;
  /** By slot: the count of each term of the text that is compared, else 0. */
  #times?: Int32Array;
  #knownWeights?: { idf: Float64Array; norms: Float64Array };

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

  /**
   * Returns the Jaccard similarity, 0..1, of one text with every text. For two texts without terms it is 0.
   *
   * @param shared the array for the result. Its contents are overwritten.
   */
  jaccard(text: number, shared = new Float64Array(this.size)): Float64Array {
    this.#common ??= commonOf(this.size, this.#postings);
    const { isCommon, bits } = this.#common;
    shared.fill(0);
    const { starts, items } = this.#terms;
    const { starts: first, items: texts } = this.#postings;
    const [from, to] = [starts[text] as number, starts[text + 1] as number];
    for (let at = from; at < to; at++) {
      const id = items[at] as number;
      if (isCommon[id] === 1) continue;
      const end = first[id + 1] as number;
      for (let place = first[id] as number; place < end; place++) {
        const other = texts[place] as number;
        shared[other] = (shared[other] as number) + 1;
      }
    }
    const own = bits[text] as number;
    for (let other = 0; other < this.size; other++) {
      const both = (shared[other] as number) + ones(own & (bits[other] as number));
      const either = to - from + (starts[other + 1] as number) - (starts[other] as number) - both;
      if (both > 0) shared[other] = both / either;
    }
    return shared;
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

  /** Returns the TF-IDF cosine similarities of one text with some texts of higher indices, in their order. */
  tfidfCosinesWith(text: number, others: readonly number[]): Float64Array {
    if (others.length > MOST_PAIRS) {
      const row = this.tfidfCosines(text);
      return Float64Array.from(others, (other) => row[other] as number);
    }
    const { idf: idfs, norms } = this.#weights;
    const { starts, items, counts } = this.#terms;
    this.#times ??= new Int32Array(idfs.length);
    const times = this.#times;
    const similarities = new Float64Array(others.length);
    for (const [rank, other] of others.entries()) {
      const [from, to] = [starts[other] as number, starts[other + 1] as number];
      for (let at = from; at < to; at++) times[items[at] as number] = counts[at] as number;
      let sum = 0;
      for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
        const id = items[at] as number;
        const idf = idfs[id] as number;
        sum += (counts[at] as number) * (idf * idf) * (times[id] as number);
      }
      for (let at = from; at < to; at++) times[items[at] as number] = 0;
      if (sum > 0)
        similarities[rank] = Math.min(1, sum / ((norms[text] as number) * (norms[other] as number)));
    }
    return similarities;
  }

  /**
   * Returns the texts of higher indices whose TF-IDF cosine similarity with one text may be at least `least`, ascending. By
   * the Cauchy-Schwarz inequality, these share one of its rare terms: as many as have more than 1 - least² of the square
   * of its length.
   *
   * @param least greater than 0.
   */
  maybeNear(text: number, least: number): number[] {
    const { starts, items } = this.#terms;
    const { starts: first, items: texts } = this.#postings;
    const rare = this.#mostTextsOfRare(text, 1 - least * least + ROUNDING);
    const found = new Set<number>();
    for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
      const id = items[at] as number;
      const end = first[id + 1] as number;
      if (end - (first[id] as number) > rare) continue;
      for (let place = end - 1; (texts[place] as number) > text; place--) found.add(texts[place] as number);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Number of texts up to which terms are rare, so that the rare terms have a share of the square of a text's length. */
  #mostTextsOfRare(text: number, share: number): number {
    const { idf: idfs, norms } = this.#weights;
    const { starts, items, counts } = this.#terms;
    const { starts: first } = this.#postings;
    /** By number of texts: the squares of the weights of the terms that so many texts have. */
    const squares = new Float64Array(this.size + 1);
    for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
      const id = items[at] as number;
      const df = (first[id + 1] as number) - (first[id] as number);
      const weight = (counts[at] as number) * (idfs[id] as number);
      squares[df] = (squares[df] as number) + weight * weight;
    }
    let left = share * (norms[text] as number) ** 2;
    let df = 0;
    while (left >= 0 && df < this.size) left -= squares[++df] as number;
    return df;
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

/** With more texts, comparing a text with all is as fast. */
const MOST_PAIRS = 16;
/** More than the error of a sum of squares. */
const ROUNDING = 1e-9;

/** The terms that the most texts have. They are a hundredth of the terms, and four of five that two texts share. */
interface Common {
  /** By slot: 1 for a common term. */
  readonly isCommon: Uint8Array;
  /** By text: the common terms that it has, a bit for each. Two texts are compared by one operation on them. */
  readonly bits: Int32Array;
}

const MOST_COMMON = 32;

function commonOf(size: number, { starts: first, items: texts }: Lists): Common {
  const timesOf = (id: number) => (first[id + 1] as number) - (first[id] as number);
  const common: number[] = [];
  for (let id = 0; id < first.length - 1; id++) {
    const times = timesOf(id);
    let rank = common.length;
    while (rank > 0 && times > timesOf(common[rank - 1] as number)) rank--;
    if (rank === MOST_COMMON) continue;
    common.splice(rank, 0, id);
    if (common.length > MOST_COMMON) common.pop();
  }
  const isCommon = new Uint8Array(first.length - 1);
  const bits = new Int32Array(size);
  for (const [place, id] of common.entries()) {
    isCommon[id] = 1;
    for (let at = first[id] as number; at < (first[id + 1] as number); at++) {
      const text = texts[at] as number;
      bits[text] = (bits[text] as number) | (1 << place);
    }
  }
  return { isCommon, bits };
}

/** Number of ones among the bits. H. S. Warren, Hacker's Delight, 5-1. */
function ones(bits: number): number {
  const twos = bits - ((bits >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
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
