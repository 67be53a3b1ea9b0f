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

/** Relevance flows from this many. */
const ORIGINS = 10;
/** A word is rare if at most this share of the pool has it, or three passages. */
const RARE = 0.05;

/** @param relevance a first impression, 0..1, of each passage. */
export function titleBridge({ passages }: Pool, relevance: Float64Array): Float64Array {
  const values = new Float64Array(passages.length);
  for (const origin of origins(relevance)) {
    const { terms, source, namespace, title: own } = passages[origin] as Passage;
    const places = placesOf(terms);
    const ownTitle = own.join(' ');
    for (const [place, { title, source: other, namespace: space }] of passages.entries()) {
      if (place === origin || space !== namespace || (source !== undefined && source === other)) continue;
      if (title.join(' ') === ownTitle) continue;
      if ((values[place] as number) >= (relevance[origin] as number)) continue;
      const starts = title.length === 0 ? [] : (places.get(title[0] as string) ?? []);
      if (starts.some((start) => title.every((term, step) => terms[start + step] === term))) {
        values[place] = relevance[origin] as number;
      }
    }
  }
  return values;
}

/** @param relevance a first impression, 0..1, of each passage. */
export function wordBridge({ passages, asked }: Pool, relevance: Float64Array): Float64Array {
  const rare = rareTerms(passages, asked);
  const values = new Float64Array(passages.length);
  for (const origin of origins(relevance)) {
    const { terms, namespace } = passages[origin] as Passage;
    const shared = new Float64Array(passages.length);
    for (const term of new Set(terms)) {
      const others = rare.get(term) ?? [];
      for (const other of others) shared[other] = (shared[other] as number) + 1 / (others.length - 1);
    }
    for (const [place, mass] of shared.entries()) {
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

/** The passages of each term that at least two and not too many have. */
function rareTerms(passages: readonly Passage[], asked: ReadonlySet<string>): Map<string, number[]> {
  const most = Math.max(3, passages.length * RARE);
  const having = new Map<string, number[]>();
  for (const [place, { terms }] of passages.entries()) {
    for (const term of terms) {
      const places = having.get(term);
      if (places === undefined) having.set(term, [place]);
      else if (places.length <= most && places[places.length - 1] !== place) places.push(place);
    }
  }
  for (const [term, places] of having) {
    if (places.length < 2 || places.length > most || asked.has(term)) having.delete(term);
  }
  return having;
}

function placesOf(terms: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    const known = places.get(term);
    if (known === undefined) places.set(term, [place]);
    else known.push(place);
  }
  return places;
}
