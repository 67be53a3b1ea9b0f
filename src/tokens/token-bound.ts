/**
 * A practical upper bound on the token counts of o200k_base and cl100k_base, without their vocabularies.
 *
 * The text is cut roughly as those tokenizers cut it before merging, and each piece gets a rate. A word in ASCII letters
 * has two rates: its cost in English or code, and its cost in a language or a blob that the vocabularies barely cover. The
 * share of the most common English words and of keywords decides where the text lies between the two. The bound adds 1.3
 * times the square root of the uncertain part, because a short text may differ from the rates by a larger share than a
 * long one.
 *
 * Sources: github.com/openai/tiktoken, `tiktoken_ext/openai_public.py`, for the rules by which the tokenizers split. The
 * rates were measured against both encodings.
 */

import { ANY_NUMBER, classOf, isAscii, LETTER, NUMBER, SPACE } from '../text/characters.js';
import { codeUnitsOf } from '../text/code-units.js';
import { classAt, isHalf, pieceEnd, utf8Length } from './pieces.js';

/** Words of one token each. They are frequent in English or in source code, and rare in other languages. */
const COMMON = new Set(
  (
    'the of and to in is was for on that with as it by at from her are were be this which he she not have ' +
    'had has its but who they their also one been you your we my can will would there when what if about more ' +
    'all than then them other some only out up ' +
    'const let var return function import export default else new type string number true false null void ' +
    'undefined name version def self class static public int char struct include'
  ).split(' '),
);

/**
 * The most common Chinese characters and Japanese kanji, and the most common Korean syllables. They make up a third or
 * more of ordinary text. In a text with almost none of them, the other characters cost up to three tokens, one per byte.
 */
const COMMON_IDEOGRAPHS = new Set(
  '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关並此社見事員会場合業発代部近通',
);
const COMMON_SYLLABLES = new Set(
  '이다는을에의가고하지로한도기사은들를리자어인나대서시스해아그만수일정보있었라부원구으면여게과장주안',
);
const IDEOGRAPH = /[\u4e00-\u9fff]/g;
const SYLLABLE = /[\uac00-\ud7a3]/g;

const LONGEST_COMMON = 9;
/** The hashes of the common words. They exclude nearly all other words without creating a string. */
const mayBeCommon = new Uint8Array(1 << 10);
for (const word of COMMON) mayBeCommon[hashOf(word, 0, word.length)] = 1;
/** One bit for each of the letters aeiouy; bit 0 is the letter a. */
const VOWELS = 0x1104111;
const SUBWORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const STRETCH = /(.)\1*/gsu;

/** Tokens per character, for the code points from the previous row's bound up to this bound (exclusive). */
const RATES: readonly (readonly [below: number, rate: number])[] = [
  [0x20, 1], // control
  [0x80, 0.5], // ASCII letters next to other letters
  [0xc0, 1.6], // Latin-1 symbols
  [0x180, 1.2], // accented Latin
  [0x370, 2], // rarer Latin, phonetic, combining marks
  [0x3ac, 1.8], // Greek capitals
  [0x400, 1.25], // Greek
  [0x410, 1.7], // Cyrillic beyond Russian
  [0x430, 1.1], // Russian capitals
  [0x450, 0.8], // Russian
  [0x530, 1.7], // Cyrillic beyond Russian
  [0x590, 2.1], // Armenian
  [0x600, 1.45], // Hebrew
  [0x700, 1.25], // Arabic
  [0x900, 2],
  [0x980, 1.35], // Devanagari
  [0xa00, 1.55], // Bengali
  [0xb00, 2], // Gurmukhi, Gujarati
  [0xb80, 3], // Oriya
  [0xc00, 1.7], // Tamil
  [0xe00, 2.15], // Telugu, Kannada, Malayalam, Sinhala
  [0xe80, 1.1], // Thai
  [0x1100, 2.5], // Lao, Tibetan, Burmese, Georgian
  [0x1780, 3],
  [0x1800, 1.8], // Khmer
  [0x1e00, 3],
  [0x1f00, 1.8], // Vietnamese
  [0x2000, 2.6], // polytonic Greek
  [0x2300, 2], // punctuation, currency, arrows, mathematics
  [0x2500, 3],
  [0x2700, 2], // boxes, shapes, signs
  [0x3000, 3],
  [0x3040, 1.5], // CJK punctuation
  [0x3100, 1.1], // kana
  [0x4e00, 3],
  [0xa000, 1.7], // Han
  [0xac00, 3],
  [0xd7a4, 1.3], // Hangul
  [0xff00, 3],
  [0x10000, 2], // full-width forms
  [0x1f000, 4],
  [0x1fb00, 3], // emoji
  [0x110000, 4],
];

