/** What a shaped result tells the model about what it does not show. One line, or one more for each passage. */
import type { DocumentInterface } from '@langchain/core/documents';

/** Name of the tool by which the model reads what was left out. */
export const RECALL_TOOL = 'recall_passage';

const PREVIEW_CHARACTERS = 60;

export interface LeftOut {
  /** How many passages the result has, all in all. */
  total: number;
  /** How many of them are not shown, or not in full. */
  leftOut: number;
  /** How many are not shown because a newer result shows them. */
  repeated: number;
  /** Reads what is left out. */
  handle?: string | undefined;
}

/** In one line; empty if nothing is left out. */
export function noteOf({ total, leftOut, repeated, handle }: LeftOut): string {
  const facts = [
    ...(repeated === 0 ? [] : [`${repeated} in a newer result`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out or cut${handle ? `, ${RECALL_TOOL} ${handle}` : ''}`]),
  ];
  return facts.length === 0 ? '' : `[Of ${total} passages: ${facts.join('; ')}]`;
}

/** The longest note that a result of so many passages may get. */
export const longestNote = (total: number, handle: string | undefined): string =>
  noteOf({ total, leftOut: total, repeated: total, handle });

/** A passage that is left out, in one line: its handle, and by what to know it. */
export function lineOf(handle: string, { id, metadata, pageContent }: DocumentInterface): string {
  const { title, source } = (metadata ?? {}) as Record<string, unknown>;
  const name = [title, source, id].find((each) => typeof each === 'string' && each !== '');
  return [handle, ...(name === undefined ? [] : [`${oneLine(String(name))}:`]), oneLine(pageContent)].join(
    ' ',
  );
}

/** Without line breaks and brackets: a passage must not look like a note. */
function oneLine(text: string): string {
  const plain = text.replace(/[[\]\p{C}\s]+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length > PREVIEW_CHARACTERS
    ? `${characters.slice(0, PREVIEW_CHARACTERS).join('').trimEnd()}…`
    : plain;
}
