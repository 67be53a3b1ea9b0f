/**
 * An unbiased estimate of the number of tokens that o200k_base has for a text, without its vocabulary.
 *
 * The text is cut as o200k_base cuts it before merging: words and symbols with the character before them, digits in
 * groups of three, white space. White space and digits are counted by rule. The score of a word, or of a run of symbols, is
 *
 *     s = start + sum of w[hash(g)] over its n-grams g, n = 1 to 4, and the word itself if it is short,
 *
 * where `start` is 1, or the cost of the single characters in scripts of two and three bytes. The cost is max(1, s). The
 * costs are summed by kind, and a learned linear function of the sums is the estimate. A word in ASCII letters may be rare
 * in one text and common in another; the other words of the text show which.
 *
 * `npm run research -- fit-token-weights` fits weights and coefficients to texts; its script explains the method. The shipped ones were fitted
 * to texts with free licences, which `token-weights.ts` lists, and to the words of the vocabulary of o200k_base.
 *
 * Sources: github.com/openai/tiktoken, `tiktoken_ext/openai_public.py`, for the rules by which the tokenizers split;
 * Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009), for weights by hash; Duchi et al.,
 * "Adaptive Subgradient Methods" (JMLR 2011), for AdaGrad.
 */

import { lazily } from '../runtime/lazily.js';
import { LETTER, NUMBER, SPACE, SYMBOL } from '../text/characters.js';
import { codeUnitsOf } from '../text/code-units.js';
import { classAt, isHalf, isLineBreak, isPair, pieceEnd, utf8Length, wordEnd } from './pieces.js';
import { BITS, BLOCKS, COEFFICIENTS, SINGLE, WEIGHTS } from './token-weights.js';

/** Almost no token has more characters. */
const LONGEST_TOKEN = 64;
/** Greatest length, in letters, of a word with its own weight. */
const LONGEST_WORD = 12;
/** Codes that mark the start of a piece without a leading character, and the end of every piece. */
const START = 1;
const END = 2;
/** Number of bits by which a 32-bit hash is shifted to become an index. */
const SHIFT = 32 - BITS;
/** The value of one step of a weight, in tokens. */
export const LEVEL = 0.25;
/** Weights have from -STEPS to STEPS - 1 steps. */
export const STEPS = 4;
/** Upper limit of the mean excess of words. Only strings that are no words have more. */
const MOST_PER_WORD = 2;
const SEED = 0x9e3779b9 | 0;
const WORD_SEED = 0x51ed270b;

/** The parameters that are fitted to texts. */
export interface TokenModel {
  /** Weights by hash, in steps of {@link LEVEL}. */
  readonly weights: Int8Array;
  /** The tokens of each single UTF-16 code unit under o200k_base; 0 if there is no entry for it. */
  readonly alone: Uint8Array;
  /** Coefficients of the terms of {@link termsOf}, in the same order. */
  readonly coefficients: readonly number[];
}

/** Kinds of pieces: words in Latin letters, symbols, and words by their script. */
const ASCII = 0;
const LATIN = 1;
const SYMBOLS = 2;
const FIRST_SCRIPT = 3;
/** The first code unit beyond each script, or group of scripts, in the order of the kinds. */
const SCRIPTS = [
  0x400, // Greek
  0x530, // Cyrillic
  0x590, // Armenian
  0x600, // Hebrew
  0x780, // Arabic
  0xe00, // the scripts of India
  0x3040, // Thai and others
  0x3100, // kana
  0xac00, // Han
  0xd7b0, // Hangul
  0x10000, // the rest
];
/** Number of kinds. */
export const KINDS = FIRST_SCRIPT + SCRIPTS.length;

/** The tokens of the digits and of the white space of a text. */
interface Rest {
  digits: number;
  space: number;
}

/**
 * Receives a piece to score.
 *
 * @param start index of its first code unit.
 * @param end index after its last code unit.
 * @param hasLead whether its first character is a leading one, before the word or the symbols.
 * @param isSymbols whether it is a run of symbols, not a word.
 */
export type OnPiece = (start: number, end: number, hasLead: boolean, isSymbols: boolean) => void;

/** The alphabet of packed tables: characters that need no escapes in strings. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-';
/** Number of code units in a block. They share two of their three bytes in UTF-8. */
export const BLOCK = 64;
/** The first block whose characters have a cost. */
export const FIRST_BLOCK = 6;

const model = lazily(() => ({
  weights: weightsOf(WEIGHTS),
  alone: costsAlone(BLOCKS, SINGLE),
  coefficients: COEFFICIENTS,
}));

