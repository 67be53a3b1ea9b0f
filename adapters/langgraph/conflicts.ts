import type { Chunk, Conflict } from '../../src/index.js';
import { documentsOf } from './run-documents.js';
import type { Run } from './settings.js';
import type { KeptChunk, Round, State } from './state.js';

/**
 * Conflicts among the chunks of several shapings. Each shaping sees only its own chunks, and a retrieved text may
 * contradict a text that a search found. They are found by words, as in semantic de-duplication. There are
 * none if semantic de-duplication is off.
 */
export async function conflictsAcross(
  kept: readonly KeptChunk[],
  state: Pick<State, 'documents' | 'found' | 'question'>,
  { comparing, config }: Run,
): Promise<Conflict[]> {
  if (comparing === undefined) return [];
  const documents = documentsOf(state);
  const chunks = kept.map(
    ({ id, text, place }): Chunk => ({ id, text, metadata: documents[place]?.metadata ?? {} }),
  );
  const { report } = await comparing.shape({ query: state.question, chunks, signal: config.signal });
  return placed(
    report.conflicts,
    kept.map(({ place }) => place),
  );
}

/** Each pair once, by places, as the last shaping that saw the pair reports it. */
export function conflictsOf(rounds: readonly Round[], across: readonly Conflict[]): Conflict[] {
  const all = [...across, ...rounds.flatMap(({ places, report }) => placed(report.conflicts, places))];
  const pairOf = ({ indices }: Conflict) => indices.toSorted((one, other) => one - other).join();
  return [...new Map(all.map((conflict) => [pairOf(conflict), conflict])).values()];
}

const placed = (conflicts: readonly Conflict[], places: readonly number[]): Conflict[] =>
  conflicts.map((conflict) => {
    const [one, other] = conflict.indices;
    return { ...conflict, indices: [places[one] as number, places[other] as number] };
  });
