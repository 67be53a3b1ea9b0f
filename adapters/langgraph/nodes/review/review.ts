import { Command, interrupt } from '@langchain/langgraph';
import { ContextShapingError } from '../../../../src/index.js';
import { messageOf, orAborted, rethrowControlFlow, tellingOf, toldError } from '../../../../src/internal.js';
import {
  type OnReview,
  parseReviewAnswer,
  type ReviewAnswer,
  type ReviewEntry,
  type ReviewRequest,
} from '../../../crag/index.js';
import { emitStep } from '../../events.js';
import type { Run } from '../../settings.js';
import type { State } from '../../state.js';
import { inStep } from '../../tracing.js';
import { applyAnswer } from './apply-answer.js';
import { reviewRequest } from './request.js';

/** The nodes after a review. */
export const REVIEWS = ['search', 'shape', 'refine'] as const;

/** How often `onReview` is called again after a malformed answer. */
const MAX_RETRIES = 2;

/** Asks a person, and applies the answer. */
export async function review(state: State, run: Run): Promise<Command> {
  const request = reviewRequest(state, run);
  const { onReview } = run.review;
  const asked = await inStep<{ answer: ReviewAnswer } | { failure: string }>(
    { kind: 'review', about: request.about, reasons: request.reasons },
    run,
    () => (onReview === undefined ? askByInterrupt(request, run) : askByCall(request, onReview, run)),
    (said) => ('failure' in said ? { error: toldError(said.failure) } : { action: said.answer.action }),
  );
  if ('failure' in asked) {
    const message = `The review failed. ${asked.failure}`;
    return new Command({
      // Without permission nothing is searched.
      goto: 'refine',
      update: {
        wording: null,
        degradations: [...state.degradations, { stage: 'review', code: 'review-failed', message }],
        path: [...state.path, 'review: failed'],
      },
    });
  }
  const entry: ReviewEntry = { about: request.about, reasons: request.reasons, ...recordOf(asked.answer) };
  await emitStep({ step: 'review', ...entry }, run);
  return applyAnswer(asked.answer, request, entry, state, run);
}

/** Interrupts until the answer is valid. Each further request names the problem of the last answer. */
async function askByInterrupt(request: ReviewRequest, run: Run): Promise<{ answer: ReviewAnswer }> {
  const { config } = run;
  for (let problem: string | undefined; ; ) {
    const value: unknown = pause(problem === undefined ? request : { ...request, problem });
    try {
      return { answer: understood(value, request, run) };
    } catch (error) {
      rethrowControlFlow(error, config.signal);
      problem = messageOf(error);
    }
  }
}

function pause(request: ReviewRequest): unknown {
  try {
    return interrupt(request);
  } catch (error) {
    rethrowControlFlow(error);
    if ((error as { lc_error_code?: unknown } | null)?.lc_error_code !== 'MISSING_CHECKPOINTER') throw error;
    throw new ContextShapingError('invalid-options', {
      field: 'review',
      value: true,
      is: 'cannot interrupt a graph without a checkpointer',
      remedy: 'Compile the parent with a checkpointer, give createCragGraph one, or review with onReview.',
      cause: error,
    });
  }
}

async function askByCall(
  request: ReviewRequest,
  onReview: OnReview,
  run: Run,
): Promise<{ answer: ReviewAnswer } | { failure: string }> {
  const { signal } = run.config;
  const tell = tellingOf(run.shaper.options);
  let problem: string | undefined;
  let failure = '';
  for (let asked = 0; asked <= MAX_RETRIES; asked++) {
    let value: unknown;
    try {
      const again = problem === undefined ? request : { ...request, problem };
      value = await orAborted(onReview(again, { signal }), signal);
    } catch (error) {
      rethrowControlFlow(error, signal);
      return { failure: tell(error) };
    }
    try {
      return { answer: understood(value, request, run) };
    } catch (error) {
      problem = messageOf(error);
      failure = tell(error);
    }
  }
  return { failure };
}

/** @throws ContextShapingError `invalid-input`, also for a search in a graph without a web search. */
function understood(value: unknown, request: ReviewRequest, { webSearch }: Run): ReviewAnswer {
  const answer = parseReviewAnswer(value, request);
  const words = answer.action === 'approve' ? answer.search : undefined;
  if (typeof words !== 'string' || webSearch !== undefined) return answer;
  throw new ContextShapingError('invalid-input', {
    field: 'answer.search',
    value: words,
    is: 'needs a web search, and this application has none',
    remedy: 'Leave search out, or give the answer with the action answer.',
  });
}

/** The entry of the ledger. The question and the answer are in other fields of the ledger. */
function recordOf(answer: ReviewAnswer): Omit<ReviewEntry, 'about' | 'reasons'> {
  const { answer: _, query: __, ...entry } = answer as ReviewAnswer & { answer?: string; query?: string };
  return entry;
}
