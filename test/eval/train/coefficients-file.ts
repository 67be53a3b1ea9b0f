/** From learned weights to the file that the library reads. */
import type { ChunkProfile } from '../../../src/relevance/chunks.js';
import type { Weights } from './example.js';
import { namedWeights } from './profile.js';

export type Coefficients = Readonly<Record<ChunkProfile | 'units', Weights>>;

/** What the lexical weights of a profile sum to; of units, all weights. Only their ratios matter. */
const SUM = 10;
/**
 * Of the retriever's evidence, its scores and the places of its list: a fifth more than all words. Mean nDCG@10 of the
 * best 50 by BM25, over six families of sets, is .846 as they came, .864 with as much as words, .859 with half as much
 * again; of the same lists in a made-up perfect order, which is to stay, .983 and .990; of made-up orders of .85, .946 and
 * .927. Weights that were learned on such lists, each family held out, were no better at both ends (.858 and .976). Learned
 * with BM25 and a small static model as the retrievers the share is a twentieth; those in use are better.
 */
const RETRIEVER_SHARE = 1.2;
/** In chats with an assistant next to nothing about the user is said by the assistant. People talk about each other. */
const SPEAKER_SHRINKAGE = 0.5;
/**
 * Set by hand, for there is no talk of people with marked evidence that may be learned from, and what was made into one
 * has no dialogue. Turns of people are short, name their subject once, and go on about it without a word of the
 * question: what stands around a turn says half as much as all that is in it. Chats with an assistant, in which nearly
 * every turn names its subject, do not show that.
 */
const AMONG_PEOPLE: Weights = { neighbours: 2.3, source: 3 };

/**
 * The weights of chunks as they are written: those of words sum to 10, then those of speaker, cosine, score and rank on
 * the same scale. Of a talk some are set by hand before that.
 *
 * @param words weights of all columns, learned from words and speakers.
 * @param extras by name, weights of all columns with this one learned besides.
 * @param present weights that stay as they are where no others were learned.
 */
export function chunkWeights(
  profile: ChunkProfile,
  columns: readonly string[],
  words: Float64Array,
  extras: Readonly<Record<string, Float64Array>>,
  present: Weights,
): Weights {
  const { speaker, ...learned } = namedWeights(columns, words);
  const toSum = SUM / total(learned);
  const isTalk = profile === 'talk';
  const ofWords = isTalk ? { ...times(learned, toSum), ...AMONG_PEOPLE } : times(learned, toSum);
  // What is set by hand takes its share of all others.
  const share = SUM / total(ofWords);
  const scale = toSum * share;
  const ownCosine = extras.cosine?.[columns.indexOf('cosine')];
  const cosine = ownCosine === undefined ? present.cosine : ownCosine * scale;
  return rounded({
    ...times(ofWords, share),
    ...(speaker === undefined ? {} : { speaker: speaker * scale * (isTalk ? SPEAKER_SHRINKAGE : 1) }),
    ...(cosine === undefined ? {} : { cosine }),
    score: SUM * RETRIEVER_SHARE,
    rank: SUM * RETRIEVER_SHARE,
  });
}

export const unitWeights = (columns: readonly string[], weights: Float64Array): Weights => {
  const learned = namedWeights(columns, weights);
  return rounded(times(learned, SUM / total(learned)));
};

const total = (weights: Weights) => Object.values(weights).reduce((before, weight) => before + weight, 0);

const times = (weights: Weights, factor: number): Weights =>
  Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, weight * factor]));

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
  talk: 'Turns of people among themselves.',
  chat: 'Turns of a chat with an assistant.',
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
 * The weights make the evidence most likely among its competitors in Natural Questions, HotpotQA, MuSiQue and
 * LongMemEval. Only ratios matter: the weights of the lexical features (of units: all weights) sum to 10.
 *
 * The weights of \`speaker\` and \`cosine\` come on top of that sum. \`speaker\` was learned together with the lexical weights.
 * In \`talk\` it is halved, because it was learned from chats: an assistant says almost nothing of the user, but people talk
 * of each other. \`cosine\` was learned with vectors of a small static model and fixed lexical weights. Not learned are
 * \`score\` and \`rank\`, the retriever's own evidence, which count a fifth more than all lexical features; and \`neighbours\`
 * and \`source\` of \`talk\`, whose turns depend on each other more than those of any training set.
 */
`;
