/** What is put before the model: whole chunks, or parts of those that say too much at once. */
import { isCuttable, renderedWith } from '../candidate.js';
import type { TokenCounter } from '../ports.js';
import { unitsOf } from '../text/units.js';
import type { Candidate } from '../types.js';

export interface Passage {
  /** Place of its chunk among those given. */
  readonly chunk: number;
  readonly text: string;
  readonly tokens: number;
}

/**
 * The chunk, if it has at most `maxTokens`, else neighbouring units (sentences, rows, blocks) together, as many as
 * that holds. A unit that is larger stays whole, and so does a chunk that the model sees otherwise than as its text.
 */
export function passagesOf(
  candidate: Candidate,
  chunk: number,
  maxTokens: number,
  countTokens: TokenCounter,
): Passage[] {
  const { text, rendered, signals } = candidate;
  const whole = { chunk, text: rendered, tokens: signals.tokens };
  if (signals.tokens <= maxTokens || !isCuttable(candidate)) return [whole];
  const around = signals.tokens - countTokens(text);
  const passages: Passage[] = [];
  let start = 0;
  let end = 0;
  let tokens = around;
  const close = () => {
    if (end > start) passages.push({ chunk, text: renderedWith(candidate, text.slice(start, end)), tokens });
  };
  for (const unit of unitsOf(text)) {
    const own = countTokens(text.slice(unit.start, unit.end));
    if (end > start && tokens + own > maxTokens) {
      close();
      tokens = around;
      start = unit.start;
    } else if (end === start) start = unit.start;
    end = unit.end;
    tokens += own;
  }
  close();
  return passages.length === 0 ? [whole] : passages;
}
