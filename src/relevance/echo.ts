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
import { fold } from '../text/normalise.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { wordsOf } from '../text/words.js';
import type { Passage, Question } from './passage.js';
import { formOf } from './question-form.js';

/** Words in a row. Two words follow each other in any two texts about one thing. */
const SHORTEST_RUN = 3;
const NEARLY_ALL = 0.9;
const MOST = 0.75;
/** Shorter questions are an echo only as a whole: three of four words are a phrase. */
const SHORTEST_CUT = 5;

/**
 * The places in `terms` of what repeats the question, as a mask; undefined where the text does not echo it. Parts of the
 * question that come again, and are no echo by themselves, are not among them: statements have them as well.
 *
 * @param text that the terms are of.
 */
export function echoIn(question: Question, terms: Int32Array, text: string): Uint8Array | undefined {
  const { length } = question.sequence;
  const { asks, interrogative, sentence } = question.form;
  if (!asks) return undefined;
  if (length < SHORTEST_RUN || terms.length < SHORTEST_RUN) return undefined;
  const runs = runsOf(question, terms);
  const asked = new Uint8Array(length);
  for (const run of runs) asked.fill(1, run.from, run.from + run.length);
  const share = asked.reduce((sum, each) => sum + each, 0) / length;
  const isAsked = interrogative === undefined || asked[interrogative] === 1;
  const least = length < SHORTEST_CUT ? 1 : interrogative === undefined ? NEARLY_ALL : MOST;
  if (!isAsked || share < least) return undefined;
  if (sentence?.test(fold(text).replaceAll('’', "'")) === false) return undefined;
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

const NOWHERE: readonly number[] = [];

interface Run {
  /** In the question, */
  readonly from: number;
  /** and in the text. */
  readonly at: number;
  readonly length: number;
}

/** All runs of terms that both have, that cannot be made longer. */
function runsOf({ sequence, places }: Question, terms: Int32Array): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < terms.length; at++) {
    for (const from of places.get(terms[at] as number) ?? NOWHERE) {
      if (from > 0 && at > 0 && sequence[from - 1] === terms[at - 1]) continue;
      let length = 1;
      while (from + length < sequence.length && sequence[from + length] === terms[at + length]) length++;
      if (length >= SHORTEST_RUN) runs.push({ from, at, length });
    }
  }
  return runs;
}

const NONE = new Int32Array(0);
/** Where a text begins with a question, that ends here. */
const OPENING = /^\s*[^\n?？؟]{1,300}[?？؟\n]?/u;

/**
 * Are these questions with their answers, as in an FAQ? At least half of the passages that do not repeat this question
 * begin with another, or have one as their title. Then a question is the form that all of them have, and an echo is the
 * very entry that is sought.
 */
export function areQuestions(passages: readonly Passage[], question: Question): boolean {
  const others = passages.filter(({ terms, text }) => echoIn(question, terms, text) === undefined);
  const asking = others.filter(({ text, heading }) => {
    const opening = heading ?? OPENING.exec(text)?.[0] ?? '';
    return formOf(opening.trim(), wordsOf(opening)).asks;
  });
  return others.length > 0 && 2 * asking.length >= others.length;
}

/**
 * The passages without the sentence of the question, in text and title; the very same where they do not repeat it, where
 * all of them are questions with their answers, and where their source is the most trusted.
 *
 * @param pool the chunks that the passages are, or are parts of.
 */
export function withoutEchoes(
  passages: readonly Passage[],
  question: Question,
  vocabulary: Vocabulary,
  pool: readonly Passage[] = passages,
): readonly Passage[] {
  let isForm: boolean | undefined;
  return passages.map((passage) => {
    const { text, terms, runs, title, heading = '', isTrusted } = passage;
    const echo = isTrusted ? undefined : echoIn(question, terms, text);
    if (echo === undefined) return passage;
    isForm ??= areQuestions(pool, question);
    if (isForm) return passage;
    const inRuns = runs && echoIn(question, vocabulary.stemsOf(runs), text);
    return {
      ...passage,
      terms: terms.filter((_, at) => echo[at] === 0),
      title: echoIn(question, title, heading) === undefined ? title : NONE,
      ...(runs && inRuns ? { runs: runs.filter((_, at) => inRuns[at] === 0) } : {}),
    };
  });
}
