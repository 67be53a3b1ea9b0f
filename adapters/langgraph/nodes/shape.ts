/** The beginning of a run, and the shaping of all its documents. */
import type { Query } from '../../../src/index.js';
import { defined, invalidInput, support } from '../../../src/internal.js';
import { conflictsAmong } from '../conflicts.js';
import { chunksOf, documentsOf, questionOf, type Run } from '../run.js';
import { fresh, type KeptChunk, type State, type Update } from '../state.js';
import { shapeAll } from '../union.js';

/** Checks the input, and resets the state that an earlier run of the same thread left. */
export function begin(state: State, run: Run): Update {
  const { query } = state;
  const remedy =
    'Give the graph { query, documents }. If the keys of the parent have other names, call the graph inside a node: crag.invoke({ query, documents }).';
  const text: unknown = typeof query === 'string' ? query : query?.text;
  if (typeof text !== 'string')
    throw invalidInput('query', query, 'must be a string, or an object with the string text', remedy);
  const { documents }: { documents: unknown } = state;
  if (!Array.isArray(documents))
    throw invalidInput('documents', documents, 'must be an array of documents', remedy);
  chunksOf({ documents, found: [] }, run);
  return { ...fresh(), verdict: 'incorrect', query: plain(query) };
}

/** Checkpoints do not keep typed arrays. */
function plain(query: Query | string): Query | string {
  const embedding = typeof query === 'string' ? undefined : query.embedding;
  return ArrayBuffer.isView(embedding)
    ? { ...(query as Query), embedding: Array.from(embedding as never) }
    : query;
}

/** Shapes all documents but those with too low a grade, if there are new ones. */
export async function shape(state: State, run: Run): Promise<Update> {
  const { length } = documentsOf(state);
  if (state.shaping?.report.input.length === length) return {};
  const places = Array.from({ length }, (_, place) => place).filter(
    (place) => (state.grades[place]?.grade ?? 1) >= run.thresholds.lower,
  );
  const { report, chunks: shaped } = await shapeAll(places, state, run);
  const chunks = chunksOf(state, run);
  // Support is measured on the text that the model would see, among all documents of this shaping.
  const texts = chunks.map(({ text }): { text: string; title?: string | undefined } => ({ text }));
  for (const { index, text, sources } of shaped) texts[index] = { text, title: sources[0]?.title };
  const measured = support(
    questionOf(state),
    places.map((place) => texts[place] as { text: string }),
  );
  const supports = new Map(places.map((place, at) => [place, measured[at] as number]));
  const kept = shaped.map(
    ({ index, id, text, excerpts, sanitised, superseded, sources }, at): KeptChunk => ({
      ...{ index, id, text, sources, support: supports.get(index) as number },
      ...defined({ excerpts, sanitised, superseded, utility: report.kept[at]?.utility }),
    }),
  );
  const conflicts =
    report.conflicts.length === 0
      ? []
      : await conflictsAmong(
          kept.map(({ index }) => index),
          chunks,
          questionOf(state),
          run,
        );
  return { shaping: { report, kept, conflicts }, path: [...state.path, 'shape'] };
}
