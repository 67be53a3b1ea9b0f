/** Grades of the kept chunks, and the decision that follows from them. */
import { Command } from '@langchain/langgraph';
import { ANSWERABLE_BOUNDS, defined, tellingOf } from '../../../src/internal.js';
import { serviceError } from '../../model-calls/index.js';
import { isAbout } from '../conflicts.js';
import type { GradeVerdict, ReviewReason } from '../record.js';
import { answerOf, documentsOf, questionOf, type Run } from '../run.js';
import type { GradeState, Shaping, State, Update } from '../state.js';
import type { Grade, GradeRequest, Thresholds } from '../types.js';

type Request = GradeRequest & { index: number };

/** Grades the chunks without a grade. A chunk that the grader does not grade is graded by words. */
export async function grade(state: State, run: Run): Promise<Update> {
  const documents = documentsOf(state);
  const requests = (state.shaping as Shaping).kept
    .filter(({ index }) => state.grades[index] === undefined)
    .map(
      ({ index, id, text, support, utility }): Request => ({
        ...{ query: questionOf(state), index, id, text, support },
        metadata: documents[index]?.metadata ?? {},
        ...defined({ utility }),
      }),
    );
  if (requests.length === 0) return {};
  const { grader, thresholds } = run;
  const result = await answerOf(run, async (call): Promise<GradeState[]> => {
    const given = requests.map(({ index: _, ...request }) => request);
    const answers: unknown = await grader.grade(given, call);
    if (Array.isArray(answers) && answers.length === requests.length)
      return requests.map((request, at) => entryOf(request, answers[at], run));
    throw serviceError(
      `grader ${grader.name}`,
      answers,
      `must answer with ${requests.length} grades`,
      'Return one { grade, reason? } or { failure } per request, in their order.',
    );
  });
  const grades =
    'answer' in result
      ? result.answer
      : requests.map((request) => byWords(request, result.failure, thresholds));
  return {
    grades: { ...state.grades, ...Object.fromEntries(grades.map((each) => [each.index, each])) },
    path: [...state.path, 'grade'],
  };
}

function entryOf(request: Request, answer: unknown, { thresholds, shaper }: Run): GradeState {
  const { grade, reason, failure } = (answer ?? {}) as Partial<Record<keyof Grade | 'failure', unknown>>;
  if (typeof grade === 'number' && grade >= 0 && grade <= 1) {
    const { id, index } = request;
    return { id, index, grade, ...(typeof reason === 'string' ? { reason } : {}) };
  }
  const why =
    typeof failure === 'string'
      ? tellingOf(shaper.options)({ failure })
      : 'The grade is not a number from 0 to 1.';
  return byWords(request, why, thresholds);
}

/** Maps support to the scale of the grader: the bounds of support become the thresholds of the grader. */
function byWords({ id, index, support }: Request, failure: string, to: Thresholds): GradeState {
  const from = ANSWERABLE_BOUNDS;
  const stretch = (least: number, greatest: number, low: number, high: number) =>
    low + ((support - least) / (greatest - least)) * (high - low);
  const grade =
    support < from.lower
      ? stretch(0, from.lower, 0, to.lower)
      : support < from.upper
        ? stretch(from.lower, from.upper, to.lower, to.upper)
        : stretch(from.upper, 1, to.upper, 1);
  return { id, index, grade, by: 'relevance', failure };
}

/** The nodes after a decision. */
export const DECISIONS = ['rewrite', 'review', 'refine'] as const;

/** The most reviews of one run, so that no answers keep it going for ever. */
const MOST_REVIEWS = 5;

/**
 * The three actions of Corrective Retrieval Augmented Generation (Yan et al., 2024, arXiv 2401.15884, section
 * 4.3). Correct: a grade reaches the upper bound. Incorrect: all grades are below the lower bound, or there are none.
 * Ambiguous: all else. A conflict about the question makes a correct context ambiguous.
 */
export function decide(state: State, run: Run): Command<unknown, Update> {
  const { webSearch, review } = run;
  const { lower, upper } = run.thresholds;
  const { conflicts } = state.shaping as Shaping;
  const best = Math.max(-1, ...Object.values(state.grades).map((each) => each.grade));
  const byGrades: GradeVerdict = best >= upper ? 'correct' : best >= lower ? 'ambiguous' : 'incorrect';
  const conflict = conflicts.some((each) => isAbout(questionOf(state), each));
  const verdict = conflict && byGrades === 'correct' ? 'ambiguous' : byGrades;
  const reasons: ReviewReason[] = [
    ...(byGrades === 'correct' ? [] : [byGrades]),
    ...(conflict ? (['conflict'] as const) : []),
  ];
  const mayAsk = state.reviews.length < MOST_REVIEWS;
  const maySearch = webSearch !== undefined && !state.isSearched;
  const isAsked = mayAsk && reasons.some((reason) => review.on.includes(reason));
  const goto = reasons.length > 0 && maySearch ? 'rewrite' : isAsked ? 'review' : 'refine';
  return new Command({
    goto,
    update: { verdict, reasons, path: [...state.path, `decide: ${verdict}`] },
  });
}
