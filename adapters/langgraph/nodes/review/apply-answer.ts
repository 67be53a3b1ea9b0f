/** The effect of a person's answer on the run. */
import { Command, Send } from '@langchain/langgraph';
import type { ReviewAnswer, ReviewEntry, ReviewRequest } from '../../../crag/index.js';
import { isVetoed, tokensOf, withPinned } from '../../grades.js';
import { chunksOf, documentsOf } from '../../run-documents.js';
import type { Run } from '../../settings.js';
import type { KeptChunk, Pins, SearchTask, State, Update } from '../../state.js';
import { duplicatesOf, withCopies } from '../../vetoes.js';

export function applyAnswer(
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
