/**
 * An unbiased estimate of how many tokens a text costs, without the vocabularies of the tokenizers.
 *
 * The text is cut as cl100k_base cuts it before merging: words and symbols with the character before them, digits by
 * three, white space. White space and digits are counted by rule. The score of a word, or of a run of symbols, is
 *
 *     s = start + sum of w[hash(g)] over its n-grams g, n = 1 to 4, and the word itself where it is short,
 *
 * where `start` is 1, or what the characters cost alone in scripts of two and three bytes. Its cost is max(1, s), or what
 * its control characters and the n-grams that no token has make it cost at least, which keeps crafted texts in bounds. The
 * costs are summed by kind, and a linear function of the sums, learned as well, gives the estimate: words in ASCII
 * letters that would be rare in one text are common in another, and the other words of the text tell which.
 *
 * `npm run fit:tokens` fits weights and coefficients to texts, and says how. What the shipped ones were fitted to,
 * `token-weights.ts` says: to texts of free licences only, and to the words of the vocabulary of cl100k_base.
 *
 * Sources: github.com/openai/tiktoken, `tiktoken_ext/openai_public.py`, for where the tokenizers split; Weinberger et
 * al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009), for weights by hash; Duchi et al., "Adaptive
 * Subgradient Methods" (JMLR 2011), for AdaGrad.
 */

import { lazily } from '../runtime/lazily.js';
import { isAscii, LETTER, NUMBER, SYMBOL } from '../text/characters.js';
import { classAt, isHalf, isLineBreak, isPair, pieceEnd, utf8Length } from './pieces.js';
import { cutsOf, gramsOf } from './token-grams.js';
import { BITS, BLOCKS, COEFFICIENTS, GRAMS, SINGLE, WEIGHTS } from './token-weights.js';

/** Hardly any token has more characters. */
const LONGEST_TOKEN = 64;
/** Letters of the longest word that has a weight of its own. */
const LONGEST_WORD = 12;
/** Stand before a piece without a leading character, and behind every piece. */
const START = 1;
const END = 2;
/** From 32 bits of a hash to an index. */
const SHIFT = 32 - BITS;
/** Tokens that one step of a weight stands for. */
export const LEVEL = 0.125;
/** The most steps below zero, and one more than the most above. */
export const STEPS = 8;
/** Words cost more than this on average only where they are no words. */
const MOST_PER_WORD = 2;
/** Half of the token that a piece without cuts is: with the whole of it, texts that are not crafted would come out high. */
const UNLESS_CUT = 0.5;
const SEED = 0x9e3779b9 | 0;
const WORD_SEED = 0x51ed270b;

/** What is fitted to texts. */
export interface TokenModel {
  /** In steps of {@link LEVEL}. */
  readonly weights: Int8Array;
  /** What each UTF-16 code unit costs alone under cl100k_base, as far as it is told. */
  readonly alone: Uint8Array;
  /** Which pairs and triples of characters tokens of cl100k_base have. */
  readonly grams: Uint8Array;
  /** Of {@link termsOf}, in its order. */
  readonly coefficients: readonly number[];
}

/** Kinds of pieces: words by their script, and symbols. */
const ASCII = 0;
const LATIN = 1;
const IDEOGRAPHS = 2;
const OTHER = 3;
const SYMBOLS = 4;
const KINDS = 5;

/** What the pieces of a text come to, by kind: how many there are, and what they cost beyond one token each. */
interface Sums {
  readonly pieces: Float64Array;
  readonly excess: Float64Array;
  digits: number;
  space: number;
}

/** Where a piece that is scored lies, and whether its first character is one that leads a word or symbols. */
export type OnPiece = (start: number, end: number, hasLead: boolean, isSymbols: boolean) => void;

/** The alphabet of packed tables: what strings hold without escapes. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-';
/** Code units of a block share two of their three bytes. */
export const BLOCK = 64;
/** From here on characters have a cost of their own. */
export const FIRST_BLOCK = 6;

const model = lazily(() => ({
  weights: weightsOf(WEIGHTS),
  alone: costsAlone(BLOCKS, SINGLE),
  grams: gramsOf(GRAMS, ALPHABET),
  coefficients: COEFFICIENTS,
}));

/** Two characters hold three weights of four bits each. */
export function weightsOf(packed: string): Int8Array {
  const weights = new Int8Array(1 << BITS);
  for (let at = 0, next = 0; next < weights.length; at += 2) {
    const three = (ALPHABET.indexOf(packed.charAt(at)) << 6) | ALPHABET.indexOf(packed.charAt(at + 1));
    for (const shift of [8, 4, 0])
      if (next < weights.length) weights[next++] = ((three >> shift) & 15) - STEPS;
  }
  return weights;
}

