/** Properties of a thing that a heading names: `Type: number`, `Default: 0`. */
import type { Unit } from './page.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** One or two words, a colon, and a short value that is no sentence. */
const PROPERTY =
  /^[-*+•\s]*["'*_`]{0,3}\p{L}[\p{L}\d-]{0,30}(?: \p{L}[\p{L}\d-]{0,30})?["'*_`]{0,3} ?[:：]["'*_`]{0,3}\s+\S[^\n]{0,60}$/u;
const SENTENCE_END = /\p{L}{2}[.!?。][\s\\]*$/u;

/**
 * Ties properties right below a heading to the first sentence about the thing: a property announces the next one, and
 * the last one the sentence. A heading with `Default: 0` says nothing without it, and the sentence is worth more with its
 * default.
 *
 * @param units of the text, changed in place.
 */
export function tieProperties(text: string, units: readonly Unit[]): void {
  for (let at = 1; at < units.length; at++) {
    if (units[at - 1]?.kind !== 'heading') continue;
    let behind = at;
    while (isProperty(text, units[behind])) behind++;
    const subject = units[behind];
    if (behind === at || subject?.kind !== 'sentence' || subject.heading !== units[at]?.heading) continue;
    for (let place = at; place < behind; place++) {
      const [property, next] = [units[place] as Mutable<Unit>, units[place + 1] as Mutable<Unit>];
      if (property.announces !== undefined || next.leansOn !== undefined) break;
      property.announces = place + 1;
      next.leansOn = place;
    }
  }
}

function isProperty(text: string, unit: Unit | undefined): boolean {
  if (unit?.kind !== 'item' && unit?.kind !== 'sentence') return false;
  const own = text.slice(unit.start, unit.end);
  return PROPERTY.test(own) && !SENTENCE_END.test(own);
}
