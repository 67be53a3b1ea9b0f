import { defined, keptSidesFirst } from '../../../../src/internal.js';
import {
  type GradeVerdict,
  REVIEW_KIND,
  type ReviewChunk,
  type ReviewEviction,
  type ReviewReason,
  type ReviewRequest,
} from '../../../crag/index.js';
import { conflictsOf } from '../../conflicts.js';
import { isVetoed } from '../../grades.js';
import { degradationsOf } from '../../ledger.js';
import { chunksOf, originOf } from '../../run-documents.js';
import type { Run } from '../../settings.js';
import type { KeptChunk, State } from '../../state.js';
import { survivorsOf } from '../../survivors.js';

const PREVIEW = 200;

/** The request to a person, from the state of the run. */
export function reviewRequest(state: State, run: Run): ReviewRequest {
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
