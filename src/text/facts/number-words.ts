import { type Token, wordAt } from './tokens.js';
import { aliases, list } from './word-lists.js';

const numbered = (words: string, first = 0, step = 1): [string, number][] =>
  list(words).map((word, i) => [word, first + i * step]);

const CARDINALS: ReadonlyMap<string, number> = new Map([
  ...numbered('zero one two three four five six seven eight nine ten eleven twelve'),
  ...numbered('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13),
  ...numbered('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
]);

/** Words that multiply the number before them. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
]);

/** Number words that do not combine by addition and multiplication. */
const OTHER_NUMBERS = aliases(`
1st first, 2nd second, 3rd third, 4th fourth, 5th fifth, 6th sixth
7th seventh, 8th eighth, 9th ninth, 10th tenth, 11th eleventh, 12th twelfth
1x once, 2x twice, 3x thrice, 1/2 half, 12:00 noon, 0:00 midnight, dozens, hundreds, thousands, millions, billions
`);

/** Parts of a whole. */
const PARTS = aliases(
  '2 half halves, 3 third thirds, 4 quarter quarters fourth fourths, 5 fifth fifths, 8 eighths, 10 tenth tenths',
);

/** All words that may be a number or a part of one. */
export const NUMBER_WORDS = [...CARDINALS.keys(), ...SCALES.keys(), ...OTHER_NUMBERS.keys(), 'quarter'];
/** Names of parts of a whole. */
export const PART_WORDS = [...PARTS.keys()];

/** Returns the number in words at a token: `twenty-five`, `two hundred and fifty thousand`, `twenty-first`, `twice`. */
export function numberWordsAt(
  tokens: readonly Token[],
  start: number,
): { number: string; end: number } | undefined {
  const first = wordAt(tokens, start);
  const fraction = fractionAt(tokens, start);
  if (fraction !== undefined) return fraction;
  const other = OTHER_NUMBERS.get(first);
  if (other !== undefined) return { number: other, end: start + 1 };
  if (!CARDINALS.has(first) && !SCALES.has(first)) return undefined;
  // In "two million and fifty thousand": `sum` is the millions, `group` the number that the next scale will multiply.
  let sum = 0;
  let group: number | undefined;
  let end = start;
  for (let at = start; ; at++) {
    const word = wordAt(tokens, at);
    const ordinal = isTens(group) ? /^([1-9])(st|nd|rd|th)$/.exec(OTHER_NUMBERS.get(word) ?? '') : null;
    if (ordinal !== null) {
      return { number: `${sum + (group ?? 0) + Number(ordinal[1])}${ordinal[2]}`, end: at + 1 };
    }
    const value = CARDINALS.get(word);
    const scale = SCALES.get(word);
    if (value !== undefined && value < room(group)) group = (group ?? 0) + value;
    else if (scale !== undefined && scale < 1000) group = (group ?? 1) * scale;
    else if (scale !== undefined && (group !== undefined || at === start)) {
      sum += (group ?? 1) * scale;
      group = undefined;
    } else if (joins(tokens, at, group)) continue;
    else return { number: String(sum + (group ?? 0)), end };
    end = at + 1;
  }
}

/** Returns a fraction in words: `three quarters of`, `one third of`, `a quarter of`. "The third quarter" is none. */
function fractionAt(tokens: readonly Token[], start: number): { number: string; end: number } | undefined {
  const word = wordAt(tokens, start);
  const count = word === 'a' ? 1 : CARDINALS.get(word);
  if (count === undefined || count === 0 || count > 9) return undefined;
  const at = wordAt(tokens, start + 1) === '-' ? start + 2 : start + 1;
  const whole = PARTS.get(wordAt(tokens, at));
  if (whole === undefined || wordAt(tokens, at + 1) !== 'of') return undefined;
  return { number: `${count}/${whole}`, end: at + 1 };
}

/** Whether the group ends in 20, 30, … 90. A unit digit or an ordinal may follow. */
function isTens(group: number | undefined): boolean {
  return group !== undefined && group % 100 >= 20 && group % 10 === 0;
}

/**
 * Returns the bound of the next word: 10 after tens (1..9 fit), 100 after hundreds or at the beginning, otherwise 0.
 */
function room(group: number | undefined): number {
  if (isTens(group)) return 10;
  return group === undefined || (group > 0 && group % 100 === 0) ? 100 : 0;
}

/** Whether a token joins two parts of a number: the hyphen of `twenty-five`, the `and` of `hundred and five`. */
function joins(tokens: readonly Token[], at: number, group: number | undefined): boolean {
  const after = wordAt(tokens, at + 1);
  if (isTens(group)) return wordAt(tokens, at) === '-' && (CARDINALS.has(after) || OTHER_NUMBERS.has(after));
  return room(group) > 0 && wordAt(tokens, at) === 'and' && CARDINALS.has(after);
}
