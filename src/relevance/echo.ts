/**
 * Finds the parts of a text that repeat the question. An author can write any question above a text to have the text
 * found. A repeated question is not evidence that the text answers it, so it is left out before matching.
 *
 *   echo  ⇔ share ≥ .75, and the text repeats the interrogative word;
 *           share ≥ .9 if that word is not known; share = 1 for a question of less than five words
 *   share = words of the question that the text repeats in runs of three or more, in the same order / all its words
 *
 * Statements repeat questions, too ("Who won the cup?", "… won the cup"), but rarely the interrogative word. At most 1 %
 * of the gold passages of Natural Questions, HotpotQA, MuSiQue, RAMDocs, MTRAG-UN and XQuAD in six languages are echoes,
 * and .1 % of all passages.
 */
import { fold } from '../text/fold.js';
import type { Lexicon } from '../text/lexicon.js';
import { unitsIn } from '../text/units/units.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { wordsOf } from '../text/words.js';
import type { Passage, Question } from './passage.js';
import { formOf } from './question-form.js';

/** Words in a row. Shorter runs are common to any two texts about the same subject. */
const SHORTEST_RUN = 3;
const NEARLY_ALL = 0.9;
const MOST = 0.75;
/** A shorter question is repeated only if all of it is: three of four words may be a common phrase. */
const SHORTEST_CUT = 5;

/**
 * Returns a mask of the terms that repeat the question, or undefined if the text does not repeat it. A part of the
 * question that comes a second time is masked only if it is at least .75 of the question by itself, because statements
 * contain shorter parts, too.
 *
 * @param terms stems of the text, in order.
 * @param text the text of these terms.
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
  // The longest runs come first, so that a later statement keeps its shorter repetition of a part.
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
  /** Index of its first term in the question. */
  readonly from: number;
  /** Index of its first term in the text. */
  readonly at: number;
  readonly length: number;
}

/** Returns the maximal runs of terms that the question and the text share. */
function runsOf({ sequence, places }: Question, terms: Int32Array): Run[] {
  const runs: Run[] = [];
  // By some bits of its number, most terms are excluded without a search.
  let bits = 0;
  for (const term of sequence) bits |= 1 << (term & 31);
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    if ((bits & (1 << (term & 31))) === 0) continue;
    for (const from of places.get(term) ?? NOWHERE) {
      if (from > 0 && at > 0 && sequence[from - 1] === terms[at - 1]) continue;
      let length = 1;
      while (from + length < sequence.length && sequence[from + length] === terms[at + length]) length++;
      if (length >= SHORTEST_RUN) runs.push({ from, at, length });
    }
  }
  return runs;
}

const NONE = new Int32Array(0);
/** The beginning of a text, up to the end of its question if it begins with one. */
const OPENING = /^\s*[^\n?？؟]{1,300}[?？؟\n]?/u;

/**
 * Returns whether the passages are questions with answers, as in an FAQ: of the passages that do not repeat this
 * question, at least half begin with another question or have one as their title. In such a pool every entry begins with
 * a question, and the entry that repeats this question is the one that the user seeks.
 */
export function areQuestions(passages: readonly Passage[], question: Question): boolean {
  const others = passages.filter(({ terms, text }) => echoIn(question, terms, text) === undefined);
  const asking = others.filter(({ text, heading }) => {
    const opening = heading ?? OPENING.exec(text)?.[0] ?? '';
    return formOf(opening.trim(), wordsOf(opening)).asks;
  });
  return others.length > 0 && 2 * asking.length >= others.length;
}

/** Returns the masks of the passages whose echo counts, for {@link withoutEchoes}. */
function echoesOf(
  passages: readonly Passage[],
  question: Question,
  pool: readonly Passage[],
): (Uint8Array | undefined)[] {
  let isForm: boolean | undefined;
  return passages.map(({ isTrusted, terms, text }) => {
    const echo = isTrusted ? undefined : echoIn(question, terms, text);
    if (echo === undefined) return undefined;
    isForm ??= areQuestions(pool, question);
    return isForm ? undefined : echo;
  });
}

/**
 * Removes the repeated question from the terms, runs and titles of the passages. A passage stays the same object if it
 * does not repeat the question, if its source is in the most trusted tier, or if the pool is questions with answers.
 *
 * @param pool the chunks: the passages themselves, or the chunks that contain them.
 */
export function withoutEchoes(
  passages: readonly Passage[],
  question: Question,
  vocabulary: Vocabulary,
  pool: readonly Passage[] = passages,
): readonly Passage[] {
  const echoes = echoesOf(passages, question, pool);
  return passages.map((passage, at) => {
    const echo = echoes[at];
    if (echo === undefined) return passage;
    const { text, terms, runs, title, heading = '' } = passage;
    const inRuns = runs && echoIn(question, vocabulary.stemsOf(runs), text);
    return {
      ...passage,
      terms: terms.filter((_, at) => echo[at] === 0),
      title: echoIn(question, title, heading) === undefined ? title : NONE,
      ...(runs && inRuns ? { runs: runs.filter((_, at) => inRuns[at] === 0) } : {}),
    };
  });
}

/**
 * Returns, for each passage that repeats the question, its text and its title without the repetition; undefined for the
 * others. The exceptions are those of {@link withoutEchoes}.
 */
export function textsWithoutEchoes(
  passages: readonly Passage[],
  question: Question,
  lexicon: Lexicon,
): ({ text: string; heading: string | undefined } | undefined)[] {
  const echoes = echoesOf(passages, question, passages);
  return passages.map(({ text, title, heading }, at) => {
    if (echoes[at] === undefined) return undefined;
    const isAsked = heading !== undefined && echoIn(question, title, heading) !== undefined;
    return { text: cutEcho(question, text, lexicon), heading: isAsked ? undefined : heading };
  });
}

/** Cuts the words that repeat the question; where their places are not known, the sentences that do. */
function cutEcho(question: Question, text: string, lexicon: Lexicon): string {
  const echo = echoIn(question, lexicon.terms(text), text);
  const starts = lexicon.starts(text);
  if (echo === undefined) return text;
  if (starts === undefined) {
    const sentences = unitsIn(text, lexicon).map(({ start, end }) => text.slice(start, end));
    return sentences.filter((each) => echoIn(question, lexicon.terms(each), each) === undefined).join(' ');
  }
  let kept = text.slice(0, starts[0]);
  for (let at = 0; at < echo.length; at++)
    if (echo[at] === 0) kept += text.slice(starts[at], starts[at + 1] ?? text.length);
  return kept.trim();
}
