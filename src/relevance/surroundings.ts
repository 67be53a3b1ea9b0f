/** What stands around a passage in its source. 0 where metadata does not tell, or the source is not in the pool. */
import { joined } from '../text/reading.js';
import type { Passage } from './passage.js';
import { Pool } from './pool.js';

/** What a neighbour is worth that is not a question which the passage answers. */
const ASIDE = 0.7;
const NONE = new Int32Array(0);

/** The better of the two neighbours. The answer of another speaker to a matching question counts in full. */
export function neighbours(passages: readonly Passage[], relevance: Float64Array): Float64Array {
  const sources = new Map<string, Map<number, number>>();
  for (const [place, { source, position }] of passages.entries()) {
    if (source === undefined || position === undefined) continue;
    const places = sources.get(source) ?? new Map<number, number>();
    sources.set(source, places.set(position, place));
  }
  return Float64Array.from(passages, ({ source, position, speaker }) => {
    if (source === undefined || position === undefined) return 0;
    const places = sources.get(source);
    const [before, after] = [places?.get(position - 1), places?.get(position + 1)];
    const asked = before === undefined ? undefined : passages[before];
    const isAnswer = speaker !== undefined && asked?.speaker !== speaker && asked?.text.includes('?');
    return Math.max(
      before === undefined ? 0 : (isAnswer ? 1 : ASIDE) * (relevance[before] as number),
      after === undefined ? 0 : ASIDE * (relevance[after] as number),
    );
  });
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
