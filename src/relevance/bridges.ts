/**
 * Relevance that flows from passages that match the question to passages whose titles they name:
 *
 *   titleBridge(i) = max_j relevance(j)   over passages j that contain the title of i, word for word
 *
 * The ten most relevant passages are the j. A title counts only for passages of other sources. The values are at most 1 and
 * depend only on the pool; relevance flows one step, not further. It finds the second hop of "Where was the director of X
 * born?": the passage on X names the director, and the passage on the director has no word of the question.
 */
import type { Passage } from './passage.js';
import { bestPlaces, type Pool } from './pool.js';

/** The number of passages from which relevance flows. */
const ORIGINS = 10;
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
