/** Reviews by people: the request, the question, and the effect of the answer. */
import { Command, interrupt, Send } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import {
  defined,
  keptSidesFirst,
  messageOf,
  orAborted,
  rethrowControlFlow,
  tellingOf,
  toldError,
} from '../../../src/internal.js';
import {
  type GradeVerdict,
  type OnReview,
  parseReviewAnswer,
  REVIEW_KIND,
  type ReviewAnswer,
  type ReviewChunk,
  type ReviewEntry,
  type ReviewEviction,
  type ReviewReason,
  type ReviewRequest,
} from '../../crag/index.js';
import { conflictsOf } from '../conflicts.js';
import { duplicatesOf, isVetoed, survivorsOf, tokensOf, withCopies, withPinned } from '../kept.js';
import { degradationsOf } from '../ledger.js';
import { chunksOf, documentsOf, emitStep, originOf, type Run } from '../run.js';
import type { KeptChunk, Pins, SearchTask, State, Update } from '../state.js';
import { inStep } from '../tracing.js';

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

const PREVIEW = 200;

/** The request to a person, from the state of the run. */
function reviewRequest(state: State, run: Run): ReviewRequest {
  const { wording, question, verdict, reviews, searches } = state;
  const { chunks: surviving } = survivorsOf(state, run);
  const staying = new Set(surviving.map(({ place }) => place));
  const reasons: ReviewReason[] = wording === null ? state.reasons : ['before-search'];
  return {
    kind: REVIEW_KIND,
    version: 2,
    round: reviews.length + 1,
    about: wording === null ? 'context' : 'search',
    query: question,
    reasons,
    // A person's verdict ends the run.
    verdict: verdict as GradeVerdict,
    ...defined({ search: wording ?? undefined }),
    chunks: surviving.map((chunk) => reviewChunk(chunk, state)),
    evicted: evictions(staying, state, run),
    conflicts: keptSidesFirst(
      conflictsOf(state.rounds, state.across),
      surviving.map(({ place }) => ({ index: place })),
    ),
    searches,
    degradations: degradationsOf(state),
  };
}

function reviewChunk({ place, id, text, sources }: KeptChunk, state: State): ReviewChunk {
  const { grade, reason } = state.grades[place] ?? {};
  const origin = originOf(place, state);
  return { id, text, origin, ...defined({ source: sources[0]?.source, grade, reason }) };
}

/** In the order of the documents. Documents that a person vetoed before are left out. */
function evictions(staying: ReadonlySet<number>, state: State, run: Run): ReviewEviction[] {
  const kept = new Set(state.kept.map(({ place }) => place));
  const evicted = new Map(
    state.rounds.flatMap(({ places, report }) =>
      report.evicted.map((eviction) => [places[eviction.index] as number, eviction] as const),
    ),
  );
  return chunksOf(state, run).flatMap(({ id, text }, place) => {
    if (staying.has(place) || isVetoed(state, place)) return [];
    const eviction = evicted.get(place);
    const { reason, stage } =
      kept.has(place) || eviction === undefined ? { reason: 'low-grade', stage: 'grade' } : eviction;
    const more = defined({ source: eviction?.source, grade: state.grades[place]?.grade });
    return [{ id, reason, stage, preview: text.slice(0, PREVIEW), ...more }];
  });
}

/** The effect of a person's answer on the run. */
function applyAnswer(
  answer: ReviewAnswer,
  request: ReviewRequest,
  entry: ReviewEntry,
  state: State,
  run: Run,
): Command {
  const update: Update = {
    wording: null,
    reviews: [...state.reviews, entry],
    path: [...state.path, `review: ${answer.action}`],
  };
  if (answer.action === 'refuse') {
    return new Command({ goto: 'refine', update: { ...update, refused: true, verdict: 'refused' } });
  }
  const { pins, kept } = edited(answer, state, run);
  const after: Update = { ...update, pins, kept };
  switch (answer.action) {
    case 'approve': {
      const words = answer.search ?? (request.about === 'search' ? request.search : undefined);
      if (typeof words !== 'string')
        return new Command({ goto: 'refine', update: { ...after, verdict: 'approved' } });
      return new Command({
        goto: [new Send('search', { search: words } satisfies SearchTask)],
        update: after,
      });
    }
    case 'answer':
      return new Command({ goto: 'refine', update: { ...after, ...joined(answer, after, state) } });
    case 'edit':
      return new Command({
        goto: 'shape',
        update: {
          ...after,
          question: answer.query,
          todo: documentsOf(state).map((_, place) => place),
          rounds: [],
          kept: [],
          across: [],
          grades: null,
          attempts: 0,
        },
      });
  }
}

/** Pinned and restored documents are kept whole. Refining fits them into the budget first. */
function edited(
  answer: Exclude<ReviewAnswer, { action: 'refuse' }>,
  state: State,
  run: Run,
): { pins: Pins; kept: KeptChunk[] } {
  const chunks = chunksOf(state, run);
  const placesOf = (ids: readonly string[] = []) =>
    chunks.flatMap(({ id }, place) => (ids.includes(id) ? [place] : []));
  const wanted = placesOf([...(answer.pin ?? []), ...(answer.unevict ?? [])]);
  const named = placesOf(answer.veto);
  const copies = duplicatesOf(named, state.rounds).filter((place) => !wanted.includes(place));
  const vetoes = [...new Set([...named, ...copies])];
  const who = { ...(answer.by && { by: answer.by }), ...(answer.note && { note: answer.note }) };
  const all = [
    ...state.pins.vetoed.filter(({ place }) => !wanted.includes(place) && !vetoes.includes(place)),
    ...vetoes.map((place) => ({ place, tokens: tokensOf(place, state), ...who })),
  ];
  const vetoed = withCopies(all, wanted, chunks);
  const pinned = [...new Set([...state.pins.pinned, ...wanted])].filter(
    (place) => !isVetoed({ pins: { pinned: [], vetoed } }, place),
  );
  return {
    pins: { pinned, vetoed },
    kept: withPinned(state.kept, pinned, chunks, state),
  };
}

/** A person's answer becomes a document, which is pinned. */
function joined(
  { answer, by }: Extract<ReviewAnswer, { action: 'answer' }>,
  { pins, kept }: Update,
  state: State,
): Update {
  const place = documentsOf(state).length;
  const id = `answer-${state.reviews.length + 1}`;
  const document = { id, pageContent: answer, metadata: { source: by ?? 'review' } };
  const sources = [{ id, source: document.metadata.source }];
  const chunk = { place, id, text: answer, sources, tokens: 0, support: 1 };
  return {
    verdict: 'answered',
    answer,
    found: [...state.found, { document, origin: 'person' }],
    pins: { ...(pins as Pins), pinned: [...(pins as Pins).pinned, place] },
    kept: [...(kept as KeptChunk[]), chunk],
  };
}
