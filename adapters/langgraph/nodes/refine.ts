import type { DocumentInterface } from '@langchain/core/documents';
import type { Chunk, ShapedChunk } from '../../../src/index.js';
import { pinTest, tellInTime } from '../../../src/internal.js';
import { emitEvicted, toDocuments } from '../../langchain/documents/index.js';
import { emitStep } from '../events.js';
import { allSources, ledgerReport } from '../ledger.js';
import { chunksOf, documentsOf, queryOf } from '../run-documents.js';
import type { Run } from '../settings.js';
import type { KeptChunk, Round, State, Update } from '../state.js';
import { survivorsOf } from '../survivors.js';
import { reported, withFailures } from '../tracing.js';

/**
 * Returns the surviving chunks. If chunks were added or removed since the last shaping, the rest is shaped once more:
 * the whole texts of good chunks compete for the budget, sentence by sentence ("knowledge refinement" in the paper).
 * Models are not asked again, because utility was measured before.
 */
export async function refine(state: State, run: Run): Promise<Update> {
  const survivors = survivorsOf(state, run);
  const last = state.rounds[0];
  const isAsShaped =
    state.rounds.length === 1 &&
    last !== undefined &&
    state.pins.pinned.length === 0 &&
    survivors.chunks.length === last.report.kept.length;
  const final =
    isAsShaped || survivors.chunks.length === 0
      ? { shaped: survivors.chunks.map((chunk) => ({ ...chunk, index: chunk.place })) }
      : await shapeAgain(survivors.chunks, state, run);
  const path = [...state.path, 'refine'];
  const ledger = ledgerReport({ ...state, path }, { ...survivors, ...final }, run);
  const told = await tellInTime(withFailures(ledger, run), run.observers, run.config.signal);
  const report = reported(told, run);
  const documents: DocumentInterface[] = documentsOf(state);
  const kept = report.kept.map(({ id }) => id);
  await emitStep({ step: 'refine', verdict: state.verdict, kept, digest: report.digest }, run);
  return { context: toDocuments(final.shaped, documents, run.documentOptions), report, path };
}

type FinalChunk = Pick<ShapedChunk, 'index' | 'text' | 'excerpts' | 'sanitised' | 'superseded' | 'sources'>;

async function shapeAgain(
  survivors: readonly KeptChunk[],
  state: State,
  run: Run,
): Promise<{ shaped: FinalChunk[]; round: Round }> {
  const places = survivors.map(({ place }) => place).sort((one, other) => one - other);
  const chunks = chunksOf(state, run);
  const isPinned = pinTest(run.shaper.options.pin);
  const pinned = new Set(state.pins.pinned.map((place) => (chunks[place] as Chunk).id));
  const shaper = run.shaper.with({
    ecs: false,
    pin: (chunk) => isPinned(chunk) || pinned.has(chunk.id),
  });
  const result = await shaper.shape({
    query: queryOf(state),
    chunks: places.map((place) => chunks[place] as Chunk),
    // Retrieved and found documents are two rankings without a common order.
    ranked: state.rounds.length === 1,
    signal: run.config.signal,
  });
  await emitEvicted(result.report, run.config);
  const shaped = result.chunks.map((chunk) => ({
    ...chunk,
    index: places[chunk.index] as number,
    sources: allSources(chunk.sources, survivors),
  }));
  return { shaped, round: { places, report: result.report } };
}
