import type { DocumentInterface } from '@langchain/core/documents';
import type { Chunk } from '../../../src/index.js';
import { pinTest, tellInTime } from '../../../src/internal.js';
import { emitEvicted, toDocuments } from '../../langchain/documents/index.js';
import { survivorsOf } from '../kept.js';
import { allSources, gateFor, ledgerReport } from '../ledger.js';
import { chunksOf, documentsOf, emitStep, queryOf, type Run } from '../run.js';
import type { KeptChunk, State, Update } from '../state.js';
import { reported, withFailures } from '../tracing.js';

/**
 * Returns the surviving chunks. If chunks were added or removed since the last shaping, the rest is shaped once more:
 * the whole texts of good chunks compete for the budget, sentence by sentence ("knowledge refinement" in the paper).
 * Models are not asked again, because utility was measured before.
 */
export async function refine(state: State, run: Run): Promise<Update> {
  const survivors = survivorsOf(state, run);
  const [round] = state.rounds;
  const isAsShaped =
    state.rounds.length === 1 &&
    round?.places.length === documentsOf(state).length &&
    state.pins.pinned.length === 0 &&
    survivors.chunks.length === round.report.kept.length;
  const { chunks: shaped, report: last } = isAsShaped
    ? { chunks: survivors.chunks.map((chunk) => ({ ...chunk, index: chunk.place })), report: round.report }
    : await shapeAgain(survivors.chunks, state, run);
  const path = [...state.path, 'refine'];
  const ledger = ledgerReport({ ...state, path }, survivors, last, run);
  const told = await tellInTime(withFailures(ledger, run), run.observers, run.config.signal);
  const report = reported(told, run);
  const documents: DocumentInterface[] = documentsOf(state);
  const kept = report.kept.map(({ id }) => id);
  await emitStep({ step: 'refine', verdict: state.verdict, kept, digest: report.digest }, run);
  return { context: toDocuments(shaped, documents, run.documentOptions), report, path };
}

async function shapeAgain(survivors: readonly KeptChunk[], state: State, run: Run) {
  const chunks = chunksOf(state, run);
  const { pin, stages } = run.shaper.options;
  const isPinned = pinTest(pin);
  const pinned = new Set(state.pins.pinned.map((place) => (chunks[place] as Chunk).id));
  const gate = gateFor(new Set(survivors.map(({ place }) => place)));
  const shaper = run.shaper.with({
    ecs: false,
    ...(pinned.size > 0 && { pin: (chunk) => isPinned(chunk) || pinned.has(chunk.id) }),
    stages: (defaults) =>
      (stages?.(defaults) ?? defaults).flatMap((stage) =>
        stage.name === 'annotate' ? [stage, gate] : [stage],
      ),
  });
  const result = await shaper.shape({
    query: queryOf(state),
    chunks: [...chunks],
    // Retrieved and found documents are two rankings without a common order.
    ranked: state.rounds.length === 1,
    signal: run.config.signal,
  });
  const evicted = result.report.evicted.filter(({ stage }) => stage !== gate.name);
  await emitEvicted({ ...result.report, evicted }, run.config);
  return {
    report: result.report,
    chunks: result.chunks.map((chunk) => ({ ...chunk, sources: allSources(chunk.sources, survivors) })),
  };
}
