/** How well the units of chunks answer a question: the same features as of chunks, and two of the chunk. */
import type { Pacer } from '../runtime/pacer.js';
import type { Lexicon } from '../text/lexicon.js';
import { endsWithColon } from '../text/units/page.js';
import { titledUnitsOf, type Unit, type UnitKind, unitsOf } from '../text/units.js';
import type { Candidate } from '../types.js';
import { chunkPassage, profileOf, unitPassage } from './chunks.js';
import { COEFFICIENTS } from './coefficients.js';
import { withoutEchoes } from './echo.js';
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
 * is 1 for the first under a title, if it names that: there a text says what it is about.
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
  const profile = profileOf(candidates);
  const wholes: Passage[] = [];
  for (const [chunk, candidate] of candidates.entries()) {
    const whole = chunkPassage(candidate, lexicon, profile);
    const all = unitsUnder(candidate, lexicon);
    let position = 0;
    for (const [place, unit] of all.entries()) {
      if (!mayAnswer(all, unit, place, candidate.text)) continue;
      const passage = unitPassage(candidate, whole, all, place, position, lexicon);
      if (passage.terms.length === whole.title.length) continue;
      units.push({ chunk, place });
      passages.push(passage);
      lead.push(Number(position === 0 && isNamedIn(whole.title, passage.terms.subarray(whole.title.length))));
      position++;
    }
    byChunk.push(all);
    wholes.push(whole);
    if (pacer.due()) await pacer.pause();
  }
  const features: Record<string, Float64Array> = {
    ...lexicalFeatures(question, withoutEchoes(passages, question, lexicon.vocabulary, wholes), lexicon, {
      names,
    }),
    chunk: shareOfBest(Float64Array.from(units, ({ chunk }) => candidates[chunk]?.signals.relevance ?? 0)),
    lead: Float64Array.from(lead),
  };
  return { units, byChunk, features };
}

/** Does a text have all the words of a title? */
function isNamedIn(title: Int32Array, terms: Int32Array): boolean {
  return title.length > 0 && title.every((term) => terms.includes(term));
}

/** The title is a heading, whatever it ends with. */
function unitsUnder({ text, sources: [{ title }] }: Candidate, lexicon: Lexicon): readonly Unit[] {
  const units = lexicon.found(text, unitsOf);
  if (title === undefined || units[0]?.kind === 'heading') return units;
  return titledUnitsOf(text, title) ?? units;
}

/**
 * Headings are kept for the sake of others; so is what announces something that needs it, and is read with it. What
 * announces something that the text has not is for nobody.
 */
function mayAnswer(
  units: readonly Unit[],
  { kind, announces, end }: Unit,
  place: number,
  text: string,
): boolean {
  if (kind === 'heading' || kind === 'mark') return false;
  return announces === undefined
    ? !endsWithColon(text, end)
    : units[announces]?.needs.includes(place) !== true;
}

/** Shares of what the features make of it: links name everything and say nothing, and a fragment breaks off. */
const PRIORS: Partial<Record<UnitKind, number>> = { links: 0.5, fragment: 0.8 };

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
  const scored = units.map(({ chunk, place }, at): ScoredUnit => {
    const prior = PRIORS[byChunk[chunk]?.[place]?.kind as UnitKind] ?? 1;
    return { chunk, place, relevance: prior * (relevances[at] as number) };
  });
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
