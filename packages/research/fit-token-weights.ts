/**
 * Fits the token estimate to texts, and writes `src/tokens/token-weights.ts`:
 *
 *     npm run research -- fit-token-weights --texts DIR [--held-out DIR] [--out FILE]
 *
 * A folder holds files of code and Markdown, whose extension tells their kind, and `.txt` files in folders that are
 * named for their kind: `German/news.txt`. The texts of the second folder are not fitted to; a table tells the errors
 * on them. The same texts give the same weights, always.
 *
 * 1. Most texts are cut into pieces. Each piece costs what o200k_base counts for it.
 * 2. The weights of the n-grams minimise the squared error per piece: AdaGrad (Duchi et al., "Adaptive Subgradient
 *    Methods", JMLR 2011) on hashed features (Weinberger et al., ICML 2009). In the last epochs the error is that of
 *    the rounded weights, and the step goes to the weights before rounding (Courbariaux et al., "BinaryConnect", 2015).
 * 3. The coefficients minimise the squared relative error on the other texts, where falling short counts more than
 *    going over: an expectile regression (Newey and Powell, "Asymmetric Least Squares Estimation", Econometrica 1987).
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { TokenCounter } from 'context-shaping';
import { loadTokenCounter } from 'context-shaping/kit';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { codeUnitsOf } from '../../src/text/code-units.js';
import { isHalf } from '../../src/tokens/pieces.js';
import {
  ALPHABET,
  BLOCK,
  costsAlone,
  eachPiece,
  estimateWith,
  FIRST_BLOCK,
  KINDS,
  LEVEL,
  learnedOf,
  packedGaps,
  STEPS,
  startOf,
  type TokenModel,
  termsOf,
} from '../../src/tokens/token-estimate.js';
import { BITS } from '../../src/tokens/token-weights.js';
import { errorsOf, groupedByKind, type KnownText, sequence, textsBelow } from './token-texts.js';

/** The kinds that count more than others, because they are retrieved most. */
const SHARES: Readonly<Record<string, number>> = {
  English: 8,
  'Markdown (README files)': 4,
  'Markdown (documentation)': 3,
  Markdown: 4,
  JavaScript: 2.5,
  'type definitions': 2,
  TypeScript: 2,
  JSON: 2,
  Python: 2,
  // Words by how often they are met, in all languages: the texts of some are few.
  words: 5,
  Chinese: 2.5,
  'Traditional Chinese': 1.5,
  Japanese: 2,
  Korean: 2,
  Thai: 1.5,
  Hebrew: 1.5,
  Persian: 1.5,
  Indonesian: 1.5,
  German: 1.5,
  Russian: 1.5,
  Spanish: 2,
  Portuguese: 2.5,
  Romanian: 2.5,
};
const shareOf = (kind: string) => SHARES[kind] ?? 1;
/** The most texts of one kind, spread evenly over all of its texts. */
const MOST_TEXTS = 1000;
/** One text in so many is for the coefficients. */
const ONE_IN = 5;
/** The most texts of one kind for the coefficients. */
const MOST_CALIBRATING = 150;

/** Types of pieces that are kept, about: of the rarest a sample. */
const SAMPLE = 1_200_000;
/** A type that is met so often counts less than in proportion. */
const FREQUENCY_POWER = 0.95;
/** The weight of a type in one visit, and the most visits that it gets in an epoch. */
const PER_VISIT = 3;
const MOST_VISITS = 40;
const MOST_PER_VISIT = 30;
const EPOCHS = 8;
const ROUNDED_EPOCHS = 3;
const RATE = 0.3;
const RATE_DECAY = 0.62;

/** The share of the error below the truth in the sum of squares of the coefficients. */
const EXPECTILE = 0.5;
const ROUNDS = 8;
/** Pulls the coefficients to 1 for counts, and to 0 for the rest. */
const RIDGE = 0.004;
/** Pulls the coefficients of terms that few texts have in the same way, times the sum of the weights of the texts. */
const LEAST_RIDGE = 1e-4;
/** The terms that are counts: pieces and excess by kind, digits, white space. */
const COUNTS = 2 * KINDS + 2;

