/** Grades of the kept chunks, and the decision that follows from them. */
import { Command } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { ANSWERABLE_BOUNDS, tellingOf } from '../../../src/internal.js';
import type { GradeVerdict, ReviewReason, Thresholds } from '../../crag/index.js';
import { conflictsOf, makesAmbiguous } from '../conflicts.js';
import { gradeOf, isVetoed } from '../kept.js';
import { callService, emitStep, type Run, type Settings } from '../run.js';
import type { GradeState, GradeTask, State, Update } from '../state.js';
import { inStep } from '../tracing.js';
import { toGrade } from './shape.js';

/** Grades one batch. A chunk that the grader does not grade is graded by words. */
export async function grade(task: GradeTask, run: Run): Promise<Update> {
  const grades = await inStep(
    { kind: 'grade', grader: run.grader.name, chunks: task.requests.length },
    run,
    () => gradesOf(task, run),
    (given) => ({ grades: given }),
  );
  return told(grades, run);
}

async function gradesOf({ requests }: GradeTask, run: Run): Promise<GradeState[]> {
  const { grader, cachePolicy } = run;
  const given = requests.map(({ place: _, ...request }) => request);
  const answers: unknown = await callService((call) => grader.grade(given, call), run);
  if (!Array.isArray(answers) || answers.length !== requests.length) {
    throw new ContextShapingError('service', {
      field: `grader ${grader.name}`,
      value: answers,
      is: `must answer with ${requests.length} grades`,
      remedy: 'Return one { grade, reason? } or { failure } per request, in their order.',
    });
  }
  const grades = requests.map((request, at) => entryOf(request, answers[at], run));
  const failed = grades.find(({ failure }) => failure !== undefined);
  // A cache keeps the result of a step. It must not keep a failure.
  if (failed !== undefined && cachePolicy !== undefined) {
    throw new PartlyGraded(failed.failure as string, grades);
  }
  return grades;
}

/** The grader failed for some chunks of a batch. */
class PartlyGraded extends Error {
  /** The status of a bad request, so that LangGraph does not retry: the grader has graded all that it can. */
  readonly status = 400;
  readonly grades: GradeState[];

  constructor(failure: string, grades: GradeState[]) {
    super(failure);
    this.grades = grades;
  }
}

/** The cache key. Several graphs may share a cache, and different graders give different grades. */
export const gradeKey =
  ({ grader }: Settings) =>
  ([task]: unknown[]): string =>
    JSON.stringify([grader.name, task]);

/** After the last failure of the grader: words alone grade the batch. */
export async function gradeFailed({ requests }: GradeTask, error: unknown, run: Run): Promise<Command> {
  const failure = tellingOf(run.shaper.options)(error);
  const grades =
    error instanceof PartlyGraded
      ? error.grades
      : requests.map((request) => byWords(request, failure, run.thresholds));
  const update = await told(grades, run);
  // LangGraph does not take the edge of a failed node.
  return new Command({ goto: 'decide', update });
}

async function told(grades: GradeState[], run: Run): Promise<Update> {
  await emitStep({ step: 'grade', grades }, run);
  return { grades: Object.fromEntries(grades.map((entry) => [entry.index, entry])) };
}

type Request = GradeTask['requests'][number];

function entryOf(request: Request, answer: unknown, { thresholds, shaper }: Run): GradeState {
  const { grade, reason, failure } = (answer ?? {}) as {
    grade?: unknown;
    reason?: unknown;
    failure?: unknown;
  };
  if (typeof grade === 'number' && grade >= 0 && grade <= 1) {
    const { id, place } = request;
    return { id, index: place, grade, ...(typeof reason === 'string' ? { reason } : {}) };
  }
  const why =
    typeof failure === 'string'
      ? tellingOf(shaper.options)({ failure })
      : 'The grade is not a number from 0 to 1.';
  return byWords(request, why, thresholds);
}

/** Maps support to the scale of the grader: the bounds of support become the thresholds of the grader. */
function byWords({ id, place, support }: Request, failure: string, to: Thresholds): GradeState {
  const from = ANSWERABLE_BOUNDS;
  const stretch = (least: number, greatest: number, low: number, high: number) =>
    low + ((support - least) / (greatest - least)) * (high - low);
  const grade =
    support < from.lower
      ? stretch(0, from.lower, 0, to.lower)
      : support < from.upper
        ? stretch(from.lower, from.upper, to.lower, to.upper)
        : stretch(from.upper, 1, to.upper, 1);
  return { id, index: place, grade, by: 'relevance', failure };
}

/** The nodes after a decision. */
export const DECISIONS = ['grade', 'rewrite', 'review', 'refine'] as const;

/**
 * The three actions of Corrective Retrieval Augmented Generation (Yan et al., 2024, arXiv 2401.15884, section
 * 4.3). Correct: a grade reaches the upper bound. Incorrect: all grades are below the lower bound, or there are none.
 * Ambiguous: all else. A sure conflict about the question makes a correct context ambiguous.
 */
export async function decide(state: State, run: Run): Promise<Command<unknown, Update>> {
  // An abort may have ended the grading step early, and LangGraph counts that step as done.
  const ungraded = toGrade(state, run);
  if (ungraded !== 'decide') return new Command({ goto: ungraded });
  const { webSearch, review, maxAttempts } = run;
  const { lower, upper } = run.thresholds;
  const places = state.kept.map(({ place }) => place).filter((place) => !isVetoed(state, place));
  const best = Math.max(-1, ...places.map((place) => gradeOf(state, place)));
  const byGrades: GradeVerdict = best >= upper ? 'correct' : best >= lower ? 'ambiguous' : 'incorrect';
  const conflict = hasConflict(state, places);
  const verdict = conflict && byGrades === 'correct' ? 'ambiguous' : byGrades;

  // One search per conflict is enough: found documents do not remove it.
  const needsMore = byGrades !== 'correct' || (conflict && state.attempts === 0);
  const reasons: ReviewReason[] = [
    ...(byGrades === 'correct' ? [] : [byGrades]),
    ...(conflict ? (['conflict'] as const) : []),
  ];
  const mayAsk = state.reviews.length < review.maxReviews;
  // If a search needs permission and the limit of reviews is reached, nothing is searched.
  const isAllowed = mayAsk || !review.on.includes('before-search');
  const maySearch = webSearch !== undefined && isAllowed && state.attempts < maxAttempts;
  const isAsked = mayAsk && reasons.some((reason) => review.on.includes(reason));
  const goto = needsMore && maySearch ? 'rewrite' : isAsked ? 'review' : 'refine';
  await emitStep({ step: 'decide', verdict, next: goto }, run);
  return new Command({
    goto,
    update: { verdict, reasons, wording: null, path: [...state.path, `decide: ${verdict}`] },
  });
}

/** Do kept chunks say something else about the question? */
function hasConflict({ rounds, across, question }: State, places: readonly number[]): boolean {
  const kept = new Set(places);
  return conflictsOf(rounds, across).some((conflict) => makesAmbiguous(conflict, question, kept));
}
