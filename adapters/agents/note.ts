/** The note in a shaped result about the passages that it leaves out: one line, and one line for each listed passage. */
import type { DocumentInterface } from '@langchain/core/documents';

/** Name of the tool that reads left-out passages. */
export const RECALL_TOOL = 'recall_passage';

const PREVIEW_CHARACTERS = 60;

export interface LeftOut {
  /** Number of all passages of the result. */
  total: number;
  /** Number of passages that are not shown in full. */
  leftOut: number;
  /** Number of passages that are not shown because a newer result shows them. */
  repeated: number;
  /** Handle of the left-out passages. */
  handle?: string | undefined;
}

/** The note, in one line; empty if nothing is left out. */
export function noteOf({ total, leftOut, repeated, handle }: LeftOut): string {
  const facts = [
    ...(repeated === 0 ? [] : [`${repeated} in a newer result`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out or cut${handle ? `, ${RECALL_TOOL} ${handle}` : ''}`]),
  ];
  return facts.length === 0 ? '' : `[Of ${total} passages: ${facts.join('; ')}]`;
}

/** The longest note for a result with `total` passages. */
export const longestNote = (total: number, handle: string | undefined): string =>
  noteOf({ total, leftOut: total, repeated: total, handle });

/** A left-out passage in one line: its handle, its name, and how it begins. */
export function lineOf(handle: string, { id, metadata, pageContent }: DocumentInterface): string {
  const { title, source } = (metadata ?? {}) as Record<string, unknown>;
  const name = [title, source, id].find((each) => typeof each === 'string' && each !== '');
  return [handle, ...(name === undefined ? [] : [`${oneLine(String(name))}:`]), oneLine(pageContent)].join(
    ' ',
  );
}

/** Removes line breaks and brackets, so that a passage cannot look like a note. */
function oneLine(text: string): string {
  const plain = text.replace(/[[\]\p{C}\s]+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length > PREVIEW_CHARACTERS
    ? `${characters.slice(0, PREVIEW_CHARACTERS).join('').trimEnd()}…`
    : plain;
}
