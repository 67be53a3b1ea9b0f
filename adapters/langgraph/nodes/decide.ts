import { Command } from '@langchain/langgraph';
import type { GradeVerdict, ReviewReason } from '../../crag/index.js';
import { conflictsOf, makesAmbiguous } from '../conflicts.js';
import { emitStep } from '../events.js';
import { gradeOf, isVetoed } from '../grades.js';
import type { Run } from '../settings.js';
import type { State, Update } from '../state.js';
import { toGrade } from './shape.js';

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