/** Unpacks the weights. One character holds two weights of three bits each. */
export function weightsOf(packed: string): Int8Array {
  const weights = new Int8Array(1 << BITS);
  let next = 0;
  for (const two of valuesOf(packed)) {
    weights[next++] = (two >> 3) - STEPS;
    weights[next++] = (two & 7) - STEPS;
  }
  return weights;
}

/** The value of each character, its place in the alphabet. Unpacking is part of the first call of a process. */
function valuesOf(packed: string): Uint8Array {
  const byCode = new Uint8Array(128);
  for (let value = 0; value < ALPHABET.length; value++) byCode[ALPHABET.charCodeAt(value)] = value;
  const values = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at++) values[at] = byCode[packed.charCodeAt(at)] as number;
  return values;
}

/** The control characters that are no white space, to which no block belongs. */
const CONTROLS = [
  [0x00, 0x09],
  [0x0e, 0x20],
  [0x7f, 0xa0],
] as const;

/** The greatest value of a packed character. */
const FAR = 63;

/**
 * Unpacks the tokens of each single code unit under o200k_base.
 *
 * @param blocks costs of the blocks. One character holds three blocks of two bits each.
 * @param single the code units that are one token each, by {@link packedGaps}.
 */
export function costsAlone(blocks: string, single: string): Uint8Array {
  const costs = new Uint8Array(0x10000);
  // Control characters do not merge, and no text had enough of them to learn that.
  for (const [first, beyond] of CONTROLS) costs.fill(1, first, beyond);
  for (let block = FIRST_BLOCK; block < costs.length / BLOCK; block++) {
    const at = block - FIRST_BLOCK;
    const cost = (ALPHABET.indexOf(blocks.charAt(Math.floor(at / 3))) >> (4 - 2 * (at % 3))) & 3;
    costs.fill(cost, block * BLOCK, (block + 1) * BLOCK);
  }
  let code = FIRST_BLOCK * BLOCK - 1;
  for (const gap of valuesOf(single)) {
    code += gap < FAR ? gap + 1 : FAR;
    if (gap < FAR) costs[code] = 1;
  }
  return costs;
}

/** Packs ascending code units: each as the number of others before it, in a character for each 63 and one for the rest. */
export function packedGaps(codes: Iterable<number>): string {
  let packed = '';
  let next = FIRST_BLOCK * BLOCK;
  for (const code of codes) {
    const gap = code - next;
    packed += ALPHABET.charAt(FAR).repeat(Math.floor(gap / FAR)) + ALPHABET.charAt(gap % FAR);
    next = code + 1;
  }
  return packed;
}

/**
 * Estimates the number of tokens of a text under o200k_base. The estimate may be too low or too high.
 * `npm run research -- measure/tokens` measures the errors on your own texts.
 *
 * @returns a whole number, 0 for the empty text only, at most the UTF-8 bytes of the text, which no byte-level
 *   tokenizer exceeds.
 */
export function estimateTokens(text: string): number {
  return estimateWith(model(), text);
}

/** Estimates the number of tokens with the given model. */
export function estimateWith(model: TokenModel, text: string): number {
  if (text === '') return 0;
  const terms = termsOf(text, model);
  let tokens = 0;
  for (let at = 0; at < terms.length; at++)
    tokens += (terms[at] as number) * (model.coefficients[at] as number);
  const rounded = Math.max(1, Math.round(tokens));
  return rounded <= text.length ? rounded : Math.min(utf8Length(text), rounded);
}

/**
 * Computes the terms to which the coefficients belong: the pieces and their excess by kind, digits, and white space. The
 * excess of words in ASCII letters is repeated, multiplied by properties of the text: the mean excess of its words, the
 * share of words with other Latin letters, the share of symbols, and the share of other scripts. The last two terms are the
 * ASCII words, multiplied by the share of words with other Latin letters, and the excess of words with such letters,
 * multiplied by the mean excess.
 */
export function termsOf(text: string, model: Omit<TokenModel, 'coefficients'>): Float64Array {
  const terms = new Float64Array(TERMS);
  const { digits, space } = sum(text, model, terms);
  const piecesOf = (kind: number) => terms[kind] as number;
  const excessOf = (kind: number) => terms[KINDS + kind] as number;
  const words = piecesOf(ASCII) + piecesOf(LATIN);
  const perWord = Math.min(MOST_PER_WORD, excessOf(ASCII) / (piecesOf(ASCII) + 3));
  const accented = piecesOf(LATIN) / (words + 5);
  const isAccented = accented / (accented + 0.03);
  const symbols = piecesOf(SYMBOLS) / (piecesOf(SYMBOLS) + words + 1);
  let foreign = 0;
  for (let kind = FIRST_SCRIPT; kind < KINDS; kind++) foreign += piecesOf(kind) + excessOf(kind);
  const foreignShare = foreign / (foreign + words + excessOf(ASCII) + excessOf(LATIN) + 1);
  let at = 2 * KINDS;
  terms[at++] = digits;
  terms[at++] = space;
  for (const share of [perWord, isAccented, symbols, foreignShare]) terms[at++] = share * excessOf(ASCII);
  terms[at++] = isAccented * piecesOf(ASCII);
  terms[at] = perWord * excessOf(LATIN);
  return terms;
}

