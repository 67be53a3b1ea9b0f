import type { TokenCounter } from '../ports.js';
import { beginningOf } from '../text/characters.js';
import { ownText, Recent } from '../text/recent.js';

/** Greatest number of remembered pieces. Beyond it the memory is cleared, which costs a few milliseconds. */
const MOST_PIECES = 50_000;
/** Longer pieces rarely occur again, so they are not remembered. */
const LONGEST_REMEMBERED = 64;
/**
 * Longer pieces are counted in parts of this many code units, so they may have one token more for each. A library that
 * searches all pairs of a piece at each merge takes half a minute for 100,000 letters in a row.
 */
const LONGEST_PIECE = 512;

/**
 * Creates a counter that counts piece by piece. An encoding first splits a text by `pattern` and merges bytes only within
 * a piece. So the tokens of a text are the sum of the tokens of its pieces, and a known piece is not counted again.
 *
 * @param count counts the tokens of a piece.
 * @param pattern global.
 */
export function byPieces(count: TokenCounter, pattern: RegExp): TokenCounter {
  const known = new Map<string, number>();
  return (text) => {
    let tokens = 0;
    for (const piece of text.match(pattern) ?? []) tokens += known.get(piece) ?? learn(piece);
    return tokens;
  };

  function learn(piece: string): number {
    if (piece.length > LONGEST_REMEMBERED) return countInParts(piece);
    if (known.size === MOST_PIECES) known.clear();
    const own = ownText(piece);
    const tokens = count(own);
    known.set(own, tokens);
    return tokens;
  }

  function countInParts(piece: string): number {
    let tokens = 0;
    for (let rest = piece; rest !== ''; ) {
      const part = rest.length > LONGEST_PIECE ? beginningOf(rest, LONGEST_PIECE) : rest;
      tokens += count(part);
      rest = rest.slice(part.length);
    }
    return tokens;
  }
}

/** At most twice this number of characters is remembered: 8 to 16 MB. */
const MOST_CHARACTERS = 2 ** 22;

/** Creates a counter that remembers whole texts. A known text takes a tenth of the time, because it is not split again. */
/* @__NO_SIDE_EFFECTS__ */ export function byTexts(count: TokenCounter): TokenCounter {
  const known = new Recent<number>(MOST_CHARACTERS);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    known.set(ownText(text), tokens);
    return tokens;
  };
}
