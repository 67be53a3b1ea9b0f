/**
 * How much of the evidence of a pool is in what was kept of it: of several pieces the share, or of whole passages the tokens
 * beside the best that the budget allows.
 *
 *   share of pieces = pieces kept / pieces that the pool holds
 *   share of tokens = tokens of the sentences of relevant chunks that are kept / min(budget, tokens of all of them)
 *
 * Each sentence counts once, in whichever chunk it is kept: pools hold copies and passages that overlap, and nothing is
 * learned from reading a sentence twice. A sentence that is cut does not count.
 */
import type { TokenCounter } from 'context-shaping';
import type { Case } from '../data/case.js';
import { includesWords, type Kept, normaliseAnswer } from '../metrics.js';

/** A piece of evidence: any of the texts, as whole words in any case, or letter by letter but for white space. */
export interface Piece {
  any: readonly string[];
  by: 'words' | 'letters';
  /** Where it has to stand. Absent: anywhere. */
  chunk?: string;
}

/** The share that is kept; `maxTokens` is the budget. */
export type ShareKept = (kept: readonly Kept[], maxTokens: number) => number;

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();

/** @returns nothing if the pool holds none of the pieces. */
export function sharePieces(pieces: readonly Piece[], pool: readonly Kept[]): ShareKept | undefined {
  const finders = pieces.map(({ any, by, chunk }) => {
    const wanted = any.map(by === 'words' ? normaliseAnswer : spaced).filter((text) => text !== '');
    return ({ id, words, letters }: ReadText) =>
      (chunk === undefined || chunk === id) &&
      (by === 'words' ? includesWords(words(), wanted) : wanted.some((text) => letters().includes(text)));
  });
  const held = finders.filter((find) => pool.map(read).some(find));
  if (held.length === 0) return undefined;
  return (kept) => {
    const texts = kept.map(read);
    return held.filter((find) => texts.some(find)).length / held.length;
  };
}

interface ReadText {
  id: string;
  words: () => string;
  letters: () => string;
}

/** Each form is made once, when it is first asked for. */
function read({ id, text }: Kept): ReadText {
  let [words, letters]: [string?, string?] = [];
  return {
    id,
    words: () => {
      words ??= normaliseAnswer(text);
      return words;
    },
    letters: () => {
      letters ??= spaced(text);
      return letters;
    },
  };
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentencesOf = (text: string) => Array.from(sentences.segment(text), ({ segment }) => spaced(segment));

/** @returns nothing if the pool holds nothing that is relevant. */
export function shareTokens(
  { relevant, chunks: pool }: Pick<Case, 'relevant' | 'chunks'>,
  countTokens: TokenCounter,
): ShareKept | undefined {
  const ids = new Set(relevant);
  const wanted = new Map<string, number>();
  for (const { id, text } of pool) {
    if (!ids.has(id)) continue;
    for (const sentence of sentencesOf(text))
      if (sentence !== '') wanted.set(sentence, countTokens(sentence));
  }
  const tokens = ([, each]: [string, number]) => each;
  const all = sumOf([...wanted].map(tokens));
  if (all === 0) return undefined;
  return (kept, maxTokens) => {
    const texts = kept.map(({ text }) => spaced(text));
    const found = [...wanted].filter(([sentence]) => texts.some((text) => text.includes(sentence)));
    return Math.min(1, sumOf(found.map(tokens)) / Math.min(maxTokens, all));
  };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