/** Number of terms: of pieces and of their excess by kind, and eight more. */
const TERMS = 2 * KINDS + 8;

/** Adds the pieces of a text to the first terms, and their tokens beyond one each to those behind. */
function sum(text: string, model: Omit<TokenModel, 'coefficients'>, terms: Float64Array): Rest {
  const rest = { digits: 0, space: 0 };
  const units = codeUnitsOf(text);
  eachPiece(
    units,
    text.length,
    (start, end, hasLead, isSymbols) => {
      const kind = isSymbols ? SYMBOLS : kindOf(units, hasLead ? start + 1 : start, end);
      const more = Math.max(0, costOf(model, units, start, end, hasLead) - 1);
      terms[kind] = (terms[kind] as number) + 1;
      terms[KINDS + kind] = (terms[KINDS + kind] as number) + more;
    },
    rest,
  );
  return rest;
}

function costOf(
  { weights, alone }: Omit<TokenModel, 'coefficients'>,
  units: Uint16Array,
  start: number,
  end: number,
  hasLead: boolean,
): number {
  const score = startOf(alone, units, start, end) + learnedOf(weights, units, start, end, hasLead) * LEVEL;
  return Math.max(score, (end - start) / LONGEST_TOKEN);
}

/** Returns the kind of a word. The first letter that is neither ASCII nor Latin decides. */
function kindOf(units: Uint16Array, start: number, end: number): number {
  let kind = ASCII;
  for (let at = start; at < end; at++) {
    const code = units[at] as number;
    if (code < 0x80) continue;
    if (!(code < 0x250 || (code >= 0x300 && code < 0x370) || (code >= 0x1e00 && code < 0x1f00)))
      return scriptOf(code);
    kind = LATIN;
  }
  return kind;
}

function scriptOf(code: number): number {
  let kind = FIRST_SCRIPT;
  for (const beyond of SCRIPTS) {
    if (code < beyond) break;
    kind++;
  }
  return kind;
}

/** Returns whether a code unit is kana, Han or Hangul. In these scripts, n-grams longer than two rarely occur again. */
function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code < 0xd7b0;
}

/** Returns the score of a piece before its n-grams are added. */
export function startOf(alone: Uint8Array, units: Uint16Array, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; at++) tokens += alone[units[at] as number] as number;
  return tokens > 0 ? tokens : 1;
}

/** Sums the weights of a piece's features, in levels. One loop without callbacks, which would take three times as long. */
export function learnedOf(
  weights: ArrayLike<number>,
  units: Uint16Array,
  start: number,
  end: number,
  hasLead: boolean,
): number {
  const body = hasLead ? start + 1 : start;
  const isWide = isIdeograph(units[body] as number) || isIdeograph(units[end - 1] as number);
  const isShort = !isWide && end - body <= LONGEST_WORD;
  const first = hasLead ? (units[start] as number) : START;
  // Hashes of the n-grams that end at the last character, and of the word so far.
  let one = mixed(SEED, first);
  let two = 0;
  let three = 0;
  let word = mixed(WORD_SEED, first);
  let sum = 0;
  if (!isIdeograph(first)) {
    const index = indexOf(one);
    sum += weights[index] as number;
  }
  for (let at = body; at <= end; at++) {
    const code = at < end ? (units[at] as number) : END;
    if (!isWide && at > body) {
      if (at > body + 1) {
        const index = indexOf(mixed(three, code));
        sum += weights[index] as number;
      }
      three = mixed(two, code);
      const index = indexOf(three);
      sum += weights[index] as number;
    }
    two = mixed(one, code);
    const pair = indexOf(two);
    sum += weights[pair] as number;
    one = mixed(SEED, code);
    if (!isIdeograph(code)) {
      const index = indexOf(one);
      sum += weights[index] as number;
    }
    if (isShort) word = mixed(word, code);
  }
  if (isShort) {
    const index = indexOf(word);
    sum += weights[index] as number;
  }
  return sum;
}

function mixed(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x85ebca6b);
  return product ^ (product >>> 15);
}

function indexOf(hash: number): number {
  return Math.imul(hash, 0xc2b2ae35) >>> SHIFT;
}

