/** What is put before the model: whole chunks, or parts of those that say too much at once. */
import { isCuttable, renderedWith } from '../pool/candidate.js';
import type { TokenCounter } from '../ports.js';
import { join } from '../text/join.js';
import { closure, type Unit, unitsOf } from '../text/units.js';
import type { Candidate } from '../types.js';

export interface Passage {
  /** Place of its chunk among those given. */
  readonly chunk: number;
  readonly text: string;
  /** Tokens that count as its length: no more than a passage should have. */
  readonly penalised: number;
}

/** A part may be longer than it should if it is one unit, but not by more than this. */
const LONGEST = 4;

/**
 * The chunk, if it has at most `maxTokens`, else neighbouring units (sentences, rows, blocks) together, as many as
 * that holds, with what they cannot be read without: their heading, the header of a row. A chunk that the model sees
 * otherwise than as its text stays whole.
 *
 * @param most how many parts there may be.
 * @returns nothing, if there are more, or one is far too long.
 */
export function passagesOf(
  candidate: Candidate,
  chunk: number,
  { maxTokens, most, countTokens }: { maxTokens: number; most: number; countTokens: TokenCounter },
): Passage[] | undefined {
  const { text, rendered, signals } = candidate;
  if (most < 1 || signals.tokens > most * LONGEST * maxTokens) return undefined;
  if (signals.tokens <= maxTokens || !isCuttable(candidate)) {
    const isTooLong = signals.tokens > LONGEST * maxTokens;
    return isTooLong
      ? undefined
      : [{ chunk, text: rendered, penalised: Math.min(signals.tokens, maxTokens) }];
  }
  const units = unitsOf(text);
  const around = signals.tokens - countTokens(text);
  const parts: { places: number[]; tokens: number }[] = [];
  for (const [place, unit] of units.entries()) {
    const tokens = countTokens(text.slice(unit.start, unit.end));
    if (tokens > LONGEST * maxTokens) return undefined;
    const last = parts.at(-1);
    const endsSection = unit.kind === 'heading' && last?.places.some((each) => !isHeading(units[each]));
    if (last === undefined || endsSection || last.tokens + tokens > maxTokens) {
      if (parts.length === most) return undefined;
      parts.push({ places: [place], tokens: around + tokens });
    } else {
      last.places.push(place);
      last.tokens += tokens;
    }
  }
  return parts.map(({ places, tokens }) => {
    const kept = new Set(places.flatMap((place) => closure(units, place, false)));
    return {
      chunk,
      text: renderedWith(candidate, join(text, units, kept, ' ').text),
      penalised: Math.min(tokens, maxTokens),
    };
  });
}

const isHeading = (unit: Unit | undefined) => unit?.kind === 'heading';
