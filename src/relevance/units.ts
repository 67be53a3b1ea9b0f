/** How well the units of chunks answer a question: the same features as of chunks, and two of the chunk. */
import type { Pacer } from '../pacer.js';
import type { Lexicon } from '../text/lexicon.js';
import { type Unit, unitsOf } from '../text/units.js';
import type { Candidate } from '../types.js';
import { chunkPassage, isTalk, unitPassage } from './chunks.js';
import { COEFFICIENTS } from './coefficients.js';
import { LEXICAL, type LexicalFeature, lexicalFeatures, shareOfBest } from './features.js';
import type { Passage, Question } from './passage.js';
import { weightedMeanValues } from './weighted-mean.js';

/** A unit that may answer: headings and rules are kept for the sake of others. */
export interface ScoredUnit {
  /** Place of its chunk among those given. */
  readonly chunk: number;
  /** Place among the units of its chunk. */
  readonly place: number;
  /** 0..1. */
  readonly relevance: number;
}

const IS_LEXICAL: ReadonlySet<string> = new Set(LEXICAL);
const NAMES = LEXICAL.filter((name) => name in COEFFICIENTS.units);

/**
 * The features of units, before weighting. `chunk` is the relevance of the whole as a share of the best; `lead`
 * is 1 for the first under a title, which is where a text says what it is about.
 */
export async function unitFeatures(
  question: Question,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  { names = NAMES, pacer }: { names?: readonly LexicalFeature[]; pacer: Pacer },
): Promise<{
  units: { chunk: number; place: number }[];
  byChunk: (readonly Unit[])[];
  features: Record<string, Float64Array>;
}> {
  const units: { chunk: number; place: number }[] = [];
  const passages: Passage[] = [];
  const lead: number[] = [];
  const byChunk: (readonly Unit[])[] = [];
  const talk = isTalk(candidates);
  for (const [chunk, candidate] of candidates.entries()) {
    const whole = chunkPassage(candidate, lexicon, talk);
    const all = lexicon.found(candidate.text, unitsOf);
    let position = 0;
    for (const [place, unit] of all.entries()) {
      if (unit.kind === 'heading') continue;
      const passage = unitPassage(candidate, whole, unit, position, lexicon);
      if (passage.terms.length === whole.title.length) continue;
      units.push({ chunk, place });
      passages.push(passage);
      lead.push(Number(position === 0 && whole.title.length > 0));
      position++;
    }
    byChunk.push(all);
    if (pacer.due()) await pacer.pause();
  }
  const features: Record<string, Float64Array> = {
    ...lexicalFeatures(question, passages, lexicon, names),
    chunk: shareOfBest(Float64Array.from(units, ({ chunk }) => candidates[chunk]?.signals.relevance ?? 0)),
    lead: Float64Array.from(lead),
  };
  return { units, byChunk, features };
}

/**
 * The less has to go, the more the whole counts: at half the tokens twice as much as with next to none of them.
 * Readers follow a whole passage more easily, and the evidence that no feature points to is in it as well.
 */
const WHOLENESS = 2;

/**
 * Units, best first; then by the order of chunks, and by place.
 *
 * Words weigh as much among units as they do among chunks: as far as relevance is from vectors and scores, it is
 * the chunk that counts.
 *
 * @param share 0..1, of the tokens that can be kept.
 */
export async function scoreUnits(
  question: Question,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  { share, pacer }: { share: number; pacer: Pacer },
) {
  const { units, byChunk, features } = await unitFeatures(question, candidates, lexicon, { pacer });
  const byWords = shareOfWords(candidates);
  const { chunk, ...others } = COEFFICIENTS.units;
  const weights: Record<string, number> = { chunk: chunk * (1 + WHOLENESS * share) };
  for (const [name, weight] of Object.entries(others)) weights[name] = weight * byWords;
  const relevances = weightedMeanValues(units.length, features, weights);
  const scored = units.map(
    ({ chunk, place }, at): ScoredUnit => ({ chunk, place, relevance: relevances[at] as number }),
  );
  scored.sort((a, b) => b.relevance - a.relevance || a.chunk - b.chunk || a.place - b.place);
  return { byChunk, scored };
}

/** How much of the relevance of these chunks is from the words of the query, 0..1. */
function shareOfWords(candidates: readonly Candidate[]): number {
  let words = 0;
  let all = 0;
  for (const { signals } of candidates) {
    for (const [name, part] of Object.entries(signals.features ?? {})) {
      // It was measured on passages, and does not say which of their sentences it was.
      if (name === 'utility') continue;
      all += part;
      if (IS_LEXICAL.has(name)) words += part;
    }
  }
  return all === 0 ? 1 : words / all;
}