/**
 * Returns the greatest number of tokens that a text should have. `estimateTokens` returns the expected number.
 *
 * It was measured on 281,367 real texts that the rates were not fitted to (English, some 400 other languages, source code,
 * Markdown), although a few rates were raised after these measurements. The bound was below the larger of the two true
 * counts for none of 129,310 single words, 2 of 93,236 sentences (19 for 22, in Otuho, and 35 for 36, in Tedim Chin), and
 * none of 58,821 longer texts.
 *
 * Overshoot, mean and 95th percentile: English prose of ~110 words 35 % and 54 %, an English sentence 69 %
 * and 140 %, source code of ~110 words 68 % and 115 %. Longer texts: Chinese 60 % and 101 %, Korean 51 % and 72 %,
 * Cyrillic 56 % and 122 %, Greek 42 % and 63 %, Arabic 49 % and 82 %. More of these: Hebrew 24 % and 46 %, Devanagari
 * 35 % and 41 %, Thai 28 % and 62 %, Latin other than English 52 % and 101 %.
 *
 * @returns a whole number, at most the UTF-8 bytes of the text, which no byte-level tokenizer exceeds.
 */
export function boundTokens(text: string): number {
  const sum = { sure: 0, words: 0, common: 0, easy: 0, hard: 0 };
  let rest = 0;
  let allAscii = true;
  const units = codeUnitsOf(text);
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfPlainWord(text, start);
    if (end > start) {
      addWord(sum, text, start, end);
      continue;
    }
    const kind = classAt(units, start);
    end = pieceEnd(units, start, text.length);
    // Most pieces of white space are a single space, which belongs to the word or symbol after it.
    if (kind === SPACE && end === start + 1 && text.charCodeAt(start) === 32 && end < text.length) {
      if (classOf(text.charCodeAt(end)) === NUMBER) rest++;
      continue;
    }
    const ascii = isAscii(text, start, end);
    allAscii &&= ascii;
    const piece = text.slice(start, end);
    if (kind === LETTER && ascii) {
      for (const word of piece.match(SUBWORD) ?? []) addWord(sum, word, 0, word.length);
    } else if (kind === LETTER) {
      sum.words++;
      rest += 1 + byCharacter(piece);
    } else if (kind === NUMBER) {
      if (ascii) sum.sure += Math.ceil(piece.length / 3);
      else rest += utf8Length(piece);
    } else if (kind === SPACE) {
      rest += whitespace(piece, text.charAt(end));
    } else if (piece.length === 1 && ascii && piece !== "'" && piece >= '!' && piece <= '~') {
      // The apostrophe is excluded: 's, 't and the like split the word after it.
      sum.sure++;
    } else {
      rest += symbols(piece);
    }
  }
  const { sure, words, common, easy, hard } = sum;
  // The 4 prevents that one common word makes a text of a few words count as English.
  const strangeness = Math.max(0.1, 0.85 - (2.6 * common) / (words + 4));
  const rare = allAscii
    ? 0
    : 1.3 * rareIn(text, IDEOGRAPH, COMMON_IDEOGRAPHS) + 2 * rareIn(text, SYLLABLE, COMMON_SYLLABLES);
  const estimate = sure + easy + strangeness * (hard - easy) + rest + rare + 1.3 * Math.sqrt(hard + rest);
  return Math.min(allAscii ? text.length : utf8Length(text), Math.ceil(estimate));
}

/**
 * Returns the end of the piece that begins at `start` if it is one subword in ASCII letters, with no capital except the
 * first letter. Otherwise it returns `start`. Most pieces are such words.
 */
function endOfPlainWord(text: string, start: number): number {
  let end = start;
  if (isAsciiLetter(text.charCodeAt(start) | 32)) end++;
  while (end < text.length && isAsciiLetter(text.charCodeAt(end))) end++;
  if (end === text.length) return end;
  const next = text.charCodeAt(end);
  // A letter after it means more than one subword, or letters beyond ASCII.
  return end === start || classOf(next) === LETTER || isHalf(next) ? start : end;
}

