/** Applies edits to a text, and maps offsets of the edited text to the original. */
import type { Edit, Excerpt } from '../types.js';

/** Returns the text after all edits. */
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

/**
 * Maps stretches of the edited text, ascending, to the original. Text that was removed at the ends of a stretch is
 * excluded.
 */
export function toOriginal(excerpts: readonly Excerpt[], edits: readonly Edit[]): Excerpt[] {
  const starts = excerpts.map(({ start }) => start);
  const ends = excerpts.map(({ end }) => end);
  const [from, to] = [toOriginalOffsets(starts, edits, 'start'), toOriginalOffsets(ends, edits, 'end')];
  return from.map((start, which) => ({ start, end: Math.max(start, to[which] as number) }));
}

/** Returns the last offset up to `end` at which the edited text can be cut without splitting the text of an edit. */
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

/** Maps offsets of the edited text, ascending, to the original, as starts or as ends of stretches. */
export function toOriginalOffsets(
  offsets: readonly number[],
  edits: readonly Edit[],
  side: 'start' | 'end',
): number[] {
  let next = 0;
  /** Difference between an offset in the original and in the edited text, after the edits so far. */
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
