/** The passages that a model judges: whole chunks, or parts of long chunks. */
import { isCuttable, renderedWith } from '../pool/candidate.js';
import type { TokenCounter } from '../ports.js';
import { Joiner } from '../text/join.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Unit } from '../text/units/page.js';
import { closure, unitsIn } from '../text/units/units.js';
import type { Candidate } from '../types.js';

export interface Passage {
  /** Index of its chunk among the chosen candidates. */
  readonly chunk: number;
  readonly text: string;
  /** Tokens that count for the length penalty: at most `maxTokens`. */
  readonly penalised: number;
}

/** A single unit may exceed the maximum length of a passage, up to this multiple. */
const LONGEST = 4;

/**
 * Returns the chunk as one passage if it has at most `maxTokens` tokens. Otherwise each passage has as many consecutive
 * units (sentences, rows, blocks) as fit `maxTokens`, together with the units that they need, such as their heading or the
 * header of their table. A chunk stays whole if its text cannot be cut within its rendered form.
 *
 * @param chunk index of the chunk, for the passages.
 * @param options `maxTokens`: tokens per passage. `most`: greatest number of passages. `countTokens`: counts tokens. `lexicon`: of
 *   the pool.
 * @returns undefined if there are more than `most` passages, or one has more than four times `maxTokens`.
 */
export function passagesOf(
  candidate: Candidate,
  chunk: number,
  {
    maxTokens,
    most,
    countTokens,
    lexicon,
  }: { maxTokens: number; most: number; countTokens: TokenCounter; lexicon: Lexicon },
): Passage[] | undefined {
  const { text, rendered, signals } = candidate;
  if (most < 1 || signals.tokens > most * LONGEST * maxTokens) return undefined;
  if (signals.tokens <= maxTokens || !isCuttable(candidate)) {
    const isTooLong = signals.tokens > LONGEST * maxTokens;
    return isTooLong
      ? undefined
      : [{ chunk, text: headed(candidate, rendered), penalised: Math.min(signals.tokens, maxTokens) }];
  }
  const units = unitsIn(text, lexicon);
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
  const joiner = new Joiner(text, units);
  return parts.map(({ places, tokens }) => {
    const kept = new Set(places.flatMap((place) => closure(units, place, false)));
    const part = renderedWith(candidate, joiner.join(kept, ' ').text);
    return { chunk, text: headed(candidate, part), penalised: Math.min(tokens, maxTokens) };
  });
}

/**
 * Puts the title, the date and the speaker of the metadata before a part of the text, as far as the part does not begin
 * with them: a turn of a talk means little without them. A text that the caller rendered has its own header.
 */
function headed({ text, rendered, sources: [{ title, date, speaker }] }: Candidate, part: string): string {
  if (rendered !== text) return part;
  const head = [title, date, speaker && `${speaker}:`].filter(
    (each) => each && !part.trimStart().startsWith(each),
  );
  return head.map((each) => (each?.endsWith(':') ? `${each} ` : `${each}. `)).join('') + part;
}

const isHeading = (unit: Unit | undefined) => unit?.kind === 'heading';
