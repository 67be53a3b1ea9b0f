/** What stands around a passage in its source. */
import { joined } from '../text/reading.js';
import type { Passage } from './passage.js';
import { Pool } from './pool.js';

/** What a passage right beside it is worth that is not a question which the passage answers. */
const ASIDE = 0.7;
/** How many places away a neighbour may be, and what each place more leaves of its worth. */
const REACH = 4;
const DECAY = 0.9;
const NONE = new Int32Array(0);

/**
 * The best of a passage and its neighbours up to four places away:
 *
 *   neighbours(i) = max( relevance(i), max over 0 < |d| ≤ 4 of 0.7 · 0.9^(|d|−1) · relevance(i+d) )
 *
 * The answer of another speaker to a matching question, right after it, has all of the question's relevance. The passage
 * itself is among them, or those around a match would go before the match. Nothing where no passage has a neighbour.
 *
 * @param relevance a first impression, 0..1, of each passage.
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

/** BM25 of all that the pool has of the passage's source, as one text; nothing where no source has two passages. */
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
  const scores = new Pool(
    question,
    texts.map(({ terms }) => ({ text: '', terms: joined(terms), title: NONE })),
    vocabulary,
  ).bm25();
  const values = new Float64Array(passages.length);
  for (const [at, { places }] of texts.entries()) {
    for (const place of places) values[place] = scores[at] as number;
  }
  return values;
}
