/**
 * Finds characters that a model reads and a reader does not see. They can contain an instruction to the model that no
 * reviewer of the text finds. Many texts need some of these characters (emoji, Persian, Hindi, Arabic, Thai, soft
 * hyphens), so the neighbours of each character decide whether it is hidden.
 */

import type { HiddenClass } from '../../types.js';
import { EACH_SUSPECT, SUSPECT, suspectClass } from './classes.js';
import { DIRECTION_HERE, JUSTIFIED_HERE, RIGHT_TO_LEFT } from './justified.js';

/** Consecutive hidden characters of one class, as offsets in UTF-16 code units. */
export interface HiddenSpan {
  readonly start: number;
  readonly end: number;
  readonly class: HiddenClass;
}

const NONE: readonly HiddenSpan[] = Object.freeze([]);

/**
 * Returns the invisible characters that their neighbours do not justify, ascending. Neighbours of one class are in one
 * span.
 *
 * Two neighbours justify a character: the one directly before it, if that is not hidden, and the one directly after it,
 * if that cannot be hidden. So a text from which the hidden characters were removed has no hidden characters.
 */
export function hiddenIn(text: string): readonly HiddenSpan[] {
  if (!SUSPECT().test(text)) return NONE;
  const spans: { start: number; end: number; class: HiddenClass }[] = [];
  const isRightToLeft = RIGHT_TO_LEFT().test(text);
  let behind = 0;
  for (const { 0: character, index } of text.matchAll(EACH_SUSPECT())) {
    const codePoint = character.codePointAt(0) as number;
    const kind = suspectClass(codePoint);
    const end = index + character.length;
    const last = spans.at(-1);
    // A flag of emoji, or a row of icons, is justified as a whole.
    if (index < behind) continue;
    const justified = kind === 'bidirectional' ? DIRECTION_HERE() : JUSTIFIED_HERE();
    justified.lastIndex = index;
    if ((kind !== 'bidirectional' || isRightToLeft) && justified.test(text)) behind = justified.lastIndex;
    if (index < behind) continue;
    if (last?.end === index && last.class === kind) last.end = end;
    else spans.push({ start: index, end, class: kind });
  }
  return spans;
}
