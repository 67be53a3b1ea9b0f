/** From learned weights to the file that the library reads. */
import type { Weights } from './example.js';
import { namedWeights } from './profile.js';

export type Coefficients = Readonly<Record<'passages' | 'turns' | 'units', Weights>>;

/** What the lexical weights of a profile sum to; of units, all weights. Only their ratios matter. */
const SUM = 10;
/** Of the place in the input, where no chunk has a score: it settles what words leave even. */
const RANK_SHARE = 0.01;
/**
 * Of the retriever's score: as much as all words. Learned with BM25 and a small static model as the retrievers it is
 * a twentieth; those in use are better, and rerankers better still.
 */
const SCORE_SHARE = 1;
/** In chats with an assistant next to nothing about the user is said by the assistant. People talk about each other. */
const SPEAKER_SHRINKAGE = 0.5;

/**
 * The weights of passages as they are written: those of words sum to 10, then those of cosine and score on the
 * same scale, then that of the rank.
 *
 * @param extras by name, weights of all columns with this one learned besides.
 * @param present weights that stay as they are where no others were learned.
 */
export function passageWeights(
  columns: readonly string[],
  words: Float64Array,
  extras: Readonly<Record<string, Float64Array>>,
  present: Weights,
): Weights {
  const scale = SUM / sum(words);
  const extra = (name: string, shrinkage = 1): Weights => {
    const learned = extras[name]?.[columns.indexOf(name)];
    const weight = learned === undefined ? present[name] : learned * scale * shrinkage;
    return weight === undefined ? {} : { [name]: weight };
  };
  return rounded({
    ...scaled(columns, words),
    ...extra('speaker', SPEAKER_SHRINKAGE),
    ...extra('cosine'),
    score: SUM * SCORE_SHARE,
    rank: SUM * RANK_SHARE,
  });
}

export const unitWeights = (columns: readonly string[], weights: Float64Array): Weights =>
  rounded(scaled(columns, weights));

function scaled(columns: readonly string[], weights: Float64Array): Weights {
  const total = sum(weights);
  return namedWeights(
    columns,
    weights.map((weight) => (SUM * weight) / total),
  );
}

const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0);

/** To two decimals; without what that leaves of nothing. */
function rounded(weights: Weights): Weights {
  return Object.fromEntries(
    Object.entries(weights)
      .map(([name, weight]) => [name, Math.round(weight * 100) / 100] as const)
      .filter(([, weight]) => weight > 0),
  );
}

const COMMENTS: Readonly<Record<keyof Coefficients, string>> = {
  passages: 'Passages of documents.',
  turns: 'Turns of a conversation: passages with speakers.',
  units: 'Sentences and other units within chunks.',
};

export function coefficientsFile(coefficients: Coefficients): string {
  const profiles = Object.entries(COMMENTS).map(([profile, comment]) => {
    const weights = Object.entries(coefficients[profile as keyof Coefficients]);
    const lines = weights.map(([name, weight]) => `    ${name}: ${weight},\n`);
    return `  /** ${comment} */\n  ${profile}: {\n${lines.join('')}  },\n`;
  });
  return `${HEADER}export const COEFFICIENTS = {\n${profiles.join('')}} as const;\n`;
}

const HEADER = `/**
 * Learned weights of the features of relevance. Written by \`npm run train\`; do not edit.
 *
 * Learned from Natural Questions, HotpotQA, MuSiQue and LongMemEval, as what makes the evidence most likely
 * among all that competes with it. Only ratios matter: those of the words (of units: all) sum to 10.
 *
 * On top of these, with the words as they are: cosine, with vectors of a small static model; speaker, halved,
 * for it was learned from chats with an assistant, which says next to nothing of the user, while people talk of each
 * other. Not learned: score, which counts as much as all words; rank, which settles what
 * words leave even.
 */
`;
