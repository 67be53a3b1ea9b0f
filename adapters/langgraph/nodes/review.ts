/** Reviews by people: the request, the question, and the effect of the answer. */
import { Command, interrupt } from '@langchain/langgraph';
import type { Chunk } from '../../../src/index.js';
import { defined, invalidInput, messageOf, rethrowControlFlow } from '../../../src/internal.js';
import { invalidOption } from '../../model-calls/index.js';
import type { GradeVerdict, ReviewEntry } from '../record.js';
import { parseReviewAnswer, type ReviewAnswer } from '../review-answer.js';
import { chunksOf, documentsOf, originOf, questionOf, type Run } from '../run.js';
import type { Shaping, State, Update } from '../state.js';
import { degradationsOf, survivorsOf } from '../survivors.js';
import { REVIEW_KIND, type ReviewChunk, type ReviewEviction, type ReviewRequest } from '../types.js';

/** The nodes after a review. */
export const REVIEWS = ['search', 'refine'] as const;

/** Asks a person, and applies the answer. */
export function review(state: State, run: Run): Command {
  const request = reviewRequest(state, run);
  const answer = ask(request, run);
  // The answer is in another field of the ledger.
  const { answer: _, ...more } = answer as ReviewAnswer & { answer?: string };
  const entry = { reasons: request.reasons, ...more } as ReviewEntry;
  return applyAnswer(answer, entry, state, run);
}

/** Interrupts until the answer is valid. Each further request names the problem of the last answer. */
function ask(request: ReviewRequest, run: Run): ReviewAnswer {
  const { config } = run;
  for (let problem: string | undefined; ; ) {
    const value: unknown = pause(problem === undefined ? request : { ...request, problem });
    try {
      return understood(value, request, run);
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
    throw invalidOption(
      'review',
      true,
      'cannot interrupt a graph without a checkpointer',
      'Compile the parent with a checkpointer, or give createCragGraph one.',
      error,
    );
  }
}

/** @throws ContextShapingError `invalid-input`, also for a search in a graph without a web search. */
function understood(value: unknown, request: ReviewRequest, { webSearch }: Run): ReviewAnswer {
  const answer = parseReviewAnswer(value, request);
  const { search } = answer as { search?: string };
  if (search === undefined || webSearch !== undefined) return answer;
  throw invalidInput(
    'answer.search',
    search,
    'needs a web search, and this application has none',
    'Leave search out, or give the answer with the action answer.',
  );
}

const PREVIEW = 200;

/** The request to a person, from the state of the run. */
function reviewRequest(state: State, run: Run): ReviewRequest {
  const { verdict, reviews, searches, reasons } = state;
  const { conflicts } = state.shaping as Shaping;
  const shown = survivorsOf(state, run).places;
  return {
    kind: REVIEW_KIND,
    version: 4,
    round: reviews.length + 1,
    query: questionOf(state),
    reasons,
    // A person's verdict ends the run.
    verdict: verdict as GradeVerdict,
    chunks: reviewChunks(shown, state, run),
    evicted: evictions(new Set(shown), state, run),
    conflicts,
    searches,
    degradations: degradationsOf(state),
  };
}

/** As the model would see them; whole, if the last shaping did not keep them. */
function reviewChunks(shown: readonly number[], state: State, run: Run): ReviewChunk[] {
  const { kept } = state.shaping as Shaping;
  const chunks = chunksOf(state, run);
  const order = [...new Set([...kept.map(({ index }) => index), ...shown])];
  return order
    .filter((place) => shown.includes(place))
    .map((place) => {
      const { grade, reason } = state.grades[place] ?? {};
      const { id, text } = chunks[place] as Chunk;
      const chunk = kept.find(({ index }) => index === place);
      const source = chunk?.sources[0]?.source;
      return {
        ...{ id, text: chunk?.text ?? text, origin: originOf(place, state) },
        ...defined({ source, grade, reason }),
      };
    });
}

/** In the order of the documents. */
function evictions(shown: ReadonlySet<number>, state: State, run: Run): ReviewEviction[] {
  const { report } = state.shaping as Shaping;
  const evicted = new Map(report.evicted.map((eviction) => [eviction.index, eviction]));
  return chunksOf(state, run).flatMap(({ id, text }, place) => {
    if (shown.has(place)) return [];
    const eviction = evicted.get(place);
    const { reason, stage } = eviction ?? { reason: 'low-grade', stage: 'grade' };
    const more = defined({ source: eviction?.source, grade: state.grades[place]?.grade });
    return [{ id, reason, stage, preview: text.slice(0, PREVIEW), ...more }];
  });
}

/** The effect of a person's answer on the run. */
function applyAnswer(answer: ReviewAnswer, entry: ReviewEntry, state: State, run: Run): Command {
  const update: Update = {
    reviews: [...state.reviews, entry],
    path: [...state.path, `review: ${answer.action}`],
  };
  if (answer.action === 'refuse')
    return new Command({ goto: 'refine', update: { ...update, chosen: [], verdict: 'refused' } });
  if (answer.action === 'approve' && answer.search !== undefined)
    return new Command({ goto: 'search', update: { ...update, wording: answer.search } });
  const { degradation } = survivorsOf(state, run);
  const chosen = chosenIn(answer, state, run);
  const after: Update = {
    ...update,
    degradations: [...state.degradations, ...(degradation === undefined ? [] : [degradation])],
  };
  if (answer.action === 'approve')
    return new Command({ goto: 'refine', update: { ...after, chosen, verdict: 'approved' } });
  // The answer becomes a document.
  const id = `answer-${state.reviews.length + 1}`;
  const document = { id, pageContent: answer.answer, metadata: { source: answer.by ?? 'review' } };
  return new Command({
    goto: 'refine',
    update: {
      ...after,
      chosen: [...chosen, documentsOf(state).length],
      found: [...state.found, { document, origin: 'person' as const }],
      answer: answer.answer,
      verdict: 'answered',
    },
  });
}

/** The places of the documents that the answer keeps; all that were shown, if it says nothing. */
function chosenIn({ keep }: { keep?: string[] | undefined }, state: State, run: Run): number[] {
  if (keep === undefined) return survivorsOf(state, run).places;
  return chunksOf(state, run).flatMap(({ id }, place) => (keep.includes(id) ? [place] : []));
}