/** What each code unit costs alone under cl100k_base. One character holds three blocks, of two bits each. */
export function costsAlone(blocks: string, single: string): Uint8Array {
  const costs = new Uint8Array(0x10000);
  for (let block = FIRST_BLOCK; block < costs.length / BLOCK; block++) {
    const at = block - FIRST_BLOCK;
    const cost = (ALPHABET.indexOf(blocks.charAt(Math.floor(at / 3))) >> (4 - 2 * (at % 3))) & 3;
    costs.fill(cost, block * BLOCK, (block + 1) * BLOCK);
  }
  for (let at = 0; at < single.length; at++) costs[single.charCodeAt(at)] = 1;
  return costs;
}

/**
 * Estimates how many tokens a text costs: the larger of what o200k_base and cl100k_base count, as closely as can be
 * told without them. It errs to both sides; for a bound see the tokenizer `upper-bound`. `npm run measure:tokens`
 * measures it on texts of yours.
 *
 * @returns a whole number, 0 for the empty text only, at most the UTF-8 bytes of the text, which no byte-level
 *   tokenizer exceeds.
 */
export function estimateTokens(text: string): number {
  return estimateWith(model(), text);
}

/** The same with another model. */
export function estimateWith(model: TokenModel, text: string): number {
  if (text === '') return 0;
  let tokens = 0;
  for (const [at, term] of termsOf(text, model).entries())
    tokens += term * (model.coefficients[at] as number);
  return Math.max(1, Math.min(utf8Length(text), Math.round(tokens)));
}

/**
 * What the coefficients go with: the pieces and their excess by kind, and the excess of words in ASCII letters once more
 * by how the text looks: how long its words are in tokens, how many have other Latin letters, how many symbols it has,
 * how much of it is in other scripts.
 */
export function termsOf(text: string, model: Omit<TokenModel, 'coefficients'>): number[] {
  const { pieces, excess, digits, space } = sumsOf(text, model);
  const at = (sums: Float64Array, kind: number) => sums[kind] as number;
  const words = at(pieces, ASCII) + at(pieces, LATIN);
  const perWord = Math.min(MOST_PER_WORD, at(excess, ASCII) / (at(pieces, ASCII) + 3));
  const accented = at(pieces, LATIN) / (words + 5);
  const isAccented = accented / (accented + 0.03);
  const symbols = at(pieces, SYMBOLS) / (at(pieces, SYMBOLS) + words + 1);
  let foreign = 0;
  for (const kind of [IDEOGRAPHS, OTHER]) foreign += at(pieces, kind) + at(excess, kind);
  const foreignShare = foreign / (foreign + words + at(excess, ASCII) + at(excess, LATIN) + 1);
  return [
    ...pieces,
    ...excess,
    digits,
    space,
    ...[perWord, isAccented, symbols, foreignShare].map((share) => share * at(excess, ASCII)),
    isAccented * at(pieces, ASCII),
    perWord * at(excess, LATIN),
  ];
}

function sumsOf(text: string, { weights, alone, grams }: Omit<TokenModel, 'coefficients'>): Sums {
  const pieces = new Float64Array(KINDS);
  const excess = new Float64Array(KINDS);
  const sums = { pieces, excess, digits: 0, space: 0 };
  eachPiece(
    text,
    (start, end, hasLead, isSymbols) => {
      const kind = isSymbols ? SYMBOLS : kindOf(text, hasLead ? start + 1 : start, end);
      const score = startOf(alone, text, start, end) + learnedOf(weights, text, start, end, hasLead) * LEVEL;
      pieces[kind] = (pieces[kind] as number) + 1;
      const cost = Math.max(
        score,
        (end - start) / LONGEST_TOKEN,
        isSymbols || kind === OTHER ? leastOf(alone, text, start, end) : 0,
        kind === OTHER || kind === IDEOGRAPHS ? 0 : cutsOf(grams, text, start, end, hasLead) + UNLESS_CUT,
      );
      if (cost > 1) excess[kind] = (excess[kind] as number) + cost - 1;
    },
    sums,
  );
  return sums;
}

/** First and last code units, and what each costs; by `alone` where nothing is said. */
const CONTROLS: readonly (readonly [first: number, last: number, cost?: number])[] = [
  [0x00, 0x08, 1],
  [0x0e, 0x1f, 1],
  [0x7f, 0x7f, 1],
  [0x80, 0x9f, 2],
  [0xad, 0xad, 1],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  // Of tags and of variation selectors, the first half.
  [0xdb40, 0xdb7f, 4],
  [0xe000, 0xf8ff],
];