interface Piece {
  weight: number;
  cost: number;
  start: number;
  features: Uint16Array;
}

export interface Fitted {
  readonly model: TokenModel;
  readonly blocks: string;
  readonly single: string;
}

/** @returns the model, and the packed costs of single characters. */
export async function fitWeights(texts: Iterable<KnownText>): Promise<Fitted> {
  const count = await loadTokenCounter('o200k_base');
  const known = [...groupedByKind(texts)].flatMap(([kind, all]) => {
    const step = Math.max(1, all.length / MOST_TEXTS);
    return Array.from({ length: Math.floor(all.length / step) }, (_, i) => {
      const { text } = all[Math.floor(i * step)] as KnownText;
      return { kind, text, isLearnt: i % ONE_IN !== 0, truth: count(text) };
    });
  });
  const { blocks, single } = aloneOf(count);
  const alone = costsAlone(blocks, single);
  const weights = weightsFor(
    piecesOf(
      known.filter(({ isLearnt }) => isLearnt),
      alone,
      count,
    ),
  );
  const coefficients = coefficientsFor(
    known.filter(({ isLearnt }) => !isLearnt),
    { weights, alone },
  );
  return { model: { weights, alone, coefficients }, blocks, single };
}

interface Labelled extends KnownText {
  readonly truth: number;
}

/** The costs of single characters, packed: the characters of one token, and the usual cost of the others by block. */
function aloneOf(count: TokenCounter): { blocks: string; single: string } {
  const costs: number[] = [];
  const single: number[] = [];
  for (let block = FIRST_BLOCK; block * BLOCK < 0x10000; block++) {
    if (isHalf(block * BLOCK)) {
      costs.push(1);
      continue;
    }
    let twos = 0;
    let threes = 0;
    for (let code = block * BLOCK; code < (block + 1) * BLOCK; code++) {
      const cost = count(String.fromCharCode(code));
      if (cost === 1) single.push(code);
      else if (cost === 2) twos++;
      else threes++;
    }
    costs.push(threes > twos ? 3 : 2);
  }
  let blocks = '';
  for (let at = 0; at < costs.length; at += 3)
    blocks += ALPHABET[((costs[at] ?? 0) << 4) | ((costs[at + 1] ?? 0) << 2) | (costs[at + 2] ?? 0)];
  return { blocks, single: packedGaps(single) };
}

/** The types of pieces, by how often they are met in kinds of texts that weigh what {@link SHARES} says. */
function piecesOf(texts: readonly Labelled[], alone: Uint8Array, count: TokenCounter): Piece[] {
  const types = new Map<string, { weight: number; cost: number }>();
  const add = (hasLead: boolean, piece: string, weight: number, cost: number) => {
    const key = (hasLead ? '1' : '0') + piece;
    const type = types.get(key);
    if (type === undefined) types.set(key, { weight, cost: weight * cost });
    else {
      type.weight += weight;
      type.cost += weight * cost;
    }
  };
  let total = 0;
  for (const [kind, group] of groupedByKind(texts)) {
    const weight = (1e6 * shareOf(kind)) / group.reduce((sum, { truth }) => sum + truth, 0);
    for (const { text } of group) {
      eachPiece(
        unitsOf(text),
        text.length,
        (start, end, hasLead) => {
          const piece = text.slice(start, end);
          add(hasLead, piece, weight, count(piece));
          total += weight;
        },
        { digits: 0, space: 0 },
      );
    }
  }
  const least = total / SAMPLE;
  const random = sequence(11);
  const kept = new Map<string, { weight: number; cost: number }>();
  for (const [key, { weight, cost }] of types) {
    if (weight < least && random() > weight / least) continue;
    const times = Math.max(1, weight / least);
    kept.set(key, { weight: times ** FREQUENCY_POWER, cost: cost / weight });
  }
  // The words of the vocabulary, the frequent ones first, are one token each.
  for (const [rank, token] of ranks.entries()) {
    if (typeof token !== 'string' || !/^ ?\p{L}+$/u.test(token) || count(token) !== 1) continue;
    const hasLead = token.startsWith(' ');
    const key = (hasLead ? '1' : '0') + token;
    const weight = (hasLead ? 3 : 0.7) * Math.min(4, 20_000 / (rank + 2000));
    const type = kept.get(key);
    if (type === undefined) kept.set(key, { weight, cost: 1 });
    else type.weight += weight;
  }
  return Array.from(kept, ([key, { weight, cost }]) => {
    const piece = key.slice(1);
    return {
      weight,
      cost,
      start: startOf(alone, unitsOf(piece), 0, piece.length),
      features: featuresOf(piece, key.startsWith('1')),
    };
  });
}

