/** Conflicts among the documents of a run, which several shapings found. Their indices are places. */
import type { Chunk, Conflict, ConflictSide } from '../../src/index.js';
import { concerns } from '../../src/internal.js';
import { chunksOf, type Run } from './run.js';
import type { KeptChunk, Round, State } from './state.js';

/**
 * Conflicts among the kept chunks, with the statements of their sides. Each shaping sees only its own chunks, and a retrieved text
 * may differ from a text that a search found; its report may have no texts. They are found by words, as in semantic
 * de-duplication, in the whole texts. There are none if semantic de-duplication is off.
 */
export async function conflictsAmong(
  kept: readonly KeptChunk[],
  state: Pick<State, 'documents' | 'found' | 'question'>,
  run: Run,
): Promise<Conflict[]> {
  if (run.comparing === undefined) return [];
  const all = chunksOf(state, run);
  const places = kept.map(({ place }) => place).sort((one, other) => one - other);
  const { report } = await run.comparing.shape({
    query: state.question,
    chunks: places.map((place) => all[place] as Chunk),
    signal: run.config.signal,
  });
  return placed(report.conflicts, places);
}

/**
 * All conflicts, each pair of chunks as one shaping reports it: the comparison of the kept chunks, which has texts, else
 * the first shaping that saw both.
 */
export function conflictsOf(rounds: readonly Round[], among: readonly Conflict[]): Conflict[] {
  const reports = rounds.map(({ places, report }) => placed(report.conflicts, places));
  const known = new Set<string>();
  return [among, ...reports].flatMap((conflicts) => {
    const news = conflicts.filter((conflict) => pairsOf(conflict).some((pair) => !known.has(pair)));
    for (const pair of news.flatMap(pairsOf)) known.add(pair);
    return news;
  });
}

/** Whether the conflict is sure and about the question, and two of its sides are in the context. */
export function makesAmbiguous(conflict: Conflict, question: string, kept: ReadonlySet<number>): boolean {
  const { level, about, sides } = conflict;
  const shown = sides.filter(({ indices }) => indices.some((place) => kept.has(place)));
  if (level !== 'sure' || shown.length < 2) return false;
  const texts = [about, ...shown.map(({ excerpt }) => excerpt)].filter((text) => text !== undefined);
  // A conflict that only vectors find has no texts, and may be about the question.
  return texts.length === 0 || concerns(texts.join('\n'), question);
}

/** The conflict as a report without previews has it. */
export function withoutTexts({ about: _, sides, ...conflict }: Conflict): Conflict {
  return { ...conflict, sides: sides.map(({ says: _says, excerpt: _excerpt, ...side }) => side) };
}

/** The pairs of places of different sides, lower first. */
function pairsOf({ sides }: Conflict): string[] {
  return sides.flatMap(({ indices }, at) =>
    sides
      .slice(at + 1)
      .flatMap((other) =>
        indices.flatMap((place) => other.indices.map((rival) => [place, rival].sort((a, b) => a - b).join())),
      ),
  );
}

/** Reports that an earlier version saved have conflicts of another form, which are left out. */
const placed = (conflicts: readonly Conflict[], places: readonly number[]): Conflict[] =>
  conflicts
    .filter(({ sides }) => sides !== undefined)
    .map((conflict) => ({
      ...conflict,
      sides: conflict.sides.map(
        (side): ConflictSide => ({
          ...side,
          indices: side.indices.map((index) => places[index] as number),
        }),
      ),
    }));
