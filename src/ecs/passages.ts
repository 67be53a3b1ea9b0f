/** The passages that a model judges: whole chunks, or the best part of a long chunk. */
import { isCuttable, renderedWith } from '../pool/candidate.js';
import type { TokenCounter } from '../ports.js';
import type { Question } from '../relevance/passage.js';
import { scoreUnits } from '../relevance/units.js';
import type { Pacer } from '../runtime/pacer.js';
import { Joiner } from '../text/join.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Unit } from '../text/units/page.js';
import { closure } from '../text/units/units.js';
import type { Candidate } from '../types.js';

export interface Passage {
  readonly text: string;
  /** Tokens that count for the length penalty: at most `maxTokens`. */
  readonly penalised: number;
}

/** A passage that cannot be cut further may exceed the maximum length up to this multiple. */
const LONGEST = 4;

/**
 * Returns one passage for each chunk. A chunk of more than `maxTokens` tokens becomes its best part: the consecutive units
 * (sentences, rows, blocks) that fit `maxTokens` and have the most relevance by words. A part also has the units that it
 * needs, such as a heading or the header of a table. Ties go to the earlier part. A chunk stays whole if its text
 * cannot be cut within its rendered form.
 *
 * @returns by chunk; undefined for a chunk of which every part has more than four times `maxTokens`.
 */
export async function passagesOf(
  chunks: readonly Candidate[],
  question: () => Question,
  {
    maxTokens,
    countTokens,
    lexicon,
    pacer,
  }: { maxTokens: number; countTokens: TokenCounter; lexicon: Lexicon; pacer: Pacer },
): Promise<(Passage | undefined)[]> {
  const long = chunks.filter((each) => each.signals.tokens > maxTokens && isCuttable(each));
  if (long.length === 0) return chunks.map((each) => wholeOf(each, maxTokens));
  const { byChunk, scored } = await scoreUnits(question(), long, lexicon, pacer);
  const worths = byChunk.map((units) => new Float64Array(units.length));
  for (const { chunk, place, relevance } of scored) (worths[chunk] as Float64Array)[place] = relevance;
  return chunks.map((each) => {
    const at = long.indexOf(each);
    if (at < 0) return wholeOf(each, maxTokens);
    return partOf(each, byChunk[at] as readonly Unit[], worths[at] as Float64Array, maxTokens, countTokens);
  });
}

function wholeOf(candidate: Candidate, maxTokens: number): Passage | undefined {
  const { rendered, signals } = candidate;
  if (signals.tokens > LONGEST * maxTokens) return undefined;
  return { text: headed(candidate, rendered), penalised: Math.min(signals.tokens, maxTokens) };
}

function partOf(
  candidate: Candidate,
  units: readonly Unit[],
  worths: Float64Array,
  maxTokens: number,
  countTokens: TokenCounter,
): Passage | undefined {
  const { text, signals } = candidate;
  const around = signals.tokens - countTokens(text);
  const costs = units.map(({ start, end }) => countTokens(text.slice(start, end)));
  let best: { first: number; end: number; tokens: number } | undefined;
  let most = Number.NEGATIVE_INFINITY;
  let [end, tokens, worth] = [0, around, 0];
  for (let first = 0; first < units.length; first++) {
    // A unit that does not fit stands alone.
    while (end < units.length && (end === first || tokens + (costs[end] as number) <= maxTokens)) {
      tokens += costs[end] as number;
      worth += worths[end++] as number;
    }
    if (worth > most && tokens <= LONGEST * maxTokens) [best, most] = [{ first, end, tokens }, worth];
    tokens -= costs[first] as number;
    worth -= worths[first] as number;
  }
  if (best === undefined) return undefined;
  const kept = new Set<number>();
  for (let place = best.first; place < best.end; place++)
    for (const each of closure(units, place, false)) kept.add(each);
  const part = renderedWith(candidate, new Joiner(text, units).join(kept, ' ').text);
  return { text: headed(candidate, part), penalised: Math.min(best.tokens, maxTokens) };
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
