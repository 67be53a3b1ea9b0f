/**
 * Characters that a reader does not see and a model does: what stands in them can be an order to the model that nobody
 * who checks the text finds. Many texts need some of them (emoji, Persian, Hindi, Arabic, Thai, soft hyphens), so each
 * is judged by where it stands.
 */
import { EACH_SUSPECT, type HiddenClass, SUSPECT, suspectClass } from './classes.js';
import { Place } from './place.js';

/** Characters of one class that follow each other, in UTF-16 code units. */
export interface HiddenSpan {
  readonly start: number;
  readonly end: number;
  readonly class: HiddenClass;
}

/**
 * The invisible characters that nothing justifies where they stand, ascending; neighbours of one class in one span.
 *
 * What is justified rests on what stands directly before it, and is itself not hidden, and on what stands directly after
 * it, and can not be hidden. So the text without the hidden characters has none.
 */
export function hiddenIn(text: string): readonly HiddenSpan[] {
  if (!SUSPECT().test(text)) return [];
  const spans: { start: number; end: number; class: HiddenClass }[] = [];
  const place = new Place(text);
  for (const { 0: character, index } of text.matchAll(EACH_SUSPECT())) {
    const codePoint = character.codePointAt(0) as number;
    const kind = suspectClass(codePoint);
    const end = index + character.length;
    const last = spans.at(-1);
    const follows = last?.end === index;
    place.at(codePoint, index, end, follows);
    if (place.isJustified(kind)) continue;
    if (last !== undefined && follows && last.class === kind) last.end = end;
    else spans.push({ start: index, end, class: kind });
  }
  return spans;
}
