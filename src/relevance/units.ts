/**
 * The relevance of units: the probability that a unit of a chunk holds evidence for the question.
 *
 *   P(u) = (1 − τ) · Q(u) + τ · P(c)
 *   Q(u) = logistic(base + size · ln n + length · ln(characters) + Σ_f weight_f · value_f(u) + kind(u)
 *                   + words · W(c) + beyond · (L(c) − W(c)))
 *
 * n is the number of units that may answer. c is the chunk of the unit, L its log-odds, and W their part that comes from
 * the text of the chunk itself. The rest is what its title, other chunks, the order of the list, vectors, utility and
 * other stages add. It counts more than W, because the unit has most of the chunk's words itself.
 *
 * With the probability τ, the question asks for the whole passage, so that every unit of a relevant chunk is evidence.
 *
 * τ = .1 keeps .008 more of the evidence of unordered lists than .05, and as much of ordered ones. τ = .2 keeps less.
 */

import { log } from '../math/elementary.js';
import { logistic } from '../math/logprobs.js';
import { isBlank, isCuttable } from '../pool/candidate.js';
import type { Pacer } from '../runtime/pacer.js';
import * as everyday from '../text/background.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Unit } from '../text/units/page.js';
import { endsWithColon } from '../text/units/page.js';
import { unitsUnder } from '../text/units/units.js';
import type { Candidate } from '../types.js';
import { chunkPassage, profileOf, unitPassage } from './chunks.js';
import { COEFFICIENTS } from './coefficients.js';
import { withoutEchoes } from './echo.js';
import { isOfText, LEXICAL, type LexicalFeature, lexicalFeatures } from './features.js';
import { BASE, logOddsOf } from './model.js';
import type { Passage, Question } from './passage.js';

/** A unit that may answer the question. Headings and rules are kept only if other units need them. */
export interface ScoredUnit {
  /** Index of its chunk among the given candidates. */
  readonly chunk: number;
  /** Index among the units of its chunk. */
  readonly place: number;
  /** Equal for units with the same words. Case and white space do not count. */
  readonly says: number;
  /** The probability that it holds evidence, 0..1. */
  readonly relevance: number;
}

const NAMES = LEXICAL.filter((name) => name in COEFFICIENTS.units.weights);

/**
 * Computes the features of units, before weighting. `lengths` are the logarithms of their characters.
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
  features: Partial<Record<LexicalFeature, Float64Array>>;
  lengths: Float64Array;
}> {
  const units: { chunk: number; place: number }[] = [];
  const passages: Passage[] = [];
  const lengths: number[] = [];
  const byChunk: (readonly Unit[])[] = [];
  const profile = profileOf(candidates);
  const wholes: Passage[] = [];
  for (const [chunk, candidate] of candidates.entries()) {
    const whole = chunkPassage(candidate, lexicon, profile);
    const all = unitsOfCandidate(candidate, lexicon);
    let position = 0;
    for (const [place, unit] of all.entries()) {
      if (!mayAnswer(all, unit, place, candidate.text)) continue;
      const passage = unitPassage(candidate, whole, all, place, position, lexicon);
      if (passage.terms.length === whole.title.length) continue;
      units.push({ chunk, place });
      passages.push(passage);
      lengths.push(log(unit.end - unit.start));
      position++;
    }
    byChunk.push(all);
    wholes.push(whole);
    if (pacer.due()) await pacer.pause();
  }
  const own = withoutEchoes(passages, question, lexicon.vocabulary, wholes);
  const language = profile === 'passages' ? everyday : undefined;
  const features = lexicalFeatures(question, own, lexicon, { names, language });
  return { units, byChunk, features, lengths: Float64Array.from(lengths) };
}

/** Splits the text into units. A text that cannot be cut, or of which no unit may answer, is one unit. */
function unitsOfCandidate(candidate: Candidate, lexicon: Lexicon): readonly Unit[] {
  const {
    text,
    sources: [{ title }],
  } = candidate;
  if (isBlank(candidate)) return [];
  const whole: readonly Unit[] = [{ start: 0, end: text.length, kind: 'block', needs: [] }];
  if (!isCuttable(candidate)) return whole;
  const units = unitsUnder(text, title, lexicon);
  return units.some((unit, place) => mayAnswer(units, unit, place, text)) ? units : whole;
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
    ? kind === 'block' || !endsWithColon(text, end)
    : units[announces]?.needs.includes(place) !== true;
}

/** τ. */
const WHOLE = 0.1;

/**
 * Scores the units that may answer, best first. Ties go to the earlier chunk, then to the earlier unit.
 *
 * @param pacer pauses between chunks.
 */
export async function scoreUnits(
  question: Question,
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  pacer: Pacer,
): Promise<{ byChunk: readonly (readonly Unit[])[]; scored: readonly ScoredUnit[] }> {
  const found = await unitFeatures(question, candidates, lexicon, { pacer });
  const { units, byChunk, features, lengths } = found;
  const says = numbersOfTexts(candidates, found);
  const { base, size, length, words, beyond, weights } = COEFFICIENTS.units;
  const ofChunks = candidates.map((candidate) => {
    const byWords = logOddsByWords(candidate.signals.features ?? {});
    return words * byWords + beyond * (logOddsOf(candidate.signals.relevance ?? 0) - byWords);
  });
  const start = base + size * log(Math.max(1, units.length));
  const columns = Object.entries(weights).flatMap(([name, weight]) => {
    const values = features[name as LexicalFeature];
    return values === undefined ? [] : [{ values, weight }];
  });
  const scored = units.map(({ chunk, place }, at): ScoredUnit => {
    let logOdds = start + length * (lengths[at] as number) + (ofChunks[chunk] as number);
    for (const { values, weight } of columns) logOdds += weight * (values[at] as number);
    const own = logistic(logOdds);
    const relevance = (1 - WHOLE) * own + WHOLE * (candidates[chunk]?.signals.relevance ?? 0);
    return { chunk, place, says: says[at] as number, relevance };
  });
  scored.sort((a, b) => b.relevance - a.relevance || a.chunk - b.chunk || a.place - b.place);
  return { byChunk, scored };
}

/** W, from the shares of a chunk's log-odds. */
export function logOddsByWords(parts: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, part] of Object.entries(parts)) if (name === BASE || isOfText(name)) sum += part;
  return sum;
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
