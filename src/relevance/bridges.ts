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
import { bestPlaces, type Pool } from './pool.js';

/** Relevance flows from this many. */
const ORIGINS = 10;
/** A word is rare if at most this share of the pool has it, or three passages. */
const RARE = 0.05;
const NONE: readonly Titled[] = [];

/** @param relevance a first impression, 0..1, of each passage. */
export function titleBridge({ passages }: Pool, relevance: Float64Array): Float64Array {
  const values = new Float64Array(passages.length);
  const byFirstTerm = titlesByFirstTerm(passages);
  if (byFirstTerm.size === 0) return values;
  for (const origin of origins(relevance)) {
    const { terms, source, namespace, title: own } = passages[origin] as Passage;
    const named = new Set<Titled>();
    for (let at = 0; at < terms.length; at++) {
      for (const titled of byFirstTerm.get(terms[at] as number) ?? NONE) {
        if (!named.has(titled) && isAt(titled.title, terms, at)) named.add(titled);
      }
    }
    for (const { title, places } of named) {
      if (title.length === own.length && isAt(title, own, 0)) continue;
      for (const place of places) {
        const { source: other, namespace: space } = passages[place] as Passage;
        if (space !== namespace || (source !== undefined && source === other)) continue;
        values[place] = Math.max(values[place] as number, relevance[origin] as number);
      }
    }
  }
  return values;
}

/** @param relevance a first impression, 0..1, of each passage. */
export function wordBridge({ passages, asked, index }: Pool, relevance: Float64Array): Float64Array {
  const most = Math.max(3, passages.length * RARE);
  const values = new Float64Array(passages.length);
  for (const origin of origins(relevance)) {
    const { namespace, terms } = passages[origin] as Passage;
    const shared = new Float64Array(passages.length);
    for (const term of new Set(terms)) {
      const having = index.textsWith(term);
      const df = having.length;
      if (df < 2 || df > most || asked.has(term)) continue;
      for (const other of having) shared[other] = (shared[other] as number) + 1 / (df - 1);
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
  return bestPlaces(relevance, ORIGINS).filter((place) => (relevance[place] as number) > 0);
}

/** Passages of one title. */
interface Titled {
  readonly title: Int32Array;
  readonly places: number[];
}

function titlesByFirstTerm(passages: readonly Passage[]): Map<number, Titled[]> {
  // Titles that are written alike are one array: the lexicon reads them once.
  const byTitle = new Map<Int32Array, Titled>();
  const byFirstTerm = new Map<number, Titled[]>();
  for (const [place, { title }] of passages.entries()) {
    const first = title[0];
    if (first === undefined) continue;
    const known = byTitle.get(title);
    if (known !== undefined) {
      known.places.push(place);
      continue;
    }
    const titled = { title, places: [place] };
    byTitle.set(title, titled);
    const others = byFirstTerm.get(first);
    if (others === undefined) byFirstTerm.set(first, [titled]);
    else others.push(titled);
  }
  return byFirstTerm;
}

function isAt(title: Int32Array, terms: Int32Array, start: number): boolean {
  for (let step = 0; step < title.length; step++) if (title[step] !== terms[start + step]) return false;
  return true;
}
