import { Command, interrupt, Send } from '@langchain/langgraph';
import {
  ContextShapingError,
  messageOf,
  orAborted,
  type ReviewEntry,
  rethrowControlFlow,
} from '../../../src/index.js';
import { type OnReview, parseReviewAnswer, type ReviewAnswer, type ReviewRequest } from '../../crag/index.js';
import { emit } from '../events.js';
import { isVetoed, tokensOf, withPinned } from '../grades.js';
import { indexReview } from '../review-queue/review-index.js';
import { reviewRequest } from '../review-request.js';
import { type Config, chunksOf, documentsOf, type Services } from '../services.js';
import type { KeptChunk, Pins, SearchTask, State, Update } from '../state.js';
import { duplicatesOf, withCopies } from '../vetoes.js';

/** Where a review may lead. */
export const REVIEWS = ['search', 'shape', 'refine'] as const;

/** How often `onReview` is asked again, when what it answers cannot be understood. */
const MAX_RETRIES = 2;

/** Asks a person, and does what the answer says. */
export const review =
  (services: Services) =>
  async (state: State, config: Config): Promise<Command> => {
    const request = reviewRequest(state, services, config);
    const { onReview } = services.review;
    const asked =
      onReview === undefined
        ? await askByInterrupt(request, config)
        : await askByCall(request, onReview, config);
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
    await emit({ step: 'review', ...entry }, config);
    return act(asked.answer, request, entry, state, services);
  };

/** Until an answer can be understood: each time the person is told what was wrong. */
async function askByInterrupt(request: ReviewRequest, config: Config): Promise<{ answer: ReviewAnswer }> {
  const threadId: unknown = config.configurable?.thread_id;
  if (config.store !== undefined && typeof threadId === 'string') await indexReview(config.store, threadId);
  for (let problem: string | undefined; ; ) {
    const value: unknown = pause(problem === undefined ? request : { ...request, problem });
    try {
      return { answer: parseReviewAnswer(value, request) };
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
      return { answer: parseReviewAnswer(value, request) };
    } catch (error) {
      failure = messageOf(error);
    }
  }
  return { failure };
}

function act(
  answer: ReviewAnswer,
  request: ReviewRequest,
  entry: ReviewEntry,
  state: State,
  services: Services,
): Command {
  const update: Update = {
    wording: null,
    reviews: [...state.reviews, entry],
    path: [...state.path, `review: ${answer.action}`],
  };
  if (answer.action === 'refuse') {
    return new Command({ goto: 'refine', update: { ...update, refused: true } });
  }
  const { pins, kept } = edited(answer, state, services);
  const after: Update = { ...update, pins, kept };
  switch (answer.action) {
    case 'approve': {
      const words = answer.search ?? (request.about === 'search' ? request.search : undefined);
      if (typeof words !== 'string' || services.webSearch === undefined)
        return new Command({ goto: 'refine', update: after });
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
          todo: chunksOf(state, services).map((_, place) => place),
          rounds: [],
          kept: [],
          grades: null,
          attempts: 0,
        },
      });
  }
}

/** What was pinned or called back is kept whole; refining fits it into the budget, ahead of all others. */
function edited(
  answer: Exclude<ReviewAnswer, { action: 'refuse' }>,
  state: State,
  services: Services,
): { pins: Pins; kept: KeptChunk[] } {
  const chunks = chunksOf(state, services);
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

/** What a person knows is a document like others, except that it is pinned. */
function joined(
  { answer, by }: Extract<ReviewAnswer, { action: 'answer' }>,
  { pins, kept }: Update,
  state: State,
): Update {
  const place = documentsOf(state).length;
  const id = `answer-${state.reviews.length + 1}`;
  const document = { id, pageContent: answer, metadata: { source: by ?? 'review' } };
  const chunk = {
    place,
    id,
    text: answer,
    sources: [{ id, source: document.metadata.source }],
    tokens: 0,
    support: 1,
  };
  return {
    answer,
    found: [...state.found, { document, origin: 'person' }],
    pins: { ...(pins as Pins), pinned: [...(pins as Pins).pinned, place] },
    kept: [...(kept as KeptChunk[]), chunk],
  };
}

/** For the ledger: the question and the answer are elsewhere in it. */
function recordOf(answer: ReviewAnswer): Omit<ReviewEntry, 'about' | 'reasons'> {
  const { answer: _, query: __, ...entry } = answer as ReviewAnswer & { answer?: string; query?: string };
  return entry;
}
