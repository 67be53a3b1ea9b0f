/** Text as a model may safely read it: nothing that a person would not see, and no forged control tokens. */
import { escaped, hiddenIn } from './text/hidden.js';
import { controlTokensIn } from './text/role-tags.js';
import type { Edit, Excerpt } from './types.js';

/** `strip`: hidden characters go; `escape`: they are shown as `\u{E0049}`. */
export const SANITISE_MODES = ['strip', 'escape'] as const;
export type SanitiseMode = (typeof SANITISE_MODES)[number];

export interface Sanitised {
  readonly text: string;
  /** What was changed, ascending; none where the text is as it was. */
  readonly edits: readonly Edit[];
}

/**
 * The text without hidden characters, or with escapes in their place, and with a space within each control token and role
 * tag (`< |im_start|>`, `[ INST]`, `Human :`), so that it can be read and no tokenizer takes it for one. Done twice it
 * is as done once.
 */
export function sanitise(text: string, mode: SanitiseMode): Sanitised {
  const hidden = hiddenIn(text).map(({ start, end }): Edit => {
    const shown = mode === 'strip' ? '' : [...text.slice(start, end)].map(escaped).join('');
    return { start, end, text: shown };
  });
  const seen = applyEdits(text, hidden);
  const tokens = controlTokensIn(seen);
  // Before the colon, else after the bracket. A character is replaced, so that each edit has a place of its own.
  const places = tokens.map(({ start, end }) => (seen.startsWith(':', end - 1) ? end - 1 : start + 1));
  const spaced = toOriginalOffsets(places, hidden, 'start').map(
    (start, which): Edit => ({ start, end: start + 1, text: ` ${seen[places[which] as number]}` }),
  );
  const edits = [...hidden, ...spaced].toSorted((a, b) => a.start - b.start);
  return edits.length === 0 ? { text, edits } : { text: applyEdits(text, edits), edits };
}

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
function toOriginalOffsets(
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
