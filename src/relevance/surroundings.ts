/** Features of the passages around a passage in its source. */
import { joined, type Passage } from './passage.js';
import { Pool } from './pool.js';

/** The worth of a passage at the next position, unless it is a question that the passage answers. */
const ASIDE = 0.7;
/** Greatest distance of a neighbour in positions, and the factor on its worth for each further position. */
const REACH = 4;
const DECAY = 0.9;
const NONE = new Int32Array(0);

/**
 * Computes the best relevance of a passage and its neighbours up to four positions away:
 *
 *   neighbours(i) = max( relevance(i), max over 0 < |d| ≤ 4 of 0.7 · 0.9^(|d|−1) · relevance(i+d) )
 *
 * If the passage directly before contains a question mark and is by another speaker, the passage counts as its answer and
 * gets all of its relevance. The maximum includes the passage itself; otherwise the neighbours of a match would rank above
 * the match.
 *
 * @param relevance preliminary relevance of each passage, 0..1.
 * @returns undefined if no passage has a neighbour.
 */
export function neighbours(passages: readonly Passage[], relevance: Float64Array): Float64Array | undefined {
  const sources = new Map<string, Map<number, number>>();
  for (const [place, { source, position }] of passages.entries()) {
    if (source === undefined || position === undefined) continue;
    const places = sources.get(source) ?? new Map<number, number>();
    sources.set(source, places.set(position, place));
  }
  let areNeighbours = false;
  const values = relevance.map((own, at) => {
    const { source, position, speaker } = passages[at] as Passage;
    const places = source === undefined ? undefined : sources.get(source);
    if (places === undefined || position === undefined) return own;
    let best = own;
    for (let step = 1, worth = ASIDE; step <= REACH; step++, worth *= DECAY) {
      for (const place of [places.get(position - step), places.get(position + step)]) {
        if (place === undefined) continue;
        areNeighbours = true;
        best = Math.max(best, worth * (relevance[place] as number));
      }
    }
    const before = places.get(position - 1);
    const asked = before === undefined ? undefined : passages[before];
    const isAnswer = speaker !== undefined && asked?.speaker !== speaker && asked?.text.includes('?');
    return isAnswer ? Math.max(best, relevance[before as number] as number) : best;
  });
  return areNeighbours ? values : undefined;
}

/**
 * Computes BM25 of each passage's source: all its passages in the pool, as one text. Returns undefined if the pool has
 * less than two sources, or no source has two passages.
 */
export function source({ question, passages, vocabulary }: Pool): Float64Array | undefined {
  const wholes = new Map<string, { terms: Int32Array[]; places: number[] }>();
  for (const [place, { source: name, terms }] of passages.entries()) {
    if (name === undefined) continue;
    const whole = wholes.get(name) ?? { terms: [], places: [] };
    whole.terms.push(terms);
    whole.places.push(place);
    wholes.set(name, whole);
  }
  const texts = [...wholes.values()];
  if (texts.length < 2 || texts.every(({ places }) => places.length === 1)) return undefined;
  const pool = Pool.of(
    question,
    texts.map(({ terms }) => ({ text: '', terms: joined(terms), title: NONE })),
    vocabulary,
  );
  const scores = pool.bm25();
  const values = new Float64Array(passages.length);
  for (const [at, { places }] of texts.entries()) {
    for (const place of places) values[place] = scores[at] as number;
  }
  return values;
}
