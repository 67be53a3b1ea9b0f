/**
 * Where a text repeats the question. Whoever wants a text to be found can write any question above it, so the question's
 * own sentence says nothing of what the text answers, and is left out of what is matched.
 *
 *   echo  ⇔ share ≥ .75, and the word that asks is among what is repeated;
 *           share ≥ .9 where that word is not known; all of a question of less than five words
 *   share = words of the question that stand in the text in runs of three or more, as in the question / all its words
 *
 * Statements repeat questions, too ("Who won the cup?", "… won the cup"), but hardly ever the word that asks. Of the
 * gold passages of Natural Questions, HotpotQA, MuSiQue, RAMDocs, MTRAG-UN and XQuAD in six languages at most 1 % are
 * echoes, of all passages .1 %.
 */
import type { Vocabulary } from '../text/vocabulary.js';
import type { Passage, Question } from './passage.js';

/** Words in a row. Two words follow each other in any two texts about one thing. */
const SHORTEST_RUN = 3;
const NEARLY_ALL = 0.9;
const MOST = 0.75;
/** Shorter questions are an echo only as a whole: three of four words are a phrase. */
const SHORTEST_CUT = 5;

const INTERROGATIVES = new Set(
  "who whom whose what which when where why how who's what's where's how's when's why's".split(' '),
);
/** A question that begins with one of these, in English, needs no other. */
const AUXILIARIES = new Set(
  (
    'is are was were am do does did can could will would shall should may might must has have had ' +
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't"
  ).split(' '),
);
const QUESTION_MARK = /[?？؟;︖]\s*["'”’»)]*\s*$/u;

/** The form of a question. */
export interface Form {
  /** Does it ask, or is it the words of a search? Those are what a good text has, one after the other. */
  readonly asks: boolean;
  /** Place of the word that makes it a question, among its words, as far as that is known: of English. */
  readonly interrogative?: number;
}

export function formOf(text: string, words: readonly string[]): Form {
  const hasMark = QUESTION_MARK.test(text);
  const interrogative = words.findIndex((word) => INTERROGATIVES.has(word));
  // "The man who sold the world" asks nothing.
  if (interrogative >= 0 && (hasMark || interrogative < 2)) return { asks: true, interrogative };
  if (AUXILIARIES.has(words[0] as string)) return { asks: true, interrogative: 0 };
  return { asks: hasMark };
}

/**
 * The places in `terms` of what repeats the sequence, as a mask; undefined where the text does not echo it. Parts of the
 * question that come again, and are no echo by themselves, are not among them: statements have them as well.
 */
export function echoIn({ sequence, form }: Question, terms: Int32Array): Uint8Array | undefined {
  const { length } = sequence;
  const { asks, interrogative } = form;
  if (!asks) return undefined;
  if (length < SHORTEST_RUN || terms.length < SHORTEST_RUN) return undefined;
  const runs = runsOf(sequence, terms);
  const asked = new Uint8Array(length);
  for (const run of runs) asked.fill(1, run.from, run.from + run.length);
  const share = asked.reduce((sum, each) => sum + each, 0) / length;
  const isAsked = interrogative === undefined || asked[interrogative] === 1;
  const least = length < SHORTEST_CUT ? 1 : interrogative === undefined ? NEARLY_ALL : MOST;
  if (!isAsked || share < least) return undefined;
  // The longest first: a statement further on that has a part of it keeps that.
  const mask = new Uint8Array(terms.length);
  asked.fill(0);
  for (const { from, at, length: long } of runs.sort((a, b) => b.length - a.length || a.at - b.at)) {
    const isNew = asked.subarray(from, from + long).includes(0);
    if (!isNew && long < MOST * length) continue;
    asked.fill(1, from, from + long);
    mask.fill(1, at, at + long);
  }
  return mask;
}

interface Run {
  /** In the question, */
  readonly from: number;
  /** and in the text. */
  readonly at: number;
  readonly length: number;
}

/** All runs of terms that both have, that cannot be made longer. */
function runsOf(sequence: Int32Array, terms: Int32Array): Run[] {
  const places = new Map<number, number[]>();
  for (const [from, term] of sequence.entries()) {
    const known = places.get(term);
    if (known === undefined) places.set(term, [from]);
    else known.push(from);
  }
  const runs: Run[] = [];
  for (let at = 0; at < terms.length; at++) {
    for (const from of places.get(terms[at] as number) ?? []) {
      if (from > 0 && at > 0 && sequence[from - 1] === terms[at - 1]) continue;
      let length = 1;
      while (from + length < sequence.length && sequence[from + length] === terms[at + length]) length++;
      if (length >= SHORTEST_RUN) runs.push({ from, at, length });
    }
  }
  return runs;
}

const NONE = new Int32Array(0);

/**
 * The passage without the question's sentence; itself where it does not repeat it.
 *
 * A title that is the question goes as well.
 */
export function withoutEcho(passage: Passage, question: Question, vocabulary: Vocabulary): Passage {
  if ((globalThis as any).NOECHO) return passage;
  const echo = echoIn(question, passage.terms);
  if (echo === undefined) return passage;
  const { runs, title } = passage;
  const inRuns = runs && echoIn(question, vocabulary.stemsOf(runs));
  return {
    ...passage,
    terms: passage.terms.filter((_, at) => echo[at] === 0),
    title: echoIn(question, title) === undefined ? title : NONE,
    ...(runs && inRuns ? { runs: runs.filter((_, at) => inRuns[at] === 0) } : {}),
  };
}
