/** What a retriever hands on for a question: with what answers it, without that, and for another question. */
import type { Chunk } from 'context-shaping';
import { type SupportFeatures, supportFeatures } from '../../../../src/relevance/answerable.js';
import { withoutEchoes } from '../../../../src/relevance/echo.js';
import { type Passage, questionOf, titleTerms } from '../../../../src/relevance/passage.js';
import { contentWords } from '../../../../src/text/function-words.js';
import { Lexicon } from '../../../../src/text/lexicon.js';
import { wordsOf } from '../../../../src/text/words.js';
import { Bm25 } from '../bm25.js';
import type { Case, Unanswered } from '../data/case.js';
import { drawOf } from '../draw.js';
import { spread } from '../suites/suite.js';
import { questionTerms, termsOf } from '../terms.js';

/** People also search with a few words; the longest are the rarest. */
export const FORMS = ['question', 'search words', 'two words', 'one word'] as const;
export type Form = (typeof FORMS)[number];
const MOST_WORDS: Readonly<Record<Form, number>> = {
  question: Number.POSITIVE_INFINITY,
  'search words': Number.POSITIVE_INFINITY,
  'two words': 2,
  'one word': 1,
};
/** So many of the questions are also asked in each of the other forms. */
const SHARE_OF_OTHER_FORMS = 1 / 3;
const SIZES = [1, 3, 5, 10, 20, 20, 40];

/** The best chunks of a set for a question, by BM25. */
export interface AnswerPool {
  readonly family: string;
  readonly set: string;
  readonly form: Form;
  /** `without`: the evidence was removed and the next chunks moved up, or there never was any. */
  readonly kind: 'with' | 'without' | 'other';
  /** By chunk: is it evidence? */
  readonly gold: readonly boolean[];
  /** By chunk, in the order of `columns`. */
  readonly features: readonly (readonly number[])[];
  /** The naive judge: the greatest share of the question's words in one chunk. */
  readonly words: number;
}

export interface Source {
  readonly family: string;
  readonly set: string;
  readonly cases: readonly Case[];
  readonly unanswered?: readonly Unanswered[];
  /** Is the answer only in all relevant chunks together? */
  readonly needsAll?: boolean;
}

/**
 * Of every form a pool with the evidence, if BM25 finds it, and one without; questions also get the pool of another
 * question. Titles are metadata for a third of the questions, the beginning of the text for a third, and else absent.
 *
 * @param columns names of values of support, in the order of the rows.
 */
export function poolsOf(source: Source, columns: readonly (keyof SupportFeatures)[]): AnswerPool[] {
  const { family, set, cases, unanswered = [], needsAll = false } = source;
  const rank = ranker();
  return FORMS.flatMap((form): AnswerPool[] => {
    const isQuestion = form === 'question';
    const some = isQuestion ? cases : spread(cases, Math.ceil(SHARE_OF_OTHER_FORMS * cases.length));
    const make = (
      { id, question }: Unanswered,
      kind: AnswerPool['kind'],
      chunks: readonly Chunk[],
      isGold: (chunk: Chunk) => boolean,
    ) => {
      const best = chunks.slice(0, SIZES[drawOf(`size of ${id}`) % SIZES.length]);
      const gold = best.map((chunk) => kind === 'with' && isGold(chunk));
      const dressed = best.map((chunk) => dress(chunk, drawOf(`title of ${id}`) % 3));
      const features = featuresOf(question, dressed, columns);
      const pool = { family, set, form, kind, gold, words: shareOfWords(question, dressed) };
      return features === undefined || best.length === 0 ? [] : [{ ...pool, features }];
    };
    const pools = some.flatMap((given, at) => {
      const each = { ...given, question: inForm(given.question, form) };
      const other = cases[(at + Math.ceil(cases.length / 2)) % cases.length] as Case;
      const isGold = ({ id }: Chunk) => each.relevant.includes(id);
      const ranked = rank(each);
      const most = SIZES[drawOf(`size of ${each.id}`) % SIZES.length];
      const found = ranked.slice(0, most).filter(isGold).length;
      const isThere = needsAll ? found === new Set(each.relevant).size : found > 0;
      const isAnother = isQuestion && other.id !== each.id;
      return [
        ...(isThere ? make(each, 'with', ranked, isGold) : []),
        ...make(
          each,
          'without',
          ranked.filter((chunk) => !isGold(chunk)),
          isGold,
        ),
        ...(isAnother
          ? make(
              each,
              'other',
              rank(other).filter((chunk) => !isGold(chunk)),
              isGold,
            )
          : []),
      ];
    });
    const never = isQuestion
      ? unanswered.flatMap((each) => make(each, 'without', rank(each), () => false))
      : [];
    return [...pools, ...never];
  });
}

function inForm(question: string, form: Form): string {
  if (form === 'question') return question;
  const words = [...new Set(contentWords(wordsOf(question)))];
  const longest = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, MOST_WORDS[form]));
  return words.filter((word) => longest.has(word)).join(' ');
}

/** Ranks the chunks of a question, with their titles, best first. Questions of one collection share its index. */
function ranker(): (asked: Unanswered) => Chunk[] {
  const indices = new Map<readonly Chunk[], Bm25>();
  return ({ question, chunks }) => {
    const index = indices.get(chunks) ?? new Bm25(chunks.map((chunk) => termsOf(dress(chunk, 0).text)));
    indices.set(chunks, index);
    const scores = index.scores(questionTerms(question));
    const places = [...chunks.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
    return places.map((place) => chunks[place] as Chunk);
  };
}

/** @param place 0: the title begins the text; 1: it is metadata; 2: there is none. */
function dress(chunk: Chunk, place: number): Chunk {
  const { title, ...metadata } = chunk.metadata ?? {};
  if (title === undefined) return chunk;
  const text = chunk.text.startsWith(`${title}\n`) ? chunk.text.slice(title.length + 1) : chunk.text;
  if (place === 1) return { ...chunk, text };
  return { ...chunk, text: place === 0 ? `${title}\n${text}` : text, metadata };
}

function featuresOf(
  query: string,
  chunks: readonly Chunk[],
  columns: readonly (keyof SupportFeatures)[],
): number[][] | undefined {
  const lexicon = new Lexicon();
  const question = questionOf(query, lexicon);
  const passages = chunks.map(({ text, metadata }): Passage => {
    const title = titleTerms(metadata?.title, lexicon);
    const terms = Int32Array.from([...title, ...lexicon.searchTerms(text)]);
    return { text, title, terms, runs: lexicon.runs(text) };
  });
  const unechoed = withoutEchoes(passages, question, lexicon.vocabulary);
  const features = supportFeatures(question, unechoed, lexicon);
  return features && chunks.map((_, at) => columns.map((name) => features[name][at] as number));
}

function shareOfWords(question: string, chunks: readonly Chunk[]): number {
  const asked = [...new Set(questionTerms(question))];
  const shares = chunks.map(({ text, metadata }) => {
    const terms = new Set(termsOf(`${metadata?.title ?? ''} ${text}`));
    return asked.filter((term) => terms.has(term)).length / Math.max(1, asked.length);
  });
  return Math.max(0, ...shares);
}