/** The code units of a text, in an array of its own. */
const unitsOf = (text: string) => codeUnitsOf(text).slice(0, text.length + 1);

/** Which weights the score of a piece asks for, told by a table that notes them. */
function featuresOf(piece: string, hasLead: boolean): Uint16Array {
  asked = [];
  learnedOf(NOTING, unitsOf(piece), 0, piece.length, hasLead);
  return Uint16Array.from(asked);
}

let asked: number[] = [];
const NOTING = new Proxy([] as number[], {
  get(_, index) {
    asked.push(Number(index));
    return 0;
  },
});

function weightsFor(pieces: readonly Piece[]): Int8Array {
  const size = 1 << BITS;
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-3);
  const timesOf = ({ weight }: Piece) => Math.min(MOST_VISITS, Math.max(1, Math.round(weight / PER_VISIT)));
  const visits = Uint32Array.from(
    pieces.flatMap((piece, at) => Array.from({ length: timesOf(piece) }, () => at)),
  );
  const random = sequence(7);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(visits, random);
    const rate = RATE * RATE_DECAY ** epoch;
    const isRounded = epoch >= EPOCHS - ROUNDED_EPOCHS;
    for (const visited of visits) {
      const piece = pieces[visited] as Piece;
      const { cost, start, features } = piece;
      let score = start;
      for (let i = 0; i < features.length; i++) {
        const each = weights[features[i] as number] as number;
        score += isRounded ? rounded(each) * LEVEL : each;
      }
      // Below 1 the cost is 1 all the same: the score may stay where it is.
      if (score < 1 && cost <= 1.0001) continue;
      const error = score - cost;
      const gradient = error * Math.min(MOST_PER_VISIT, piece.weight / timesOf(piece));
      const most = Math.abs(error) / features.length;
      for (let i = 0; i < features.length; i++) {
        const at = features[i] as number;
        const square = (squares[at] as number) + gradient * gradient;
        squares[at] = square;
        const change = (rate * gradient) / Math.sqrt(square);
        weights[at] = (weights[at] as number) - Math.max(-most, Math.min(most, change));
      }
    }
  }
  return Int8Array.from(weights, rounded);
}

const rounded = (weight: number) => Math.max(-STEPS, Math.min(STEPS - 1, Math.round(weight / LEVEL)));

function shuffle(values: Uint32Array, random: () => number): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const value = values[i] as number;
    values[i] = values[j] as number;
    values[j] = value;
  }
}

/** Texts of all kinds weigh the same in sum, but for {@link SHARES}, and each by its relative error. */
function coefficientsFor(texts: readonly Labelled[], model: Omit<TokenModel, 'coefficients'>): number[] {
  const rows = [...groupedByKind(texts)].flatMap(([kind, group]) => {
    const some = group.slice(0, MOST_CALIBRATING);
    return some.map(({ text, truth }) => ({
      terms: Array.from(termsOf(text, model), (term) => term / truth),
      weight: Math.sqrt(shareOf(kind)) / some.length,
    }));
  });
  const length = rows[0]?.terms.length ?? 0;
  const base: readonly number[] = Array.from({ length }, (_, at) => (at < COUNTS ? 1 : 0));
  let coefficients: readonly number[] = base;
  for (let round = 0; round < ROUNDS; round++) {
    const matrix = base.map(() => new Float64Array(length + 1));
    let total = 0;
    for (const { terms, weight } of rows) {
      const side = 2 * weight * (dot(terms, coefficients) < 1 ? EXPECTILE : 1 - EXPECTILE);
      const rest = 1 - dot(terms, base);
      total += side;
      for (const [i, term] of terms.entries()) {
        const row = matrix[i] as Float64Array;
        for (const [j, other] of terms.entries()) row[j] = (row[j] as number) + side * term * other;
        row[length] = (row[length] as number) + side * term * rest;
      }
    }
    for (const [i, row] of matrix.entries()) row[i] = (row[i] as number) * (1 + RIDGE) + LEAST_RIDGE * total;
    const change = solved(matrix);
    coefficients = base.map((each, at) => each + (change[at] as number));
  }
  return coefficients.map((each) => Number(each.toFixed(4)));
}

