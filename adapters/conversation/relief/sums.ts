import type { MessageSize } from './types.js';

/** Sums over all messages before each place. They have one place more than there are messages. */
export interface Sums {
  /** Tokens as first sent. */
  full: readonly number[];
  /** Tokens that notes in place of results free. */
  gain: readonly number[];
  /** Tokens that dropping frees, after notes have taken the place of results. */
  removable: readonly number[];
}

export function sumsOf(sizes: readonly MessageSize[]): Sums {
  const full = [0];
  const gain = [0];
  const removable = [0];
  for (const [place, size] of sizes.entries()) {
    full.push((full[place] as number) + size.full);
    gain.push((gain[place] as number) + size.full - size.noted);
    removable.push((removable[place] as number) + (size.canDrop ? size.noted : 0));
  }
  return { full, gain, removable };
}

/** For each place, the first place from it on whose message adds to the sum; the number of messages if none does. */
export function growsAt(sums: readonly number[]): readonly number[] {
  const places = Array<number>(sums.length).fill(sums.length - 1);
  for (let place = sums.length - 2; place >= 0; place--)
    places[place] = sums[place + 1] === sums[place] ? (places[place + 1] as number) : place;
  return places;
}

/** For each message, the place of the first message of its turn. */
export function turnStarts(sizes: readonly MessageSize[]): readonly number[] {
  const starts: number[] = [];
  for (const [place, { turn }] of sizes.entries())
    starts.push(turn === sizes[place - 1]?.turn ? (starts[place - 1] as number) : place);
  return starts;
}
