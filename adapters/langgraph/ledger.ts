/** One ledger out of all shapings, grades and reviews of a run: every document once, kept or evicted. */
import {
  ContextShapingError,
  type Degradation,
  type Eviction,
  type ModelUsage,
  type Query,
  type ShapingReport,
  type Source,
  type Stage,
} from '../../src/index.js';
import { defined, type EcsUse, keptSidesFirst, type SentenceUse, sealReport } from '../../src/internal.js';
import type { CragRecord } from '../crag/index.js';
import { conflictsOf, withoutTexts } from './conflicts.js';
import { gradeOf, type Survivors } from './kept.js';
import type { Run } from './run.js';
import type { KeptChunk, Round, State } from './state.js';

const GATE = 'crag';

/**
 * A stage that lets only these documents on. So the report of the last shaping has all documents of the run, and those
 * before the gate get the evictions of earlier steps.
 */
export const gateFor = (staying: ReadonlySet<number>): Stage => ({
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
 * @param last the report of the last shaping, with all documents of the run.
 * @throws ContextShapingError `conservation`, if a document is lost or counted twice.
 */
export function ledgerReport(
  state: State,
  survivors: Survivors,
  last: ShapingReport,
  run: Run,
): ShapingReport {
  const { rounds } = state;
  const isNew = rounds.every(({ report }) => report !== last);
  const all = isNew ? [...rounds, { places: [...last.input.keys()], report: last }] : rounds;
  const first = (rounds[0] as Round).report;
  const signals = earlierSignals(rounds);
  const withUtility = <T extends { index: number }>(entry: T): T => ({
    ...defined({ utility: signals.get(entry.index)?.utility }),
    ...entry,
  });
  const gated = new Set(last.evicted.filter(({ stage }) => stage === GATE).map(({ index }) => index));
  const kept = last.kept.map((entry) => ({
    ...withUtility(entry),
    sources: allSources(entry.sources, survivors.chunks),
  }));
  const evicted = [
    ...earlierEvictions(last.input, state, survivors, signals, run.thresholds.lower),
    ...last.evicted.map(withUtility),
  ].filter(({ index, stage }, at, { length }) =>
    at < length - last.evicted.length ? gated.has(index) : stage !== GATE,
  );
  check(last.input, [...kept, ...evicted]);
  const conflicts = conflictsOf(all, state.across);
  const hasPreviews = run.shaper.options.preview !== false;
  return sealReport({
    ...last,
    ...{ query: textOf(state.query), options: first.options, kept, evicted },
    ...defined({
      ecs: sumOf(rounds.flatMap(({ report }) => report.ecs ?? [])),
      sentences: lastOf(all.flatMap(({ report }) => report.sentences ?? [])),
    }),
    crag: recordOf(state, run),
    conflicts: keptSidesFirst(hasPreviews ? conflicts : conflicts.map(withoutTexts), kept),
    degradations: [
      ...degradationsOf(state),
      ...(survivors.degradation ? [survivors.degradation] : []),
      ...last.degradations.filter(({ code }) => isNew || ABOUT_ALL.has(code)),
    ],
    stages: all.flatMap(({ report }) => report.stages),
  });
}

const SIGNALS = ['source', 'position', 'relevance', 'features', 'utility', 'preview'] as const;
type EarlierSignals = Pick<Eviction, (typeof SIGNALS)[number]>;

/** By place: the source and the preview of a document, and the signals that its last shaping measured. */
const earlierSignals = (rounds: readonly Round[]): ReadonlyMap<number, EarlierSignals> =>
  new Map(
    rounds.flatMap(({ places, report: { kept, evicted } }) =>
      [...kept.map((entry) => ({ ...entry, ...entry.sources[0] })), ...evicted].map((entry) => {
        const signals = SIGNALS.map((name) => [name, (entry as EarlierSignals)[name]]);
        return [places[entry.index] as number, defined(Object.fromEntries(signals))] as const;
      }),
    ),
  );

/** They say that no document has something. Only the last shaping has all documents. */
const ABOUT_ALL: ReadonlySet<string> = new Set(['pin-not-found', 'option-without-effect']);

/** All degradations up to now. */
export function degradationsOf(state: State): Degradation[] {
  const grades = Object.values(state.grades);
  const failed = grades.filter(({ failure }) => failure !== undefined);
  return [
    ...state.rounds.flatMap(({ report }) => report.degradations).filter(({ code }) => !ABOUT_ALL.has(code)),
    ...failed.slice(0, 1).map(({ failure }) => ({
      stage: 'grade',
      code: 'grader-failed' as const,
      message: `The grader failed for ${failed.length} of ${grades.length} chunks. They were graded by words alone. ${failure}`,
    })),
    ...state.degradations,
  ];
}

/** Adds the sources that a chunk inherited before it was shaped again. */
export function allSources(sources: readonly Source[], survivors: readonly KeptChunk[]): Source[] {
  const all = sources.flatMap(
    (source) => survivors.find(({ sources: [own] }) => own?.id === source.id)?.sources ?? [source],
  );
  return all.filter((source, at) => all.findIndex(({ id }) => id === source.id) === at);
}

/** One eviction per document. Later ones replace earlier ones: shapings, grades, people. */
function earlierEvictions(
  ids: readonly string[],
  state: State,
  { low }: Survivors,
  signals: ReadonlyMap<number, EarlierSignals>,
  minGrade: number,
): Eviction[] {
  const byPlace = new Map<number, Eviction>();
  const put = (eviction: Eviction) => {
    // A later eviction has a later place in the ledger.
    byPlace.delete(eviction.index);
    byPlace.set(eviction.index, eviction);
  };
  const about = (index: number) => ({ id: ids[index] as string, index, ...signals.get(index) });
  for (const { places, report } of state.rounds)
    for (const each of report.evicted) put({ ...each, ...about(places[each.index] as number) });
  for (const { place, tokens } of low)
    put({
      ...{ ...about(place), stage: 'grade', tokens, reason: 'low-grade' },
      ...{ grade: gradeOf(state, place), minGrade },
    });
  const { by, note } = state.reviews.at(-1) ?? {};
  const refused = state.refused ? state.kept.map((chunk) => ({ ...chunk, ...defined({ by, note }) })) : [];
  for (const { place, tokens, ...more } of [...state.pins.vetoed, ...refused])
    put({
      ...{ ...about(place), stage: 'review', tokens, reason: 'vetoed' },
      ...defined({ by: more.by, note: more.note }),
    });
  return [...byPlace.values()];
}

function recordOf(state: State, { grader, thresholds }: Run): CragRecord {
  const { verdict, answer, refused, question, query, path, grades, searches, reviews } = state;
  return {
    verdict,
    outcome: refused ? 'refused' : answer === null ? 'context' : 'answered',
    ...defined({ answer: answer ?? undefined, query: question === textOf(query) ? undefined : question }),
    path,
    grader: grader.name,
    thresholds,
    grades: Object.values(grades)
      .map(({ failure: _, ...entry }) => entry)
      .sort((one, other) => one.index - other.index),
    searches,
    reviews,
  };
}

const textOf = (query: Query | string) => (typeof query === 'string' ? query : query.text);

/** The use of one model in several shapings. */
function sumOf(uses: readonly EcsUse[]): EcsUse | undefined {
  const [first] = uses;
  if (first === undefined) return undefined;
  const counts = (['scored', 'bounded', 'passages', 'rounds'] as const).map(
    (name) => [name, uses.reduce((sum, use) => sum + use[name], 0)] as const,
  );
  return { ...first, ...Object.fromEntries(counts), usage: usageOf(uses) };
}

/** The last use, which decided the texts, with the costs of all. */
function lastOf(uses: readonly SentenceUse[]): SentenceUse | undefined {
  const last = uses.at(-1);
  return last && { ...last, usage: usageOf(uses) };
}

/** The costs together. A figure that one of them lacks is unknown. */
function usageOf(uses: readonly { usage: ModelUsage }[]): ModelUsage {
  const sum = (name: keyof ModelUsage) => {
    const numbers = uses.map(({ usage }) => usage[name]).filter((each) => each !== undefined);
    return numbers.length < uses.length ? undefined : numbers.reduce((all, one) => all + one, 0);
  };
  const requests = sum('requests') as number;
  return { requests, ...defined({ tokens: sum('tokens'), cachedTokens: sum('cachedTokens') }) };
}

function check(ids: readonly string[], entries: readonly { index: number }[]): void {
  const places = entries.map(({ index }) => index).sort((one, other) => one - other);
  if (places.length === ids.length && places.every((place, at) => place === at)) return;
  throw new ContextShapingError('conservation', {
    field: 'the ledger',
    value: places,
    is: `must name each of ${ids.length} documents once`,
    remedy: 'This is a defect of context-shaping: please report it.',
  });
}
