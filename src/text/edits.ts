/** Edits of a text, and where what comes of them lies in the text that was. */
import type { Edit, Excerpt } from '../types.js';

/** The text with each edit made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const parts: string[] = [];
  let last = 0;
  for (const edit of edits) {
    parts.push(text.slice(last, edit.start), edit.text);
    last = edit.end;
  }
  return parts.join('') + text.slice(last);
}

/** Where stretches of the edited text, ascending, lie in the original. What was removed at their ends is not of them. */
export function toOriginal(excerpts: readonly Excerpt[], edits: readonly Edit[]): Excerpt[] {
  const starts = excerpts.map(({ start }) => start);
  const ends = excerpts.map(({ end }) => end);
  const [from, to] = [toOriginalOffsets(starts, edits, 'start'), toOriginalOffsets(ends, edits, 'end')];
  return from.map((start, which) => ({ start, end: Math.max(start, to[which] as number) }));
}

/** Where a cut at `end` of the edited text may be, so that it has no part of an edit. */
export function endOutsideEdits(end: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const edit of edits) {
    const start = edit.start - shift;
    if (start >= end) break;
    if (end < start + edit.text.length) return start;
    shift = edit.end - start - edit.text.length;
  }
  return end;
}

/** Offsets, ascending, as starts or ends of stretches. */
export function toOriginalOffsets(
  offsets: readonly number[],
  edits: readonly Edit[],
  side: 'start' | 'end',
): number[] {
  let next = 0;
  /** Of an offset behind the edits so far, how much further it is in the original. */
  let shift = 0;
  return offsets.map((offset) => {
    for (let edit = edits[next]; edit !== undefined; edit = edits[++next]) {
      const start = edit.start - shift;
      const end = start + edit.text.length;
      if (offset < start || (offset === start && (side === 'end' || end > start))) break;
      if (offset < end) return side === 'start' ? edit.start : edit.end;
      shift = edit.end - end;
    }
    return offset + shift;
  });
}