/**
 * Cuts a text into pieces as o200k_base does. Outside of ASCII, a capital behind a small letter does not begin a piece. Words and runs of symbols go to
 * `onPiece`; the tokens of digits and white space are added to `counted`.
 *
 * @param units the code units of the text, and a 0 behind them.
 * @param length the number of code units of the text.
 */
export function eachPiece(units: Uint16Array, length: number, onPiece: OnPiece, counted: Rest): void {
  let lead = -1;
  for (let start = 0; start < length; ) {
    if (units[start] === 32 && start + 1 < length) {
      // A single space. Half of the pieces of most texts are one, so it does not go the way of other white space.
      const next = classAt(units, start + 1);
      if (next !== SPACE) {
        if (next === NUMBER) counted.space++;
        else lead = start;
        start++;
        continue;
      }
    }
    const kind = classAt(units, start);
    // A single symbol belongs to the word after it, unless a space belongs to the symbol.
    if (
      kind === SYMBOL &&
      lead < 0 &&
      isSingle(units, start, length) &&
      classAt(units, start + 1) === LETTER
    ) {
      lead = start++;
      continue;
    }
    let end =
      kind === LETTER
        ? contractionEnd(units, wordEnd(units, start, length), length)
        : pieceEnd(units, start, length);
    // Slashes go with the line breaks after symbols.
    if (kind === SYMBOL && isLineBreak(units[end - 1] as number))
      while (end < length && (isLineBreak(units[end] as number) || units[end] === SLASH)) end++;
    if (kind === LETTER || kind === SYMBOL) {
      onPiece(lead < 0 ? start : lead, end, lead >= 0, kind === SYMBOL);
      lead = -1;
    } else if (kind === NUMBER) {
      counted.digits += isAscii(units, start, end) ? Math.ceil((end - start) / 3) : end - start;
    } else {
      const rest = behindLineBreaks(units, start, end);
      counted.space += spaceTokens(units, start, rest);
      if (rest < end) {
        const next = end < length ? classAt(units, end) : 0;
        // The last white-space character belongs to a word after it. Before a symbol, only a space does.
        if (next === LETTER || (next === SYMBOL && units[end - 1] === 32)) lead = end - 1;
        const split = next === 0 ? end : end - 1;
        counted.space += spaceTokens(units, rest, split);
        if (next !== 0 && lead < 0) counted.space += spaceTokens(units, split, end);
      }
    }
    start = end;
  }
}

const SLASH = 47;

/** Returns the end of the 's, 't, 'm, 'd, 're, 've or 'll at the end of a word; `end` if it has none. */
function contractionEnd(units: Uint16Array, end: number, length: number): number {
  if (units[end] !== 39 || end + 1 >= length) return end;
  const one = String.fromCharCode((units[end + 1] as number) | 32);
  if ('stmd'.includes(one)) return end + 2;
  const two = one + String.fromCharCode((units[end + 2] as number) | 32);
  return end + 2 < length && (two === 're' || two === 've' || two === 'll') ? end + 3 : end;
}

/** Returns whether this character is one code unit and is not the last one of the text. */
const isSingle = (units: Uint16Array, at: number, length: number) =>
  at + 1 < length && !(isHalf(units[at] as number) && isPair(units, at));

function isAscii(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((units[at] as number) > 127) return false;
  return true;
}

function behindLineBreaks(units: Uint16Array, start: number, end: number): number {
  let rest = end;
  while (rest > start && !isLineBreak(units[rest - 1] as number)) rest--;
  return rest;
}

/** Returns the tokens of white space. Each run of the same character is counted by itself. */
function spaceTokens(units: Uint16Array, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; ) {
    const code = units[at] as number;
    let next = at + 1;
    const isPaired = code === 13 && next < end && units[next] === 10;
    if (isPaired) {
      next++;
      while (next + 1 < end && units[next] === 13 && units[next + 1] === 10) next += 2;
    } else while (code !== 13 && next < end && units[next] === code) next++;
    // Spaces merge with a line break after them.
    if (code !== 32 || next === end || units[next] !== 10) tokens += stretchTokens(code, next - at, isPaired);
    at = next;
  }
  return tokens;
}

function stretchTokens(code: number, length: number, isPaired: boolean): number {
  if (isPaired) return Math.ceil(length / 8);
  if (code === 32) return 1 + Math.floor(length / 80);
  // Tabs and line breaks merge, vertical tabs and form feeds do not.
  if (code < 11) return Math.ceil(length / 16);
  if (code === 0xa0) return Math.ceil(length / 8);
  if (code === 0x3000) return Math.ceil(length / 16);
  return code === 0x1680 ? 3 * length : length;
}
