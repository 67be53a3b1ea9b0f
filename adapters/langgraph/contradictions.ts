import { type Chunk, type Conflict, createShaper } from '../../src/index.js';
import { type Config, documentsOf, type Services } from './services.js';
import type { KeptChunk, Round, State } from './state.js';

/**
 * Contradictions among chunks of several shapings, of which each sees its own alone: what was retrieved may say
 * otherwise than what was found. Found by words, as semantic de-duplication does; none, where that is off.
 */
export async function contradictions(
  kept: readonly KeptChunk[],
  state: Pick<State, 'documents' | 'found' | 'question'>,
  { shaper }: Services,
  { signal }: Config,
): Promise<Conflict[]> {
  const { semanticDedup, namespace, fields } = shaper.options;
  if (semanticDedup === false) return [];
  const documents = documentsOf(state);
  const chunks = kept.map(
    ({ id, text, place }): Chunk => ({ id, text, metadata: documents[place]?.metadata ?? {} }),
  );
  const comparing = createShaper({
    semanticDedup,
    namespace,
    fields,
    exactDedup: false,
    relevance: false,
    cluster: false,
    select: false,
    extract: false,
    order: false,
  });
  const { report } = await comparing.shape({ query: state.question, chunks, signal });
  return placed(
    report.conflicts,
    kept.map(({ place }) => place),
  );
}

/** Each pair once, by places, as the last shaping that saw it tells. */
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
