import type { ShapingReport } from '../../../src/index.js';
import { defined, pinTest, sealReport, tellInTime } from '../../../src/internal.js';
import { toDocuments } from '../../langchain/documents/index.js';
import type { CragRecord } from '../record.js';
import { chunksOf, documentsOf, originOf, questionOf, type Run } from '../run.js';
import type { Shaping, State, Update } from '../state.js';
import { degradationsOf, survivorsOf } from '../survivors.js';
import { shapeAll } from '../union.js';

/**
 * Returns the surviving chunks. If documents come or go, all are shaped once more: the whole texts of good chunks
 * compete for the budget, sentence by sentence ("knowledge refinement" in the paper). Models are not asked again, because
 * utility was measured before. The report of this last shaping is the ledger.
 */
export async function refine(state: State, run: Run): Promise<Update> {
  const path = [...state.path, 'refine'];
  const { places, degradation } = survivorsOf(state, run);
  const shaping = state.shaping as Shaping;
  const kept = new Set(shaping.kept.map(({ index }) => index));
  const isAsShaped = places.length === kept.size && places.every((place) => kept.has(place));
  const { chunks, report } = isAsShaped
    ? { chunks: shaping.kept, report: shaping.report }
    : await shapeSurvivors(places, kept, state, run);
  const degradations = [
    ...degradationsOf({ ...state, shaping: { ...shaping, report } }),
    ...(degradation === undefined ? [] : [degradation]),
  ];
  const ledger: ShapingReport = sealReport({
    ...{ ...report, query: questionOf(state), degradations },
    crag: recordOf({ ...state, path }, run),
  });
  const told = await tellInTime(ledger, run.observers, run.config.signal);
  return { context: toDocuments(chunks, documentsOf(state), run.documentOptions), report: told, path };
}

/** Documents that a person brought back are pinned: they stay whole, in any budget that they fit. */
async function shapeSurvivors(places: readonly number[], kept: ReadonlySet<number>, state: State, run: Run) {
  const { report } = state.shaping as Shaping;
  const isPinned = pinTest(run.shaper.options.pin);
  const isNamed = state.reviews.at(-1)?.keep !== undefined;
  const back = (state.chosen ?? []).filter(
    (place) => !kept.has(place) && (isNamed || originOf(place, state) === 'person'),
  );
  const chunks = chunksOf(state, run);
  const ids = new Set(back.map((place) => chunks[place]?.id));
  return shapeAll([...places, ...copiesOf(places, report)], state, run, {
    ecs: false,
    ...(back.length > 0 && { pin: (chunk) => isPinned(chunk) || ids.has(chunk.id) }),
  });
}

/** The documents that were evicted as copies of these: they go again, and hand on their sources. */
function copiesOf(places: readonly number[], { input, evicted }: ShapingReport): number[] {
  const ids = new Set(places.map((place) => input[place]));
  return evicted.flatMap((each) =>
    (each.reason === 'exact-duplicate' || each.reason === 'semantic-duplicate') &&
    ids.has(each.keptId) &&
    !places.includes(each.index)
      ? [each.index]
      : [],
  );
}

function recordOf(state: State, { grader, thresholds }: Run): CragRecord {
  const { verdict, answer, path, grades, searches, reviews } = state;
  return {
    verdict,
    outcome: verdict === 'refused' ? 'refused' : answer === null ? 'context' : 'answered',
    ...defined({ answer: answer ?? undefined }),
    ...{ path, grader: grader.name, thresholds },
    grades: Object.values(grades)
      .map(({ failure: _, ...entry }) => entry)
      .sort((one, other) => one.index - other.index),
    ...{ searches, reviews },
  };
}
