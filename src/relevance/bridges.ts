/**
 * Relevance that flows from passages that match the question to those that they lead to:
 *
 *   titleBridge(i) = max_j relevance(j)              over j that name the title of i, word for word
 *   wordBridge(i)  = max_j relevance(j) · r / (r + 3),   r = Σ 1 / (df(t) − 1) over rare words t of both i and j
 *
 * over the most relevant j, for titles of other sources; words of the question are left out. Bounded by 1, damped, and
 * flowing once; it depends on the pool alone. So the second hop of "Where was the director of X born?" is
 * found: the passage on X names the director, and the passage on the director has no word of the question.
 */
import type { Passage } from './passage.js';
import type { Pool } from './pool.js';
import { frequenciesOf, Slots } from './slots.js';

/** Relevance flows from this many. */
const ORIGINS = 10;
/** A word is rare if at most this share of the pool has it, or three passages. */
const RARE = 0.05;

/** @param relevance a first impression, 0..1, of each passage. */
export function titleBridge({ passages }: Pool, relevance: Float64Array): Float64Array {
  const values = new Float64Array(passages.length);
  if (passages.every(({ title }) => title.length === 0)) return values;
  for (const origin of origins(relevance)) {
    const { terms, source, namespace, title: own } = passages[origin] as Passage;
    const places = placesOf(terms);
    const ownTitle = own.join(' ');
    for (const [place, { title, source: other, namespace: space }] of passages.entries()) {
      if (title.length === 0 || place === origin || space !== namespace) continue;
      if (source !== undefined && source === other) continue;
      if (title.join(' ') === ownTitle) continue;
      if ((values[place] as number) >= (relevance[origin] as number)) continue;
      const starts = places.get(title[0] as number) ?? [];
      if (starts.some((start) => title.every((term, step) => terms[start + step] === term))) {
        values[place] = relevance[origin] as number;
      }
    }
  }
  return values;
}

/** @param relevance a first impression, 0..1, of each passage. */
export function wordBridge(pool: Pool, relevance: Float64Array): Float64Array {
  const { passages } = pool;
  const from = origins(relevance);
  const rare = new RareTerms(pool, from);
  const values = new Float64Array(passages.length);
  for (const origin of from) {
    const { namespace } = passages[origin] as Passage;
    const shared = new Float64Array(passages.length);
    for (const others of rare.of(origin)) {
      for (const other of others) shared[other] = (shared[other] as number) + 1 / (others.length - 1);
    }
    for (let place = 0; place < shared.length; place++) {
      const mass = shared[place] as number;
      if (mass === 0 || place === origin || passages[place]?.namespace !== namespace) continue;
      const flow = ((relevance[origin] as number) * mass) / (mass + 3);
      values[place] = Math.max(values[place] as number, flow);
    }
  }
  return values;
}

function origins(relevance: Float64Array): number[] {
  return Array.from(relevance.keys())
    .filter((place) => (relevance[place] as number) > 0)
    .sort((a, b) => (relevance[b] as number) - (relevance[a] as number) || a - b)
    .slice(0, ORIGINS);
}

/** Terms of some passages that at least two and not too many of all have. Words of the question are none. */
class RareTerms {
  readonly #passages: readonly Passage[];
  readonly #slots: Slots;
  /** By slot, for those that are rare: the passages that have it, ascending. */
  readonly #having: (number[] | undefined)[];

  constructor({ passages, asked, vocabulary }: Pool, origins: readonly number[]) {
    const most = Math.max(3, passages.length * RARE);
    this.#passages = passages;
    this.#slots = new Slots(vocabulary.size);
    for (const origin of origins) {
      for (const term of (passages[origin] as Passage).terms) if (!asked.has(term)) this.#slots.add(term);
    }
    const frequencies = frequenciesOf(this.#slots, passages);
    this.#having = Array.from(frequencies, (df) => (df < 2 || df > most ? undefined : []));
    for (const [place, { terms }] of passages.entries()) {
      for (let at = 0; at < terms.length; at++) {
        const places = this.#placesOf(terms[at] as number);
        if (places !== undefined && places[places.length - 1] !== place) places.push(place);
      }
    }
  }

  /** For each that a passage has, in its order, the passages that have it. */
  of(passage: number): Iterable<readonly number[]> {
    const found = new Set<readonly number[]>();
    for (const term of (this.#passages[passage] as Passage).terms) {
      const places = this.#placesOf(term);
      if (places !== undefined) found.add(places);
    }
    return found;
  }

  /** To look up a negative place in an array takes ten times as long. */
  #placesOf(term: number): number[] | undefined {
    const slot = this.#slots.of(term);
    return slot < 0 ? undefined : this.#having[slot];
  }
}

function placesOf(terms: Int32Array): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [place, term] of terms.entries()) {
    const known = places.get(term);
    if (known === undefined) places.set(term, [place]);
    else known.push(place);
  }
  return places;
}
