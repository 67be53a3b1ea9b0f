/** One ledger out of all shapings, grades and reviews of a run: every document once, kept or evicted. */
import {
  ContextShapingError,
  type Degradation,
  type Eviction,
  type KeptEntry,
  type ModelUsage,
  type Query,
  type ShapingReport,
  type Source,
} from '../../src/index.js';
import {
  defined,
  type EcsUse,
  type FlaggedChunk,
  keptSidesFirst,
  REPORT_VERSION,
  type SentenceUse,
  sealReport,
} from '../../src/internal.js';
import type { CragRecord } from '../crag/index.js';
import { conflictsOf, withoutTexts } from './conflicts.js';
import { gradeOf } from './grades.js';
import { chunksOf } from './run-documents.js';
import type { Run } from './settings.js';
import type { KeptChunk, Round, State } from './state.js';
import type { Survivors } from './survivors.js';

/** The surviving chunks, and the shaping of the survivors, if there was one. */
export interface Ledger extends Survivors {
  round?: Round;
}

/** @throws ContextShapingError `conservation`, if a document is lost or counted twice. */
export function ledgerReport(state: State, ledger: Ledger, run: Run): ShapingReport {
  const ids = chunksOf(state, run).map(({ id }) => id);
  const rounds = [...state.rounds, ...(ledger.round ? [ledger.round] : [])];
  const last = ledger.round ?? state.rounds[0];
  const first = rounds[0] as Round;
  const signals = earlierSignals(state.rounds);
  const kept = last === undefined ? [] : keptEntries(ledger.chunks, last, signals);
  const evicted = evictions(ids, state, ledger, kept, signals, run.thresholds.lower);
  check(ids, kept, evicted);
  const conflicts = conflictsOf(rounds, state.across);
  const hasPreviews = run.shaper.options.preview !== false;
  return sealReport({
    version: REPORT_VERSION,
    query: textOf(state.query),
    options: first.report.options,
    input: ids,
    kept,
    evicted,
    ...defined({
      ecs: sumOf(state.rounds.flatMap(({ report }) => report.ecs ?? [])),
      sentences: lastOf(rounds.flatMap(({ report }) => report.sentences ?? [])),
    }),
    crag: recordOf(state, run),
    conflicts: keptSidesFirst(hasPreviews ? conflicts : conflicts.map(withoutTexts), kept),
    flags: flagsOf(rounds, last),
    support: (last?.report.support ?? []).map((entry) => ({
      ...entry,
      indices: entry.indices.map((index) => last?.places[index] as number),
    })),
    degradations: [
      ...degradationsOf(state),
      ...(ledger.degradation ? [ledger.degradation] : []),
      ...(ledger.round?.report.degradations ?? []).filter(({ code }) => !ABOUT_POOL.has(code)),
    ],
    stages: rounds.flatMap(({ report }) => report.stages),
    tokens: {
      input: inputTokens(state, ledger),
      output: kept.reduce((sum, { tokens }) => sum + tokens, 0),
      budget: first.report.tokens.budget,
    },
  });
}

