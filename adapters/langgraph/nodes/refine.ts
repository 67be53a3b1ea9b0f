import type { DocumentInterface } from '@langchain/core/documents';
import type { Chunk, ShapedChunk } from '../../../src/index.js';
import { patient, tellObservers } from '../../../src/internal.js';
import { emitEvicted, toDocuments } from '../../documents/index.js';
import { emitStep } from '../events.js';
import { allSources, ledgerReport } from '../ledger.js';
import { chunksOf, documentsOf, queryOf } from '../run-documents.js';
import type { Config, Settings } from '../settings.js';
import type { KeptChunk, Round, State, Update } from '../state.js';
import { survivorsOf } from '../survivors.js';
import { reported, withFailures } from '../tracing.js';

/**
 * Returns the surviving chunks. If chunks were added or removed since the last shaping, the rest is shaped once more:
 * the whole texts of good chunks compete for the budget, sentence by sentence ("knowledge refinement" in the paper).
 * Models are not asked again, because utility was measured before.
 */
export const refine =
  (settings: Settings) =>
  async (state: State, config: Config): Promise<Update> => {
    const survivors = survivorsOf(state, settings, config);
    const last = state.rounds[0];
    const isAsShaped =
      state.rounds.length === 1 &&
      last !== undefined &&
      state.pins.pinned.length === 0 &&
      survivors.chunks.length === last.report.kept.length;
    const final =
      isAsShaped || survivors.chunks.length === 0
        ? { shaped: survivors.chunks.map((chunk) => ({ ...chunk, index: chunk.place })) }
        : await shapeAgain(survivors.chunks, state, settings, config);
    const path = [...state.path, 'refine'];
    const ledger = ledgerReport({ ...state, path }, { ...survivors, ...final }, settings, config);
    const { signal } = config;
    const complete = withFailures(ledger, config);
    const report = reported(await tellObservers(complete, patient(settings.observers), signal), config);
    const documents: DocumentInterface[] = documentsOf(state);
    await emitStep(
      {
        step: 'refine',
        verdict: state.verdict,
        kept: report.kept.map(({ id }) => id),
        digest: report.digest,
      },
      config,
    );
    return { context: toDocuments(final.shaped, documents, settings.documentOptions), report, path };
  };

type FinalChunk = Pick<ShapedChunk, 'index' | 'text' | 'excerpts' | 'sanitised' | 'sources'>;

async function shapeAgain(
  survivors: readonly KeptChunk[],
  state: State,
  settings: Settings,
  config: Config,
): Promise<{ shaped: FinalChunk[]; round: Round }> {
  const places = survivors.map(({ place }) => place).sort((one, other) => one - other);
  const chunks = chunksOf(state, settings, config);
  const isPinned = pinTest(settings.shaper.options.pin);
  const pinned = new Set(state.pins.pinned.map((place) => (chunks[place] as Chunk).id));
  const shaper = settings.shaper.with({
    ecs: false,
    pin: (chunk) => isPinned(chunk) || pinned.has(chunk.id),
  });
  const result = await shaper.shape({
    query: queryOf(state),
    chunks: places.map((place) => chunks[place] as Chunk),
    // Retrieved and found documents are two rankings without a common order.
    ranked: state.rounds.length === 1,
    signal: config.signal,
  });
  await emitEvicted(result.report, config);
  const shaped = result.chunks.map((chunk) => ({
    ...chunk,
    index: places[chunk.index] as number,
    sources: allSources(chunk.sources, survivors),
  }));
  return { shaped, round: { places, report: result.report } };
}

const pinTest = (pin: readonly string[] | ((chunk: Chunk) => boolean)) =>
  typeof pin === 'function' ? pin : (chunk: Chunk) => pin.includes(chunk.id);
