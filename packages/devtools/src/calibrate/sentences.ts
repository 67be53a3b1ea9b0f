/** Whether a scorer ranks sentences better than relevance and than BM25, on questions with known evidence. */

import {
  type ContextShapingError,
  createShaper,
  type SentenceProfile,
  type SentenceScorer,
  type ShapingOptions,
} from 'context-shaping';
import {
  type RankedUnit,
  Recording,
  SENTENCE_SHARE,
  scorerSettingsOf,
  serviceError,
  unitRankings,
} from 'context-shaping/internal';
import { invalidInput, parseOptions, silence } from 'context-shaping/kit';
import * as z from 'zod';
import {
  ALPHA,
  areaUnderCurve,
  crossValidated,
  type Gain,
  LEAST_QUESTIONS,
  type Scored,
  verdictOf,
} from '../gate/index.js';
import { differencesTo, namesOf, type RankingFigures, rankingFigures } from './figures.js';
import { checkQuestions, commonOptions, haveScores, type LabelledQuestion } from './labelled-question.js';
import { inputOf } from './question-input.js';

/** Shares to choose from, the smallest first: of equal ones the first is chosen. */
const SHARES = [SENTENCE_SHARE, 0.5, 0.75, 1] as const;

export interface CalibrateSentencesOptions {
  /**
   * At least 60 different questions like those of your users, with passages as your retriever returns them. The evidence is
   * known by `evidence` of the relevant passages, else by `answer`.
   */
  data: readonly LabelledQuestion[];
  scorer: SentenceScorer;
  /** The option `extract.scorer.share`, if you do not want the calibration to choose it. */
  share?: number | undefined;
  /** The option `extract.scorer.maxCandidates`. Default 20. */
  maxCandidates?: number | undefined;
  /** Other options of the shaper that change relevance, as you will use them. */
  shaping?: Pick<ShapingOptions, 'embedder' | 'relevance' | 'tokenizer' | 'ecs'> | undefined;
  /** Called after each question. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The profile, with the figures on which its verdict rests. */
export interface SentenceCalibration extends SentenceProfile {
  /** Why it does not win, as sentences. Empty if it wins. */
  reasons: string[];
  /** Number of questions whose evidence was found in some sentences and not in all. The others do not count. */
  questions: number;
  /** Number of sentences and other units of these questions. */
  sentences: number;
  /** The ranking with the share that ranks the questions of the other folds best. */
  blended: RankingFigures;
  relevance: RankingFigures;
  bm25: RankingFigures;
  gainOverRelevance: Gain;
  gainOverBm25: Gain;
  /** The level of both tests, one-sided. */
  alpha: number;
  /** Number of questions on which the scorer failed. Their sentences are ranked by words, as in use. */
  failed: number;
}

/**
 * Measures on labelled questions whether a scorer ranks sentences better than relevance and than BM25. The result is the
 * profile that `extract.scorer` requires before the scorer may change which sentences stay.
 *
 * A sentence, list item or other unit is evidence if it overlaps a quote of `evidence`; for passages without quotes, if
 * it contains the answer. The same data gives the same profile, if the scorer gives the same numbers. The scorer is asked
 * once for each question, no matter how many shares are tried.
 *
 * @throws ContextShapingError `invalid-input`, if a question is malformed, a quote is not in its passage, or fewer than 20
 *   questions have evidence that can be found; `service`, if the scorer failed on all questions.
 */
export async function calibrateSentences(options: CalibrateSentencesOptions): Promise<SentenceCalibration> {
  const { data, scorer, share, maxCandidates, shaping, onProgress, signal } = checkOptions(options);
  const shares = share === undefined ? SHARES : [share];
  const ranked = haveScores(data);
  const { options: resolved } = createShaper({
    ...shaping,
    extract: { scorer: { model: scorer, trust: 'always', maxCandidates } },
  });
  const most = (resolved.extract || undefined)?.scorer?.maxCandidates as number;
  const questions: Question[] = [];
  for (const [at, question] of data.entries()) {
    const input = { ...inputOf(question), ranked, signal };
    const { scorer: model = scorer } = new Recording({ scorer }).replayed();
    const { units, failure } = await unitRankings({ ...shaping, ranked }, input, {
      model,
      maxCandidates: most,
      shares,
    });
    const isEvidence = evidenceOf(question, input.chunks);
    const labelled = units.map((unit) => ({ unit, relevant: isEvidence(unit) }));
    const by = (score: (unit: RankedUnit) => number): Scored[] =>
      labelled.map(({ unit, relevant }) => ({ relevant, score: score(unit) }));
    if (labelled.some(({ relevant }) => relevant) && labelled.some(({ relevant }) => !relevant))
      questions.push({
        text: question.question,
        relevance: by(({ relevance }) => relevance),
        bm25: by(({ bm25 }) => bm25),
        blended: shares.map((_, place) => by(({ blended }) => blended[place] as number)),
        failure,
      });
    silence(onProgress?.(at + 1, data.length));
  }
  checkEnough(questions, data.length);
  const failures = questions.flatMap(({ failure }) => failure ?? []);
  if (failures.length === questions.length) throw allFailed(failures[0] as string);
  const chosen = crossValidated(
    questions.map(({ text }) => text),
    questions.map(({ blended }) => blended.map(areaUnderCurve)),
  );
  const blended = questions.map(
    (question, place) => question.blended[chosen.byQuestion[place] as number] as Scored[],
  );
  const rivals = {
    relevance: questions.map((each) => each.relevance),
    BM25: questions.map((each) => each.bm25),
  };
  const verdict = verdictOf(
    Object.entries(rivals).map(([rival, other]) => differencesTo(rival, blended, other)),
    1,
  );
  const [gainOverRelevance, gainOverBm25] = verdict.gains as [Gain, Gain];
  const measured = { share: shares[chosen.chosen] as number, maxCandidates: most };
  return {
    version: 1,
    wins: verdict.wins,
    reasons: verdict.reasons,
    ...(await namesOf(scorer, signal)),
    settings: scorerSettingsOf(measured, resolved, {
      ranked,
      hasVectors: shaping?.embedder !== undefined,
    }),
    questions: questions.length,
    sentences: questions.reduce((sum, { relevance }) => sum + relevance.length, 0),
    blended: rankingFigures(blended),
    relevance: rankingFigures(rivals.relevance),
    bm25: rankingFigures(rivals.BM25),
    gainOverRelevance,
    gainOverBm25,
    alpha: ALPHA,
    failed: failures.length,
  };
}

/** The units of one question by each ranking; `blended` by each share. */
interface Question {
  text: string;
  relevance: Scored[];
  bm25: Scored[];
  blended: Scored[][];
  failure: string | undefined;
}

/** Says of a unit whether it is evidence. Case and white space of the answer do not count. */
function evidenceOf(
  { answer, passages }: LabelledQuestion,
  chunks: readonly { id: string; text: string }[],
): (unit: RankedUnit) => boolean {
  const wanted = spaced(answer ?? '');
  return ({ chunk, start, end }) => {
    const { id, text } = chunks[chunk] as { id: string; text: string };
    const passage = passages[Number(id.replace('passage ', ''))];
    if (passage === undefined || !passage.relevant) return false;
    if (passage.evidence === undefined)
      return wanted !== '' && spaced(text.slice(start, end)).includes(wanted);
    return passage.evidence.some((quote) => {
      const place = text.indexOf(quote);
      return place < end && start < place + quote.length;
    });
  };
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

const optionsSchema = z.strictObject({
  ...commonOptions,
  scorer: z.custom<SentenceScorer>(
    (value) => ['identify', 'score'].every((name) => typeof (value as never)?.[name] === 'function'),
    { error: 'must be a scorer of sentences' },
  ),
  share: z.number().min(0).max(1).optional(),
  maxCandidates: z.int().min(1).optional(),
});

function checkOptions(options: CalibrateSentencesOptions): CalibrateSentencesOptions {
  parseOptions(optionsSchema, options);
  return { ...options, data: checkQuestions(options.data) };
}

function checkEnough(questions: readonly Question[], given: number): void {
  if (questions.length >= LEAST_QUESTIONS) return;
  throw invalidInput(
    'data',
    `${questions.length} of ${given}`,
    `must have at least ${LEAST_QUESTIONS} questions with sentences that are evidence and others that are not`,
    'Label more questions, and quote the evidence: { "text", "relevant": true, "evidence": ["…"] }.',
  );
}

function allFailed(why: string): ContextShapingError {
  return serviceError('scorer', 'no probability for any question', 'failed on all questions', why);
}
