/** The note in a shaped result about the passages that it leaves out: one line, and one line for each listed passage. */
import type { Passage } from './messages.js';

/** Name of the tool that reads left-out passages. */
export const RECALL_TOOL = 'recall_passage';

const PREVIEW_CHARACTERS = 60;

export interface LeftOut {
  /** Number of all passages of the result. */
  total: number;
  /** Number of passages that are not shown in full. */
  leftOut: number;
  /** Handle of the left-out passages. */
  handle?: string | undefined;
}

/** The note, in one line; empty if nothing is left out. */
export const noteOf = ({ total, leftOut, handle }: LeftOut): string =>
  leftOut === 0
    ? ''
    : `[Of ${total} passages: ${leftOut} left out or cut${handle ? `, ${RECALL_TOOL} ${handle}` : ''}]`;

const NOTE = /(?:^|\n\n)(\[Of (\d+) passages: (\d+) [^\]\n]*?(?:recall_passage ([\w-]+))?\](?:\n[^\n]+)*)$/;

/** The note at the end of a text, with its list; undefined if the text ends with none. Tools may have written it. */
export function noteIn(
  text: string,
): { note: string; total: number; leftOut: number; handle: string | undefined } | undefined {
  const [, note, total, leftOut, handle] =
    NOTE.exec(text.slice(Math.max(0, text.lastIndexOf('[Of ') - 2))) ?? [];
  return note === undefined ? undefined : { note, total: Number(total), leftOut: Number(leftOut), handle };
}

/** A left-out passage in one line: its handle, its name, and how it begins. */
export function lineOf(handle: string, { id, metadata, text }: Passage): string {
  const { title, source } = metadata ?? {};
  const name = [title, source, id].find((each) => typeof each === 'string' && each !== '');
  return [handle, ...(name === undefined ? [] : [`${oneLine(String(name))}:`]), oneLine(text)].join(' ');
}

/** Removes line breaks and brackets, so that a passage cannot look like a note. */
function oneLine(text: string): string {
  const plain = text.replace(/[[\]\p{C}\s]+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length > PREVIEW_CHARACTERS
    ? `${characters.slice(0, PREVIEW_CHARACTERS).join('').trimEnd()}…`
    : plain;
}
