/** The shaping of all documents of a run, and its report: every document once, kept or evicted. */
import type { Eviction, ShapingOptions, ShapingReport, ShapingResult, Stage } from '../../src/index.js';
import { defined, keptSidesFirst } from '../../src/internal.js';
import { emitEvicted } from '../langchain/documents/index.js';
import { chunksOf, type Run } from './run.js';
import type { State } from './state.js';

const GATE = 'crag';

/** Lets only these documents on, before any of them is compared or measured. */
const gateFor = (staying: ReadonlySet<number>): Stage => ({
  specificationVersion: 'v1',
  name: GATE,
  run: ({ candidates }) => ({
    kept: candidates.filter(({ index }) => staying.has(index)),
    evicted: candidates
      .filter(({ index }) => !staying.has(index))
      .map((candidate) => ({ candidate, evidence: {} })),
  }),
});

/**
 * Shapes the documents at these places. The report has all documents of the run: the others with the step that evicted
 * them. It has the degradations, the times and the costs of the shapings before, too.
 */
export async function shapeAll(
  places: readonly number[],
  state: State,
  run: Run,
  options: ShapingOptions = {},
): Promise<ShapingResult> {
  const chunks = chunksOf(state, run);
  const { stages } = run.shaper.options;
  const gate = places.length < chunks.length ? gateFor(new Set(places)) : undefined;
  const shaper = run.shaper.with({
    ...options,
    ...(gate && {
      stages: (defaults) =>
        (stages?.(defaults) ?? defaults).flatMap((stage) =>
          stage.name === 'annotate' ? [stage, gate] : [stage],
        ),
    }),
  });
  const result = await shaper.shape({
    query: state.query,
    chunks,
    // Retrieved and found documents are two rankings without a common order.
    ranked: state.found.every(({ origin }) => origin === 'person'),
    signal: run.config.signal,
  });
  const news = result.report.evicted.filter(({ stage }) => stage !== GATE);
  await emitEvicted({ ...result.report, evicted: news }, run.config);
  return { ...result, report: joined(result.report, state, run) };
}

function joined(report: ShapingReport, state: State, run: Run): ShapingReport {
  const before = state.shaping?.report;
  if (before === undefined) return report;
  const known = earlierOf(before);
  const degradations = [
    ...before.degradations.filter(({ code }) => !ABOUT_ALL.has(code)),
    ...report.degradations,
  ];
  const messages = new Set<string>();
  return {
    ...report,
    options: before.options,
    // Without new documents, a conflict with one that went is still one.
    ...(report.input.length === before.input.length && {
      conflicts: keptSidesFirst(before.conflicts, report.kept),
    }),
    kept: report.kept.map((entry) => ({
      ...defined({ utility: known.get(entry.index)?.utility }),
      ...entry,
    })),
    evicted: report.evicted.map((each) =>
      each.stage === GATE ? reasonOf(each, known.get(each.index), state, run) : each,
    ),
    degradations: degradations.filter(({ message }) => !messages.has(message) && messages.add(message)),
    stages: [...before.stages, ...report.stages],
    ...defined({ ecs: usedIn(before.ecs, report.ecs) }),
  };
}

/** They say that no document has something. The last shaping says so again. */
const ABOUT_ALL: ReadonlySet<string> = new Set(['pin-not-found', 'option-without-effect']);

/** The measurements of a document in the shaping before, and its eviction if it had one. */
type Earlier = Partial<Eviction> & { utility?: number | undefined };

const SIGNALS = ['source', 'position', 'relevance', 'features', 'utility', 'preview'] as const;

const earlierOf = ({ kept, evicted }: ShapingReport): ReadonlyMap<number, Earlier> =>
  new Map<number, Earlier>([
    ...kept.map((entry) => {
      const all: Earlier = { ...entry, ...entry.sources[0] };
      const signals = defined(Object.fromEntries(SIGNALS.map((name) => [name, all[name]])));
      return [entry.index, signals as Earlier] as const;
    }),
    ...evicted.map((each) => [each.index, each] as const),
  ]);

/** The eviction of a document that the gate held back: the earlier one, or that by a person or by its grade. */
function reasonOf(
  { id, index, tokens }: Eviction,
  earlier: Earlier | undefined,
  { chosen, grades, reviews }: State,
  { thresholds }: Run,
): Eviction {
  if (earlier?.reason !== undefined) return earlier as Eviction;
  const about = { id, index, tokens, ...earlier };
  if (chosen === null) {
    const grade = grades[index]?.grade ?? 0;
    return { ...about, stage: 'grade', reason: 'low-grade', grade, minGrade: thresholds.lower } as Eviction;
  }
  const { by, note } = reviews.at(-1) ?? {};
  return { ...about, stage: 'review', reason: 'vetoed', ...defined({ by, note }) } as Eviction;
}

/** The last use of a model, with the costs of both. A figure that one of them lacks is unknown. */
function usedIn(before: ShapingReport['ecs'], now: ShapingReport['ecs']): ShapingReport['ecs'] {
  if (before === undefined || now === undefined) return now ?? before;
  const [one, other] = [before.usage, now.usage];
  const sum = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? undefined : a + b;
  const [tokens, cachedTokens] = [sum(one.tokens, other.tokens), sum(one.cachedTokens, other.cachedTokens)];
  return { ...now, usage: { requests: one.requests + other.requests, ...defined({ tokens, cachedTokens }) } };
}
