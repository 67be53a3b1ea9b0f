/**
 * Natural Questions with their gold passages, each in a pool of the passages that a lexical retriever
 * confuses with it most: the hardest by BM25 that answer other questions, and do not hold an answer to this.
 *
 * Source: T. Kwiatkowski et al., "Natural Questions", 2019; gold passages and the setting of 20 documents as
 * in N. Liu et al., "Lost in the Middle", 2023.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { Bm25 } from '../bm25.js';
import { includesWords, normaliseAnswer } from '../metrics.js';
import { questionTerms, termsOf } from '../terms.js';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  question: z.string(),
  answers: z.array(z.string()),
  ctxs: z.array(z.object({ title: z.string(), text: z.string() })).check(z.minLength(1)),
});

interface Question {
  /** Place in the file. */
  at: number;
  question: string;
  answers: readonly string[];
  gold: Chunk;
  hasAnswer(passage: Chunk): boolean;
}

/** The questions whose gold passage holds an answer, and the gold passages of all questions, each once. */
function read(dataDir: string, tally: Tally): { questions: Question[]; passages: Chunk[] } | undefined {
  const files = filesOf(dataDir, 'nq', /^nq.*\.jsonl(\.gz)?$/);
  if (files.length === 0) return undefined;
  const items = files.flatMap((file) => readLines(file, line));
  const passages = new Map<string, Chunk>();
  const golds = items.map(({ ctxs: [gold] }) => {
    const { title, text } = gold as { title: string; text: string };
    const whole = `${title}\n${text}`;
    const id = `p${passages.size}`;
    if (!passages.has(whole)) passages.set(whole, { id, text: whole, metadata: { title, source: title } });
    return passages.get(whole) as Chunk;
  });
  const all = [...passages.values()];
  const normalised = new Map(all.map((passage) => [passage, normaliseAnswer(passage.text)]));
  const questions = items.flatMap(({ question, answers }, at): Question[] => {
    const gold = golds[at] as Chunk;
    const wanted = answers.map(normaliseAnswer);
    const hasAnswer = (passage: Chunk) => includesWords(normalised.get(passage) ?? '', wanted);
    if (!hasAnswer(gold)) {
      tally.add('questions skipped, gold passage without an answer');
      return [];
    }
    return [{ at, question, answers, gold, hasAnswer }];
  });
  return { questions, passages: all };
}

/** Each question over the whole collection of gold passages. */
export function loadNaturalQuestionsCollection(dataDir: string): Dataset | undefined {
  const tally = new Tally();
  const data = read(dataDir, tally);
  if (data === undefined) return undefined;
  tally.add('questions used', data.questions.length);
  const cases = data.questions.map(
    ({ at, question, answers, gold }): Case => ({
      id: `nq-${at}`,
      group: `nq-${at}`,
      question,
      chunks: data.passages,
      relevant: [gold.id],
      answers,
      facts: [],
    }),
  );
  return { cases, counts: tally.counts };
}

/** @param poolSize passages per question, the gold passage among them. */
export function loadNaturalQuestions(dataDir: string, poolSize = 20): Dataset | undefined {
  const tally = new Tally();
  const data = read(dataDir, tally);
  if (data === undefined) return undefined;
  const { questions, passages: all } = data;
  const index = new Bm25(all.map(({ text }) => termsOf(text)));
  const cases: Case[] = [];
  for (const { at, question, answers, gold, hasAnswer } of questions) {
    const isDistractor = (passage: Chunk) => passage !== gold && !hasAnswer(passage);
    const hardest = firstThat(isDistractor, ranked(all, index.scores(questionTerms(question))), poolSize - 1);
    if (hardest.length < poolSize - 1) {
      tally.add('questions skipped, too few passages for a pool');
      continue;
    }
    tally.add('questions used');
    cases.push({
      id: `nq-${at}`,
      group: `nq-${at}`,
      question,
      // Shuffled, so that the place in the pool tells nothing.
      chunks: shuffled([gold, ...hardest], seededRandom(at)),
      relevant: [gold.id],
      answers,
      facts: [],
    });
  }
  return { cases, counts: tally.counts };
}

/** Best first, ties in order of the items. */
function ranked<T>(items: readonly T[], scores: Float64Array): T[] {
  const order = scores
    .map((_, at) => at)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  return Array.from(order, (at) => items[at] as T);
}

function firstThat<T>(holds: (item: T) => boolean, items: Iterable<T>, count: number): T[] {
  const found: T[] = [];
  for (const item of items) {
    if (found.length === count) break;
    if (holds(item)) found.push(item);
  }
  return found;
}