/** What the control characters of a piece cost, which hardly merge; of them there was nothing to learn from. */
function leastOf(alone: Uint8Array, text: string, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x1f && code < 0x7f) continue;
    for (const [first, last, cost] of CONTROLS) {
      if (code < first) break;
      if (code <= last) tokens += cost ?? (alone[code] as number);
    }
  }
  return tokens;
}

/** The kind of a word, told by the first letter beyond ASCII that is not Latin. */
function kindOf(text: string, start: number, end: number): number {
  let kind = ASCII;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (isIdeograph(code) || code >= 0xff00) return IDEOGRAPHS;
    if (!(code < 0x250 || (code >= 0x300 && code < 0x370) || (code >= 0x1e00 && code < 0x1f00))) return OTHER;
    kind = LATIN;
  }
  return kind;
}

/** Is it of kana, Han or Hangul: scripts of so many characters that longer n-grams than two are hardly met again? */
function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code < 0xd7b0;
}

/** What a piece costs before its n-grams are looked at. */
export function startOf(alone: Uint8Array, text: string, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; at++) tokens += alone[text.charCodeAt(at)] as number;
  return tokens > 0 ? tokens : 1;
}

/**
 * The sum of the weights of a piece's features, in levels. In one loop without calls back, which would take three times
 * as long.
 */
export function learnedOf(
  weights: ArrayLike<number>,
  text: string,
  start: number,
  end: number,
  hasLead: boolean,
): number {
  const body = hasLead ? start + 1 : start;
  const isWide = isIdeograph(text.charCodeAt(body)) || isIdeograph(text.charCodeAt(end - 1));
  const isShort = !isWide && end - body <= LONGEST_WORD;
  const first = hasLead ? text.charCodeAt(start) : START;
  // Hashes of the n-grams that end at the last character, and of all that was read.
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
    const code = at < end ? text.charCodeAt(at) : END;
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
 * Cuts a text into pieces as cl100k_base does, but for marks, which go with the letters. Digits and white space are
 * counted at once.
 */
export function eachPiece(text: string, onPiece: OnPiece, counted: { digits: number; space: number }): void {
  const { length } = text;
  let lead = -1;
  for (let start = 0; start < length; ) {
    const kind = classAt(text, start);
    // A single symbol goes with the word behind it, unless a space goes with the symbol.
    if (kind === SYMBOL && lead < 0 && isSingle(text, start) && classAt(text, start + 1) === LETTER) {
      lead = start++;
      continue;
    }
    const end = pieceEnd(text, start);
    if (kind === LETTER || kind === SYMBOL) {
      onPiece(lead < 0 ? start : lead, end, lead >= 0, kind === SYMBOL);
      lead = -1;
    } else if (kind === NUMBER) {
      counted.digits += isAscii(text, start, end) ? Math.ceil((end - start) / 3) : 2 * (end - start);
    } else {
      const rest = behindLineBreaks(text, start, end);
      counted.space += spaceTokens(text, start, rest);
      if (rest < end) {
        const next = end < length ? classAt(text, end) : 0;
        // The last space or tab goes with the word behind it, the last space with a symbol.
        if (next === LETTER || (next === SYMBOL && text.charCodeAt(end - 1) === 32)) lead = end - 1;
        const split = next === 0 ? end : end - 1;
        counted.space += spaceTokens(text, rest, split);
        if (next !== 0 && lead < 0) counted.space += spaceTokens(text, split, end);
      }
    }
    start = end;
  }
}

/** Is this character one code unit, with another one behind it? */
const isSingle = (text: string, at: number) =>
  at + 1 < text.length && !(isHalf(text.charCodeAt(at)) && isPair(text, at));

function behindLineBreaks(text: string, start: number, end: number): number {
  let rest = end;
  while (rest > start && !isLineBreak(text.charCodeAt(rest - 1))) rest--;
  return rest;
}

/** One token for each stretch of the same character, of a few at most. */
function spaceTokens(text: string, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    let next = at + 1;
    const isPaired = code === 13 && next < end && text.charCodeAt(next) === 10;
    if (isPaired) {
      next++;
      while (next + 1 < end && text.charCodeAt(next) === 13 && text.charCodeAt(next + 1) === 10) next += 2;
    } else while (code !== 13 && next < end && text.charCodeAt(next) === code) next++;
    tokens += stretchTokens(code, next - at, isPaired);
    at = next;
  }
  return tokens;
}

function stretchTokens(code: number, length: number, isPaired: boolean): number {
  if (isPaired) return Math.ceil(length / 8);
  if (code === 32) return 1 + Math.floor(length / 32);
  // Tabs and line breaks merge, vertical tabs and form feeds do not.
  if (code < 11) return Math.ceil(length / 16);
  if (code < 128) return length;
  if (code === 0xa0 || code === 0x3000) return 1.5 * length;
  return (code === 0x1680 ? 3 : 2) * length;
}
