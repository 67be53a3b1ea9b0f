/** Finds controls of direction without their partner: their effect would go on into what follows the text. */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { HiddenSpan } from './hidden.js';

/** The embeddings and their end, the isolates and theirs. */
const PAIRED = lazyRegExp(String.raw`[\u202a-\u202c\u2066-\u2069]`, 'gu');
const END_OF_EMBEDDING = '\u202c';
const END_OF_ISOLATE = '\u2069';
const FIRST_ISOLATE = '\u2066';

/**
 * Returns the beginnings of embeddings and isolates that nothing ends, and the ends of none, ascending. The end of an isolate
 * also ends the embeddings within it, which lack their own end.
 *
 * @param hidden spans of the text that do not count, ascending.
 */
export function unpairedIn(text: string, hidden: readonly HiddenSpan[]): readonly HiddenSpan[] {
  const unpaired = new Set<number>();
  const open: { at: number; isIsolate: boolean }[] = [];
  let isolates = 0;
  let next = 0;
  for (const { 0: character, index: at } of text.matchAll(PAIRED())) {
    while (next < hidden.length && (hidden[next] as HiddenSpan).end <= at) next++;
    if (at >= (hidden[next]?.start ?? text.length)) continue;
    if (character === END_OF_EMBEDDING) {
      if (open.at(-1)?.isIsolate === false) open.pop();
      else unpaired.add(at);
    } else if (character === END_OF_ISOLATE) {
      // Counted, because a search for none would read all that is open.
      if (isolates === 0) unpaired.add(at);
      else {
        const isolate = open.findLastIndex(({ isIsolate }) => isIsolate);
        for (const each of open.splice(isolate).slice(1)) unpaired.add(each.at);
        isolates--;
      }
    } else {
      const isIsolate = character >= FIRST_ISOLATE;
      open.push({ at, isIsolate });
      if (isIsolate) isolates++;
    }
  }
  for (const { at } of open) unpaired.add(at);
  return [...unpaired]
    .sort((a, b) => a - b)
    .map((start) => ({ start, end: start + 1, class: 'bidirectional' }));
}
