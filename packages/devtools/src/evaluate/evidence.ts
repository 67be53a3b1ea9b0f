/**
 * Which units of evidence a list of texts holds.
 *
 *   share = units held / units that the pool holds
 *
 * A chunk that an id names counts by the share of its text that is held, in characters.
 *
 * Texts are compared without case, and with one space for any white space. Short answers have to be whole words, in scripts
 * that separate words: 12 is not in 2012, in 3,512 or in 12.5.
 */
import type { Chunk } from 'context-shaping';
import { fold } from './texts.js';
import type { Evidence } from './types.js';

/** A kept text, folded. */
export interface Piece {
  /** Index of the chunk in the pool that it is a part of. */
  place: number;
  folded: string;
}

/** One unit of evidence. */
export interface EvidenceUnit {
  form: keyof Evidence;
  /** For readers: its text or id. */
  label: string;
  /** Whether a part of the pool holds it. */
  isIn(piece: Piece): boolean;
  /** The folded text of the chunk that the unit names by its id. Undefined for other forms, and if the pool has no such chunk. */
  chunkText?: string;
}

/** The units of evidence of a pool, in the order of the forms. @param folded the folded texts of the chunks. */
export function unitsOf(
  evidence: Evidence,
  chunks: readonly Chunk[],
  folded: readonly string[],
): EvidenceUnit[] {
  const textOf = (id: string) => folded[chunks.findIndex((chunk) => chunk.id === id)];
  return [
    ...(evidence.ids ?? []).map((id): EvidenceUnit => {
      const chunkText = textOf(id);
      return {
        form: 'ids',
        label: id,
        isIn: ({ place }) => chunkText !== undefined && folded[place] === chunkText,
        ...(chunkText === undefined ? {} : { chunkText }),
      };
    }),
    ...(evidence.answers ?? []).map((answer): EvidenceUnit => {
      const sought = [answer].flat().map(fold);
      const isIn = (piece: Piece) => sought.some((each) => hasWords(piece.folded, each));
      return { form: 'answers', label: [answer].flat().join(' / '), isIn };
    }),
    ...(evidence.passages ?? []).map((text): EvidenceUnit => {
      const sought = fold(text);
      return { form: 'passages', label: text, isIn: (piece) => piece.folded.includes(sought) };
    }),
  ];
}

/** A letter of a script that separates words, or a digit. */
const JOINS = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** Whether a text has an answer as whole words. Both are folded. */
export function hasWords(text: string, answer: string): boolean {
  for (let at = text.indexOf(answer); at >= 0; at = text.indexOf(answer, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + answer.length, at + answer.length + 2);
    const [first, last] = [answer[0] as string, answer.at(-1) as string];
    const joinsBefore = JOINS.test(first) && (JOINS.test(before.at(-1) ?? '') || isNumber(before, first));
    const joinsAfter = JOINS.test(last) && (JOINS.test(after[0] ?? '') || isNumber(last, after));
    if (!joinsBefore && !joinsAfter) return true;
  }
  return false;
}

/** Whether two parts of a text are one number, such as 3,512. */
const isNumber = (left: string, right: string) => /\d[.,]\d/.test(left.slice(-2) + right.slice(0, 2));

/** The share of the units that is held, 0..1. @param units at least one. */
export const shareHeld = (units: readonly EvidenceUnit[], pieces: readonly Piece[]): number =>
  units.reduce((sum, unit) => sum + shareOf(unit, pieces), 0) / units.length;

/** The share of its text, if an id names the chunk: a part need not be the right one. Other units give 0 or 1. */
export function shareOf({ chunkText, isIn }: EvidenceUnit, pieces: readonly Piece[]): number {
  const own = pieces.filter(isIn);
  if (own.length === 0) return 0;
  if (chunkText === undefined) return 1;
  const lengths = new Map<number, number>();
  for (const { place, folded } of own) lengths.set(place, (lengths.get(place) ?? 0) + folded.length);
  return Math.min(1, Math.max(...lengths.values()) / Math.max(1, chunkText.length));
}

/** Whether a part of a text overlaps a quote, wherever the text has it. */
export function overlaps(quote: string, text: string, start: number, end: number): boolean {
  const words = quote.trim().split(/\s+/);
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('\\s+');
  return Array.from(text.matchAll(new RegExp(pattern, 'giu'))).some(
    ({ index, 0: { length } }) => index < end && start < index + length,
  );
}
