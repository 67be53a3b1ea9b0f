/**
 * Finds the runs of a text whose characters can be folded one by one. Most texts in scripts with spaces between words
 * are such texts. It reads code units with the help of a table, and creates no strings.
 */
import { lazily, lazyRegExp } from '../runtime/lazily.js';
import { codeUnitsOf } from './code-units.js';
import { fold } from './normalise.js';
import type { Vocabulary } from './vocabulary.js';
import { KEEPS_ITS_PLACES, LONGEST_PART, MOST_JOINTS, SPACELESS } from './words.js';

/** Kinds of code units, one bit each. */
const SEPARATOR = 1;
const APOSTROPHE = 2;
const DIGIT = 4;
const LETTER = 8;
/** The characters around it decide how it is folded, or where its run ends. */
const DEPENDENT = 16;
/** Added to the kind: the text may have other offsets once it is folded; the character becomes several. */
const MOVES = 32;
const GROWS = 64;
const OF_RUN = DIGIT | LETTER;

/** By code unit: its kind, 0 if not known yet. */
const kindsOf = lazily(() => new Uint8Array(0x10000));
/** By code unit: the code unit that it is folded to, or 0 if it is folded to several. */
const foldsOf = lazily(() => new Uint16Array(0x10000));
const LONGEST_FOLD = 8;

/** Marks and parts of syllables join with the character before them. Surrogates are half a character. */
const DEPENDS = lazyRegExp(String.raw`[\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\udfffー${SPACELESS}]`, 'u');
const IS_LETTER = lazyRegExp(String.raw`^\p{L}+$`, 'u');
const IS_DIGIT = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const IS_OF_RUN = lazyRegExp(String.raw`['’\p{L}\p{N}_]`, 'u');

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = fold(character).replace('’', "'");
  let kind = kindOf(character, folded);
  if (!KEEPS_ITS_PLACES.test(character)) kind |= MOVES;
  if (folded.length === 1) foldsOf()[unit] = folded.charCodeAt(0);
  else kind |= GROWS;
  kindsOf()[unit] = kind;
  return kind;
}

function kindOf(character: string, folded: string): number {
  if (DEPENDS().test(character + folded) || folded.length > LONGEST_FOLD) return DEPENDENT;
  if (IS_LETTER().test(folded)) return LETTER;
  if (IS_DIGIT().test(folded)) return DIGIT;
  if (folded === "'") return APOSTROPHE;
  return IS_OF_RUN().test(folded) ? DEPENDENT : SEPARATOR;
}

/** The runs of one text, and their offsets, before they are copied. */
let runs = new Int32Array(512);
let starts = new Int32Array(512);

/**
 * Returns the runs of a text as numbers, and the offset at which each begins if folding leaves all characters at their
 * offsets. The result is that of `locatedRuns`, in a fifth of the time. It is undefined if some characters cannot be
 * folded one by one.
 */
export function plainRuns(
  text: string,
  vocabulary: Vocabulary,
): { runs: Int32Array; starts?: Int32Array } | undefined {
  const units = codeUnitsOf(text);
  const { length } = text;
  const kinds = kindsOf();
  const folds = foldsOf();
  let all = 0;
  for (let at = 0; at < length; at++) {
    const unit = units[at] as number;
    all |= (kinds[unit] as number) || learn(unit);
    if ((all & DEPENDENT) !== 0) return undefined;
  }
  if (length > runs.length) {
    runs = new Int32Array(2 * length);
    starts = new Int32Array(2 * length);
  }
  let count = 0;
  for (let at = 0; at < length; ) {
    if (((kinds[units[at] as number] as number) & OF_RUN) === 0) {
      at++;
      continue;
    }
    const end = endOfRun(kinds, units, at, length);
    const grows = (all & GROWS) !== 0 && units.subarray(at, end).some((unit) => folds[unit] === 0);
    // The bounds of a run apply to the folded text.
    if (grows && LONGEST_FOLD * (end - at) > LONGEST_PART) return undefined;
    runs[count] = grows
      ? vocabulary.idOf(fold(text.slice(at, end)).replaceAll('’', "'"))
      : vocabulary.idWithin(units, at, end, folds);
    starts[count++] = at;
    at = end;
  }
  const found = runs.slice(0, count);
  return (all & MOVES) === 0 ? { runs: found, starts: starts.slice(0, count) } : { runs: found };
}

function endOfRun(kinds: Uint8Array, units: Uint16Array, start: number, length: number): number {
  let end = endOfPart(kinds, units, start, length, OF_RUN);
  for (let joints = 0; joints < MOST_JOINTS; joints++) {
    if (end >= length || ((kinds[units[end] as number] as number) & APOSTROPHE) === 0) break;
    const next = endOfPart(kinds, units, end + 1, length, LETTER);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

/** Returns the end of the code units of these kinds from `start` on. */
function endOfPart(
  kinds: Uint8Array,
  units: Uint16Array,
  start: number,
  length: number,
  wanted: number,
): number {
  const last = Math.min(length, start + LONGEST_PART);
  let end = start;
  while (end < last && ((kinds[units[end] as number] as number) & wanted) !== 0) end++;
  return end;
}