/** Returns whether a code unit is one of a to z. */
const isAsciiLetter = (code: number) => code >= 97 && code <= 122;

/** Sums over the words in ASCII letters. */
interface Words {
  /** Least number of tokens. */
  sure: number;
  words: number;
  common: number;
  /** Tokens beyond the first one of each word that is not common: in English or code, and in other text. */
  easy: number;
  hard: number;
}

function addWord(sum: Words, text: string, start: number, end: number): void {
  sum.words++;
  sum.sure++;
  if (isCommon(text, start, end)) sum.common++;
  else {
    const hard = hardWord(text, start, end);
    sum.easy += easyWord(text, start, end, hard);
    sum.hard += hard;
  }
}

function isCommon(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_COMMON) return false;
  if (mayBeCommon[hashOf(text, start, end)] === 0) return false;
  const word = text.slice(start, end);
  return COMMON.has(isCapital(text, start) ? word.charAt(0).toLowerCase() + word.slice(1) : word);
}

/** Computes a hash of 10 bits. It is the same whether or not the word begins with a capital. */
function hashOf(text: string, start: number, end: number): number {
  let hash = text.charCodeAt(start) | 32;
  for (let at = start + 1; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & 0x3ff;
  return hash;
}

const isCapital = (word: string, at: number) => word.charCodeAt(at) < 97;

/** Returns the number of characters of a class, minus five for each common one; at least 0. */
function rareIn(text: string, characters: RegExp, commonOnes: ReadonlySet<string>): number {
  const found = text.match(characters) ?? [];
  const known = found.filter((character) => commonOnes.has(character)).length;
  return Math.max(0, found.length - 5 * known);
}

/** Returns the tokens beyond the first one of a word that the vocabularies do not know. */
function hardWord(text: string, start: number, end: number): number {
  const length = end - start;
  if (hasFiveConsonants(text, start, end)) return 0.65 * length;
  return length === 2 ? 0.8 : Math.floor(length / 2);
}

/** Returns whether the word has five consonants in a row. */
function hasFiveConsonants(text: string, start: number, end: number): boolean {
  let run = 0;
  for (let at = start; at < end && run < 5; at++)
    run = (VOWELS >> ((text.charCodeAt(at) | 32) - 97)) & 1 ? 0 : run + 1;
  return run === 5;
}

/** Returns the tokens beyond the first one of a word in English or code. Names and the longest words still split there. */
function easyWord(text: string, start: number, end: number, hard: number): number {
  const length = end - start;
  const isCapitalised = isCapital(text, start);
  if (length > 13 || (length > 1 && isCapitalised && isCapital(text, start + 1))) return hard;
  return isCapitalised ? 0.2 * Math.max(0, length - 3) : 0.04 * Math.max(0, length - 5);
}

/** Counts white space. A last space belongs to the word or symbol after it; any other last character is on its own. */
function whitespace(run: string, next: string): number {
  if (next === '' || /[\r\n]$/.test(run)) return stretches(run);
  const joins = run.endsWith(' ') && !ANY_NUMBER().test(next);
  return stretches(run.slice(0, -1)) + (joins ? 0 : stretches(run.slice(-1)));
}

function stretches(run: string): number {
  let tokens = 0;
  for (const [stretch] of run.matchAll(/(\r\n|.)\1*/gs)) {
    tokens += /^(?:[ \t\n]|\r\n)/.test(stretch) ? 1 + Math.floor(stretch.length / 8) : utf8Length(stretch);
  }
  return tokens;
}

/** Counts symbols. Neighbouring ASCII symbols often share a token, and long runs of line-drawing symbols take few. */
function symbols(piece: string): number {
  let tokens = 0.3;
  for (const [stretch, character = ''] of piece.matchAll(STRETCH)) {
    const { length } = stretch;
    if (!/[\n\r!-~]/.test(character)) tokens += byCharacter(stretch);
    else if (length === 1) tokens += 0.7;
    else tokens += 1 + length / (/[-=*#_./~+\n]/.test(character) ? 8 : 2);
  }
  return tokens;
}

function byCharacter(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number;
    tokens += (RATES.find(([below]) => codePoint < below) as readonly [number, number])[1];
  }
  return tokens;
}
