/** Texts in pieces: kept and cut parts, hidden characters by name, long texts shortened. */
import type { Excerpt } from 'context-shaping';
import { DIRECTION_CONTROLS, hiddenIn } from 'context-shaping/internal';

export interface Part {
  text: string;
  kept: boolean;
}

/** A text in its kept and its cut parts. */
export function partsOf(text: string, excerpts: readonly Excerpt[] | undefined, isKept = true): Part[] {
  if (excerpts === undefined) return [{ text, kept: isKept }];
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of excerpts.toSorted((a, b) => a.start - b.start)) {
    if (start > at) parts.push({ text: text.slice(at, start), kept: false });
    if (end > at) parts.push({ text: text.slice(Math.max(start, at), end), kept: true });
    at = Math.max(at, end);
  }
  if (at < text.length) parts.push({ text: text.slice(at), kept: false });
  return parts;
}

/**
 * The same parts with at most `most` characters. A long cut part that stands between others loses its middle, so that
 * the kept parts are seen.
 */
export function shortened(parts: readonly Part[], most: number): { parts: Part[]; left: number } {
  const total = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= most) return { parts: [...parts], left: 0 };
  const short: Part[] = [];
  let room = most;
  for (const { text, kept } of parts) {
    if (room <= 0) break;
    const end = wholeEnd(text, Math.min(text.length, room, kept ? most : Math.ceil(most / 8)));
    short.push({ text: text.slice(0, end), kept });
    if (end < text.length) short.push({ text: ' … ', kept: true });
    room -= end;
  }
  return { parts: short, left: total - (most - room) };
}

/** An end that does not part the two halves of one character. */
const wholeEnd = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length ? end + 1 : end;

/** A piece of text as it is, or a run of hidden characters by their code points. */
export type Piece = string | { codes: string };

/** The most code points of one run that are spelled out. */
const MOST_CODES = 8;
const EACH_DIRECTION = new RegExp(`[${DIRECTION_CONTROLS}]+`, 'g');

/** Makes invisible characters visible: those without a use at their place, and all that change the direction. */
export function visible(text: string): Piece[] {
  const spans = [
    ...hiddenIn(text),
    ...Array.from(text.matchAll(EACH_DIRECTION), ({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    })),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (end <= at) continue;
    if (start > at) pieces.push(text.slice(at, start));
    pieces.push({ codes: codesOf(text.slice(Math.max(start, at), end)) });
    at = end;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

function codesOf(hidden: string): string {
  const characters = [...hidden];
  const codes = characters
    .slice(0, MOST_CODES)
    .map((each) => `U+${(each.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = characters.length - codes.length;
  return codes.join(' ') + (more > 0 ? ` and ${more} more` : '');
}

/** The first words on one line, for a preview. */
export const firstWords = (text: string, most: number): string =>
  text
    .slice(0, 4 * most)
    .replaceAll(/^#{1,6} +|\*\*|`/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, most);
