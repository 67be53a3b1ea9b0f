import { Command, interrupt } from '@langchain/langgraph';
import { ContextShapingError } from '../../../../src/index.js';
import { messageOf, orAborted, rethrowControlFlow } from '../../../../src/internal.js';
import {
  type OnReview,
  parseReviewAnswer,
  type ReviewAnswer,
  type ReviewEntry,
  type ReviewRequest,
} from '../../../crag/index.js';
import { emitStep } from '../../events.js';
import { indexReview } from '../../review-queue/review-index.js';
import type { Config, Settings } from '../../settings.js';
import type { State } from '../../state.js';
import { applyAnswer } from './apply-answer.js';
import { reviewRequest } from './request.js';

/** Where a review may lead. */
export const REVIEWS = ['search', 'shape', 'refine'] as const;

/** How often `onReview` is asked again, when what it answers cannot be understood. */
const MAX_RETRIES = 2;

/** Asks a person, and does what the answer says. */
export const review =
  (settings: Settings) =>
  async (state: State, config: Config): Promise<Command> => {
    const request = reviewRequest(state, settings, config);
    const { onReview } = settings.review;
    const asked =
      onReview === undefined
        ? await askByInterrupt(request, settings, config)
        : await askByCall(request, onReview, settings, config);
    if ('failure' in asked) {
      const message = `Nobody reviewed the context: ${asked.failure}`;
      return new Command({
        // Without leave nothing is searched.
        goto: 'refine',
        update: {
          wording: null,
          degradations: [...state.degradations, { stage: 'review', code: 'review-failed', message }],
          path: [...state.path, 'review: failed'],
        },
      });
    }
    const entry: ReviewEntry = { about: request.about, reasons: request.reasons, ...recordOf(asked.answer) };
    await emitStep({ step: 'review', ...entry }, config);
    return applyAnswer(asked.answer, request, entry, state, settings, config);
  };

/** Until an answer can be understood: each time the person is told what was wrong. */
async function askByInterrupt(
  request: ReviewRequest,
  settings: Settings,
  config: Config,
): Promise<{ answer: ReviewAnswer }> {
  const threadId: unknown = config.configurable?.thread_id;
  if (config.store !== undefined && typeof threadId === 'string') await indexReview(config.store, threadId);
  for (let problem: string | undefined; ; ) {
    const value: unknown = pause(problem === undefined ? request : { ...request, problem });
    try {
      return { answer: understood(value, request, settings) };
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
      is: 'cannot interrupt a graph that has no checkpointer',
      remedy: 'Compile the parent with a checkpointer, give createCragGraph one, or review with onReview.',
      cause: error,
    });
  }
}

async function askByCall(
  request: ReviewRequest,
  onReview: OnReview,
  settings: Settings,
  { signal }: Config,
): Promise<{ answer: ReviewAnswer } | { failure: string }> {
  let failure = '';
  for (let asked = 0; asked <= MAX_RETRIES; asked++) {
    let value: unknown;
    try {
      const again = failure === '' ? request : { ...request, problem: failure };
      value = await orAborted(onReview(again, { signal }), signal);
    } catch (error) {
      rethrowControlFlow(error, signal);
      return { failure: messageOf(error) };
    }
    try {
      return { answer: understood(value, request, settings) };
    } catch (error) {
      failure = messageOf(error);
    }
  }
  return { failure };
}

/** @throws ContextShapingError `invalid-input`, also for an answer that this graph cannot follow. */
function understood(value: unknown, request: ReviewRequest, { webSearch }: Settings): ReviewAnswer {
  const answer = parseReviewAnswer(value, request);
  const words = answer.action === 'approve' ? answer.search : undefined;
  if (typeof words !== 'string' || webSearch !== undefined) return answer;
  throw new ContextShapingError('invalid-input', {
    field: 'answer.search',
    value: words,
    is: 'cannot be searched for: this application has no web search',
    remedy: 'Leave it out, or answer what is known.',
  });
}

/** For the ledger: the question and the answer are elsewhere in it. */
function recordOf(answer: ReviewAnswer): Omit<ReviewEntry, 'about' | 'reasons'> {
  const { answer: _, query: __, ...entry } = answer as ReviewAnswer & { answer?: string; query?: string };
  return entry;
}
