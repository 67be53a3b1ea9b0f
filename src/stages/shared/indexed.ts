import type { PipelineInput } from '../../pipeline.js';
import type { Lexicon } from '../../text/lexicon.js';
import { TermIndex } from '../../text/term-index.js';
import type { Candidate } from '../../types.js';

interface Indexed {
  readonly index: TermIndex;
  readonly texts: readonly string[];
  /** By text: its place in the index. Equal texts have the same terms, so any of their places will do. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/** The last index of each call. Most candidates that are clustered are then compared once more. */
const lastOf = new WeakMap<Lexicon, Indexed>();

/** Indexes the terms of candidates, in their order. */
export function indexOf(candidates: readonly Candidate[], { lexicon }: PipelineInput): TermIndex {
  const texts = candidates.map(({ text }) => text);
  const last = lastOf.get(lexicon);
  if (last?.texts.length === texts.length && last.texts.every((text, place) => text === texts[place]))
    return last.index;
  const terms = texts.map((text) => lexicon.terms(text));
  const index = new TermIndex(terms, lexicon.vocabulary.size);
  lastOf.set(lexicon, { index, texts, placeOf: new Map(texts.map((text, place) => [text, place])) });
  return index;
}

/** Returns an index that has the candidates, and the place of each. It may have up to twice as many. */
export function indexWith(
  candidates: readonly Candidate[],
  input: PipelineInput,
): { index: TermIndex; places: Int32Array } {
  const last = lastOf.get(input.lexicon);
  if (last !== undefined && last.index.size <= 2 * candidates.length) {
    const places = Int32Array.from(candidates, ({ text }) => last.placeOf.get(text) ?? -1);
    if (!places.includes(-1)) return { index: last.index, places };
  }
  return { index: indexOf(candidates, input), places: Int32Array.from(candidates.keys()) };
}