const dot = (some: readonly number[], others: readonly number[]) =>
  some.reduce((sum, each, at) => sum + each * (others[at] as number), 0);

/** Solves a system of linear equations, its right sides in the last column (Gauss and Jordan, with pivots). */
function solved(rows: Float64Array[]): number[] {
  for (let at = 0; at < rows.length; at++) {
    let best = at;
    for (let i = at; i < rows.length; i++)
      if (Math.abs(cell(rows, i, at)) > Math.abs(cell(rows, best, at))) best = i;
    [rows[at], rows[best]] = [rows[best] as Float64Array, rows[at] as Float64Array];
    const pivot = rows[at] as Float64Array;
    for (const [i, row] of rows.entries()) {
      if (i === at) continue;
      const factor = (row[at] as number) / (pivot[at] as number);
      for (let j = at; j < row.length; j++) row[j] = (row[j] as number) - factor * (pivot[j] as number);
    }
  }
  return rows.map((row, at) => (row[rows.length] as number) / (row[at] as number));
}

const cell = (rows: readonly Float64Array[], i: number, j: number) => rows[i]?.[j] as number;

/** The text of `token-weights.ts`. */
export function moduleOf({ model, blocks, single }: Fitted): string {
  let packed = '';
  for (let at = 0; at < model.weights.length; at += 2) {
    const [one, two] = [model.weights[at] as number, model.weights[at + 1] as number];
    packed += ALPHABET[((one + STEPS) << 3) | (two + STEPS)];
  }
  const lines = (text: string, length: number) =>
    (text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []).map((line) => `  '${line}'`).join(' +\n');
  return `${HEADER}
/** The table has \`2 ** BITS\` weights. */
export const BITS = ${BITS};
/** The coefficients of the terms of \`termsOf\`, in the same order. */
export const COEFFICIENTS: readonly number[] = [
  ${model.coefficients.join(', ')},
];
/** The usual tokens of a character of more than one token, for each block of 64 characters from U+0180 on; packed. */
export const BLOCKS =
${lines(blocks, 112)};
/** The characters from U+0180 on that are one token each, by the gaps between them; packed. */
export const SINGLE =
${lines(single, 112)};
/** The weights of the features, in steps; packed. */
export const WEIGHTS =
${lines(packed, 112)};
`;
}

/** In the repository, this header is followed by the list of texts and their licences. */
const HEADER =
  '/** Written by `npm run research -- fit-token-weights`: the learned weights of `token-estimate.ts`. */\n';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      texts: { type: 'string' },
      'held-out': { type: 'string' },
      out: { type: 'string', default: 'src/tokens/token-weights.ts' },
    },
  });
  if (values.texts === undefined) throw new Error('--texts must name a folder of texts to fit to.');
  const fitted = await fitWeights(textsBelow([values.texts]));
  writeFileSync(values.out, moduleOf(fitted));
  const heldOut = values['held-out'];
  if (heldOut === undefined) return;
  const count = await loadTokenCounter('o200k_base');
  const byKind = [...groupedByKind(textsBelow([heldOut]))].map(([kind, texts]) => {
    const told = texts.map(({ text }) => ({
      truth: count(text),
      told: estimateWith(fitted.model, text),
    }));
    return [kind, errorsOf(told)] as const;
  });
  console.table(Object.fromEntries(byKind));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