/** All flags of each document. Groups are those of the last shaping, since `support` is of that shaping. */
function flagsOf(rounds: readonly Round[], last: Round | undefined): FlaggedChunk[] {
  const byPlace = new Map<number, FlaggedChunk>();
  for (const round of rounds) {
    // Reports that an earlier version saved have no flags.
    for (const { id, index, flags } of round.report.flags ?? []) {
      const place = round.places[index] as number;
      const known = byPlace.get(place)?.flags ?? [];
      const news = flags.filter(
        ({ kind }) =>
          (kind !== 'dependent-group' || round === last) && known.every((each) => each.kind !== kind),
      );
      if (known.length + news.length > 0)
        byPlace.set(place, { id, index: place, flags: [...known, ...news] });
    }
  }
  return [...byPlace.values()].sort((one, other) => one.index - other.index);
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

/** The utility of a document. Refining does not measure it again. */
const utilityOf = (signals: ReadonlyMap<number, EarlierSignals>, place: number) =>
  defined({ utility: signals.get(place)?.utility });

/** They say that the documents of one shaping lack something. Those of another shaping may have it. */
const ABOUT_POOL: ReadonlySet<string> = new Set(['pin-not-found', 'option-without-effect']);

const has = ({ report }: Round, code: string) => report.degradations.some((each) => each.code === code);

/** All degradations up to now. */
export function degradationsOf(state: State): Degradation[] {
  const grades = Object.values(state.grades);
  const failed = grades.filter(({ failure }) => failure !== undefined);
  return [
    ...state.rounds.flatMap((round, at) =>
      round.report.degradations.filter(
        ({ code }) => !ABOUT_POOL.has(code) || (at === 0 && state.rounds.every((each) => has(each, code))),
      ),
    ),
    ...failed.slice(0, 1).map(({ failure }) => ({
      stage: 'grade',
      code: 'grader-failed' as const,
      message: `The grader failed for ${failed.length} of ${grades.length} chunks. They were graded by words alone. ${failure}`,
    })),
    ...state.degradations,
  ];
}

function keptEntries(
  survivors: readonly KeptChunk[],
  { places, report }: Round,
  signals: ReadonlyMap<number, EarlierSignals>,
): KeptEntry[] {
  const staying = new Set(survivors.map(({ place }) => place));
  return report.kept
    .map((entry) => ({
      ...utilityOf(signals, places[entry.index] as number),
      ...entry,
      index: places[entry.index] as number,
      sources: allSources(entry.sources, survivors),
    }))
    .filter(({ index }) => staying.has(index));
}

/** Adds the sources that a chunk inherited before it was shaped again. */
export function allSources(sources: readonly Source[], survivors: readonly KeptChunk[]): Source[] {
  const all = sources.flatMap(
    (source) => survivors.find(({ sources: [own] }) => own?.id === source.id)?.sources ?? [source],
  );
  return all.filter((source, at) => all.findIndex(({ id }) => id === source.id) === at);
}

/** One eviction per document. Later ones replace earlier ones: shapings, grades, people, the last shaping. */
function evictions(
  ids: readonly string[],
  state: State,
  { low, round }: Ledger,
  kept: readonly KeptEntry[],
  signals: ReadonlyMap<number, EarlierSignals>,
  minGrade: number,
): Eviction[] {
  const byPlace = new Map<number, Eviction>();
  const put = (eviction: Eviction) => {
    // A later eviction has a later place in the ledger.
    byPlace.delete(eviction.index);
    byPlace.set(eviction.index, eviction);
  };
  const take = ({ places, report }: Round) => {
    for (const eviction of report.evicted) {
      const index = places[eviction.index] as number;
      put({ ...utilityOf(signals, index), ...eviction, index });
    }
  };
  for (const each of state.rounds) take(each);
  for (const { place: index, id, tokens } of low)
    put({
      ...{ id, index, ...signals.get(index), stage: 'grade', tokens },
      ...{ reason: 'low-grade', grade: gradeOf(state, index), minGrade },
    });
  for (const { place: index, tokens, ...who } of state.pins.vetoed)
    put({
      ...{ id: ids[index] as string, index, ...signals.get(index), stage: 'review', tokens },
      ...{ reason: 'vetoed', ...who },
    });
  const { by, note } = state.reviews.at(-1) ?? {};
  for (const { place: index, id, tokens } of state.refused ? state.kept : [])
    put({
      ...{ id, index, ...signals.get(index), stage: 'review', tokens },
      ...{ reason: 'vetoed', ...defined({ by, note }) },
    });
  if (round !== undefined) take(round);
  for (const { index } of kept) byPlace.delete(index);
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

/** Includes the tokens of documents that no shaping saw, such as a person's answer. */
function inputTokens({ rounds, pins }: State, { round }: Ledger): number {
  const seen = new Set(rounds.flatMap(({ places }) => places));
  const isNew = (index: number) => !seen.has(round?.places[index] as number);
  const own = [...(round?.report.kept ?? []), ...(round?.report.evicted ?? [])].filter(({ index }) =>
    isNew(index),
  );
  return [
    ...rounds.map(({ report }) => report.tokens.input),
    ...pins.vetoed.filter(({ place }) => !seen.has(place)).map(({ tokens }) => tokens),
    ...own.map(({ tokens }) => tokens),
  ].reduce((sum, tokens) => sum + tokens, 0);
}

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

function check(ids: readonly string[], kept: readonly KeptEntry[], evicted: readonly Eviction[]): void {
  const places = [...kept, ...evicted].map(({ index }) => index).sort((one, other) => one - other);
  if (places.length === ids.length && places.every((place, at) => place === at)) return;
  throw new ContextShapingError('conservation', {
    field: 'the ledger',
    value: places,
    is: `must name each of ${ids.length} documents once`,
    remedy: 'This is a defect of context-shaping: please report it.',
  });
}
