/**
 * The merges of byte-pair encoding, for pieces of any length. The neighbours whose token has the lowest rank merge first, of
 * equal ones the first:
 *
 *   while a pair (i, i+1) has a rank: merge the pair with the least (rank, i)
 *
 * A heap gives the next pair, so n bytes take n log n steps. A library that searches all pairs at each merge takes n².
 *
 * Source: R. Sennrich, B. Haddow, A. Birch, "Neural Machine Translation of Rare Words with Subword Units", ACL 2016.
 */
import { Heap } from '../math/heap.js';
import type { TokenCounter } from '../ports.js';
import { lazily } from '../runtime/lazily.js';

/** The tokens of an encoding by rank: texts, and bytes that are no text. There may be holes. */
export type Ranks = readonly (string | readonly number[] | undefined)[];

interface Table {
  readonly ofTexts: ReadonlyMap<string, number>;
  /** By the bytes as code units. */
  readonly ofBytes: ReadonlyMap<string, number>;
  /** Greatest number of code units of a token. */
  readonly longest: number;
}

/** Above all positions. With the ranks before it, a key is a whole number below 2^53. */
const POSITIONS = 2 ** 32;
const NONE = -1;
const UTF8 = new TextEncoder();

/**
 * Creates a counter of the tokens of one piece, within which all neighbours may merge. The table of its ranks is made for the
 * first piece.
 */
export function mergeCounter(ranks: Ranks): TokenCounter {
  const tableOfRanks = lazily(() => tableOf(ranks));
  return (piece) => tokensOf(piece, tableOfRanks());
}

function tokensOf(piece: string, { ofTexts, ofBytes, longest }: Table): number {
  const bytes = UTF8.encode(piece);
  const { length } = bytes;
  // As the bytes have it: a lone surrogate is U+FFFD.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const placeOf = placesIn(text, length);
  /** The rank of the token of these bytes. */
  const rankOf = (start: number, end: number): number => {
    const [from, to] = [placeOf[start] as number, placeOf[end] as number];
    if (from !== NONE && to !== NONE)
      return to - from > longest ? NONE : (ofTexts.get(text.slice(from, to)) ?? NONE);
    return end - start > longest
      ? NONE
      : (ofBytes.get(String.fromCharCode(...bytes.subarray(start, end))) ?? NONE);
  };
  /** By the first byte of a part: the first bytes of its neighbours, and the rank of the part with the next one. */
  const before = new Int32Array(length + 1);
  const after = new Int32Array(length + 1);
  const rank = new Int32Array(length + 1).fill(NONE);
  const heap = new Heap<number>((a, b) => a < b);
  const compare = (part: number, end: number) => {
    const found = end > length ? NONE : rankOf(part, end);
    rank[part] = found;
    if (found !== NONE) heap.push(found * POSITIONS + part);
  };
  for (let at = 0; at < length; at++) {
    before[at] = at - 1;
    after[at] = at + 1;
    compare(at, at + 2);
  }
  let parts = length;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const part = key % POSITIONS;
    // An older entry of a part whose neighbour has changed.
    if (rank[part] !== (key - part) / POSITIONS) continue;
    const merged = after[part] as number;
    const next = after[merged] as number;
    after[part] = next;
    before[next] = part;
    rank[merged] = NONE;
    parts--;
    compare(part, next < length ? (after[next] as number) : length + 1);
    if (part > 0) compare(before[part] as number, next);
  }
  return parts;
}

/** Returns by byte the code unit that begins there; {@link NONE} within a character. */
function placesIn(text: string, bytes: number): Int32Array {
  const places = new Int32Array(bytes + 1).fill(NONE);
  let byte = 0;
  for (let at = 0; at < text.length; ) {
    places[byte] = at;
    const codePoint = text.codePointAt(at) as number;
    byte += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    at += codePoint < 0x10000 ? 1 : 2;
  }
  places[bytes] = text.length;
  return places;
}

function tableOf(ranks: Ranks): Table {
  const ofTexts = new Map<string, number>();
  const ofBytes = new Map<string, number>();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  let longest = 0;
  for (const [rank, token] of ranks.entries()) {
    if (token === undefined) continue;
    longest = Math.max(longest, token.length);
    if (typeof token === 'string') {
      ofTexts.set(token, rank);
      continue;
    }
    try {
      ofTexts.set(decoder.decode(Uint8Array.from(token)), rank);
    } catch {
      ofBytes.set(String.fromCharCode(...token), rank);
    }
  }
  return { ofTexts, ofBytes, longest };
}
