/**
 * Relevance that flows from passages that match the question to passages that these refer to:
 *
 *   titleBridge(i) = max_j relevance(j)              over passages j that contain the title of i, word for word
 *   wordBridge(i)  = max_j relevance(j) · r / (r + 3),   r = Σ 1 / (df(t) − 1) over rare words t of both i and j
 *
 * The ten most relevant passages are the j. A title counts only for passages of other sources. Words of the question do
 * not count as rare words. The values are at most 1 and depend only on the pool; relevance flows one step, not further.
 * Bridges find the second hop of "Where was the director of X born?": the passage on X names the director, and the
 * passage on the director has no word of the question.
 */
import type { Passage } from './passage.js';
import { bestPlaces, ORIGINS, type Pool } from './pool.js';

/** A word is rare if at most this share of the pool contains it, or at most three passages. */
const RARE = 0.05;
const NONE: readonly Titled[] = [];

/**
 * Computes `titleBridge` for each passage.
 *
 * @param relevance preliminary relevance of each passage, 0..1.
 */
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

/**
 * Computes `wordBridge` for each passage.
 *
 * @param relevance preliminary relevance of each passage, 0..1.
 */
export function wordBridge(pool: Pool, relevance: Float64Array): Float64Array {
  const { passages, asked } = pool;
  const passagesWith = pool.passagesWithTermsOfBest(relevance);
  const most = Math.max(3, passages.length * RARE);
  const values = new Float64Array(passages.length);
  for (const origin of origins(relevance)) {
    const { namespace, terms } = passages[origin] as Passage;
    const shared = new Float64Array(passages.length);
    for (const term of new Set(terms)) {
      const having = passagesWith(term);
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

/** The passages with one title, as indices. */
interface Titled {
  readonly title: Int32Array;
  readonly places: number[];
}

function titlesByFirstTerm(passages: readonly Passage[]): Map<number, Titled[]> {
  // Equal titles are the same array, because the lexicon analyses each text once.
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
