/** The relevance of the units within chunks. It uses the lexical features, and two features of the chunk. */
import type { Memory } from '../runtime/memory.js';
import type { Pacer } from '../runtime/pacer.js';
import type { Lexicon } from '../text/lexicon.js';
import { TermList } from '../text/term-list.js';
import type { Unit, UnitKind } from '../text/units/page.js';
import { endsWithColon } from '../text/units/page.js';
import { titledUnitsOf, unitsOf } from '../text/units/units.js';
import type { Candidate } from '../types.js';
import { chunkPassage, profileOf, unitPassage } from './chunks.js';
import { COEFFICIENTS } from './coefficients.js';
import { withoutEchoes } from './echo.js';
import { LEXICAL, type LexicalFeature, lexicalFeatures, shareOfBest } from './features.js';
import type { Passage, Question } from './passage.js';
import { weightedMeanValues } from './weighted-mean.js';

/** A unit that may answer the question. Headings and rules are kept only if other units need them. */
export interface ScoredUnit {
  /** Index of its chunk among the given candidates. */
  readonly chunk: number;
  /** Index among the units of its chunk. */
  readonly place: number;
  /** Equal for units with the same words. Case and white space do not count. */
  readonly says: number;
  /** 0..1. */
  readonly relevance: number;
}

const IS_LEXICAL: ReadonlySet<string> = new Set(LEXICAL);
const NAMES = LEXICAL.filter((name) => name in COEFFICIENTS.units);

/**
 * Computes the features of units, 0..1, before weighting. `chunk` is the relevance of the unit's chunk as a share of the
 * best. `lead` is 1 for the first unit of a chunk if it contains all words of the title: such a unit usually states the
 * subject of the text.
 *
 * @param options `names`: the lexical features to compute. `pacer` pauses between chunks.
 * @returns the units that may answer, all units by chunk, and the features with one value per unit of `units`.
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
  const list = new TermList();
  for (const [chunk, candidate] of candidates.entries()) {
    const whole = chunkPassage(candidate, lexicon, profile, list);
    const all = unitsUnder(candidate, lexicon);
    let position = 0;
    for (const [place, unit] of all.entries()) {
      if (!mayAnswer(all, unit, place, candidate.text)) continue;
      const passage = unitPassage(candidate, whole, all, place, position, lexicon, list);
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
  const own = await pacer.run(withoutEchoes(passages, question, lexicon.vocabulary, wholes));
  const features: Record<string, Float64Array> = {
    ...(await pacer.run(lexicalFeatures(question, own, lexicon, { names }))),
    chunk: shareOfBest(Float64Array.from(units, ({ chunk }) => candidates[chunk]?.signals.relevance ?? 0)),
    lead: Float64Array.from(lead),
  };
  return { units, byChunk, features };
}

/** Returns whether the terms contain all terms of the title. False without a title. */
function isNamedIn(title: Int32Array, terms: Int32Array): boolean {
  return title.length > 0 && title.every((term) => terms.includes(term));
}

/** Splits the text into units. If the text begins with its title, the title is a heading, however it ends. */
function unitsUnder({ text, sources: [{ title }] }: Candidate, lexicon: Lexicon): readonly Unit[] {
  const units = lexicon.found(text, unitsOf);
  if (title === undefined || units[0]?.kind === 'heading') return units;
  return titledUnitsOf(text, title) ?? units;
}

/**
 * Returns whether a unit may answer. Headings and rules may not: they are kept only if other units need them. The same
 * holds for a unit that announces a unit that needs it, because both are read together. A unit that ends with a colon but
 * announces no unit may not answer either.
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

/** Factors on the relevance of some kinds: lists of links name many things without facts, and fragments are incomplete. */
const PRIORS: Partial<Record<UnitKind, number>> = { links: 0.5, fragment: 0.8 };

/**
 * The larger the share of tokens that can be kept, the more the chunk's relevance counts: at half of the tokens twice as
 * much as at almost none. A whole passage is easier to follow, and it also contains evidence that no feature detects.
 */
const WHOLENESS = 2;

/**
 * Scores the units that may answer, best first. Ties go to the earlier chunk, then to the earlier unit.
 *
 * The lexical features weigh as much among units as they do among chunks. To the extent that the relevance of the chunks
 * comes from vectors and scores, only the relevance of the chunk counts.
 *
 * @param options `share`: the share of the tokens that can be kept, 0..1. `pacer` pauses between chunks. `memory`: keeps the
 *   features, which do not depend on `share`.
 */
export async function scoreUnits(
  question: Question,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  { share, pacer, memory }: { share: number; pacer: Pacer; memory: Memory },
) {
  const known = await memory.awaited(memory.list(candidates), 'units', async () => {
    const found = await unitFeatures(question, candidates, lexicon, { pacer });
    return {
      ...found,
      says: numbersOfTexts(candidates, found),
      byWords: shareOfWords(candidates),
      order: [...found.units.keys()],
    };
  });
  const { units, byChunk, features, says, byWords, order } = known;
  const { chunk, ...others } = COEFFICIENTS.units;
  const weights: Record<string, number> = { chunk: chunk * (1 + WHOLENESS * share) };
  for (const [name, weight] of Object.entries(others)) weights[name] = weight * byWords;
  const relevances = weightedMeanValues(units.length, features, weights);
  for (const [at, { chunk, place }] of units.entries()) {
    relevances[at] = (relevances[at] as number) * (PRIORS[byChunk[chunk]?.[place]?.kind as UnitKind] ?? 1);
  }
  // Units are numbered by chunk and place. The order of an earlier run is nearly right, and so is sorted fast.
  order.sort((a, b) => (relevances[b] as number) - (relevances[a] as number) || a - b);
  const scored = order.map((at): ScoredUnit => {
    const { chunk, place } = units[at] as (typeof units)[number];
    return { chunk, place, says: says[at] as number, relevance: relevances[at] as number };
  });
  return { byChunk, scored };
}

/** White space other than one space between two words. Few sentences have it. */
const UNEVEN = /[^\S ]| {2}|^ | $/;

/** Numbers the words of units: equal words have equal numbers. */
function numbersOfTexts(
  candidates: readonly Candidate[],
  { units, byChunk }: { units: readonly { chunk: number; place: number }[]; byChunk: (readonly Unit[])[] },
): number[] {
  const numbers = new Map<string, number>();
  return units.map(({ chunk, place }) => {
    const { start, end } = (byChunk[chunk] as readonly Unit[])[place] as Unit;
    const lower = (candidates[chunk] as Candidate).text.slice(start, end).toLowerCase();
    const words = UNEVEN.test(lower) ? lower.replace(/\s+/g, ' ').trim() : lower;
    const number = numbers.get(words) ?? numbers.size;
    numbers.set(words, number);
    return number;
  });
}

/** Returns the share of the relevance of these chunks that lexical features contribute, 0..1. */
function shareOfWords(candidates: readonly Candidate[]): number {
  let words = 0;
  let all = 0;
  for (const { signals } of candidates) {
    for (const [name, part] of Object.entries(signals.features ?? {})) {
      // Utility was measured on whole passages. It does not show which of their sentences helped.
      if (name === 'utility') continue;
      all += part;
      if (IS_LEXICAL.has(name)) words += part;
    }
  }
  return all === 0 ? 1 : words / all;
}
