/** Compares two recorded contexts: their recorded values, and the outcome of each chunk. */
import type { Degradation, Eviction, KeptEntry, ShapingReport } from 'context-shaping';
import { isObject } from 'context-shaping/kit';
import type { ContextLockfile } from './types.js';

/** The differences of two contexts. */
export interface ContextDiff {
  /** The reports are equal to the bit, and so are the question and the texts of the chunks. */
  isEqual: boolean;
  /** Tokens and chunks of the two contexts. */
  totals: { from: ContextTotals; to: ContextTotals };
  /** The recorded values that differ. */
  differences: Difference[];
  /** Chunks with another outcome: those of the second context in its order, then those that went. */
  chunks: ChunkChange[];
  /** The chunks that both contexts keep have another order. */
  isReordered: boolean;
  /** Number of chunks with the same outcome and other measurements, such as relevance. */
  remeasured: number;
  degradations: { came: Degradation[]; went: Degradation[] };
}

export interface ContextTotals {
  digest: string;
  chunks: number;
  kept: number;
  tokens: number;
}

/** A recorded value that differs. */
export interface Difference {
  /**
   * `library`: the release. `options.k`: an option, given or by default; functions are `custom`, and services are named
   * by provider and model. `pinned`: the chunks that the function `pin` pinned. `answers`: how many answers the services
   * gave, and how many of them changed, to the same question.
   * `query.text`, `query.history`, `ranked`: the question. `chunks["a"]`: a chunk that one input lacks.
   * `chunks["a"].text`: a field of a chunk. `chunks`: the order of the chunks that both inputs have.
   */
  path: string;
  /** `null`: absent. */
  from: unknown;
  to: unknown;
}

export interface ChunkChange {
  id: string;
  /**
   * `came`, `went`: into the context or out of it. `cut`: other parts of its text are kept. `evicted`: by another stage,
   * or for another reason.
   */
  change: 'came' | 'went' | 'cut' | 'evicted';
  /** Absent: the chunk was not in that input. */
  from?: ChunkOutcome;
  to?: ChunkOutcome;
}

export interface ChunkOutcome {
  /** Place in the input, from 0. */
  index: number;
  /** Place in the context, from 0. Absent for an evicted chunk. */
  place?: number;
  tokens: number;
  /** The stage that evicted the chunk, and its reason. */
  stage?: string;
  reason?: string;
  relevance?: number;
}

/**
 * Compares two contexts: which of the recorded values differ, and which chunks have another outcome. For a report, only
 * the question, the options and the ids of the chunks are compared.
 */
export function diffContexts(
  from: ContextLockfile | ShapingReport,
  to: ContextLockfile | ShapingReport,
): ContextDiff {
  const [before, after] = [reportOf(from), reportOf(to)];
  const recorded = 'lockfileVersion' in from && 'lockfileVersion' in to;
  const [own, other] = recorded ? [recordedIn(from), recordedIn(to)] : [toldIn(before), toldIn(after)];
  const differences = [
    ...valuesThatDiffer(own, other),
    ...(recorded ? answersThatDiffer(from, to) : []),
    ...orderDifference(before, after),
  ];
  const isOther = differences.some(({ path }) => /^query\b|^chunks\[.*\]\.text$/s.test(path));
  return {
    isEqual: before.digest === after.digest && !isOther,
    totals: { from: totalsOf(before), to: totalsOf(after) },
    differences,
    ...compareOutcomes(before, after),
    degradations: {
      came: missingIn(before, after.degradations),
      went: missingIn(after, before.degradations),
    },
  };
}

const reportOf = (of: ContextLockfile | ShapingReport): ShapingReport =>
  'lockfileVersion' in of ? of.report : of;

const totalsOf = ({ digest, input, kept, tokens }: ShapingReport): ContextTotals => ({
  digest,
  chunks: input.length,
  kept: kept.length,
  tokens: tokens.output,
});

function missingIn({ degradations }: ShapingReport, others: readonly Degradation[]): Degradation[] {
  const known = new Set(degradations.map((each) => JSON.stringify(each)));
  return others.filter((each) => !known.has(JSON.stringify(each)));
}

/** The values of a report that are compared. */
function toldIn({ query, options: resolved, input }: ShapingReport) {
  // Observers do not decide.
  const { onReport: _, onEvict: __, onStage: ___, ...options } = resolved;
  return {
    options,
    query: { text: query },
    chunks: Object.fromEntries(keysOf(input).map((key) => [key, {}])),
  };
}

function recordedIn({ library, input, pinned, report }: ContextLockfile) {
  const keys = keysOf(report.input);
  return {
    library: library.version,
    options: toldIn(report).options,
    pinned,
    query: input.query,
    ranked: input.ranked,
    chunks: Object.fromEntries(input.chunks.map((chunk, at) => [keys[at] as string, chunk])),
  };
}

/** The paths at which two trees differ. Lists and plain values are compared as wholes. */
function valuesThatDiffer(from: unknown, to: unknown, path = ''): Difference[] {
  if (!isObject(from) || !isObject(to)) {
    const isSame = JSON.stringify(from) === JSON.stringify(to);
    return isSame ? [] : [{ path, from: from ?? null, to: to ?? null }];
  }
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) =>
    valuesThatDiffer(
      from[key],
      to[key],
      path === 'chunks' ? `chunks[${JSON.stringify(key)}]` : (path && `${path}.${key}`) || key,
    ),
  );
}

function answersThatDiffer(from: ContextLockfile, to: ContextLockfile): Difference[] {
  const all = ({ answers }: ContextLockfile) =>
    new Map(Object.values(answers).flatMap((each) => Object.entries<unknown>(each)));
  const [before, after] = [all(from), all(to)];
  const changed = [...before].filter(
    ([question, answer]) =>
      after.has(question) && JSON.stringify(answer) !== JSON.stringify(after.get(question)),
  ).length;
  return changed === 0
    ? []
    : [{ path: 'answers', from: before.size, to: `${after.size}, of which ${changed} changed` }];
}

function orderDifference(before: ShapingReport, after: ShapingReport): Difference[] {
  const [from, to] = [keysOf(before.input), keysOf(after.input)];
  const [old, now] = [new Set(from), new Set(to)];
  return valuesThatDiffer(
    from.filter((key) => now.has(key)),
    to.filter((key) => old.has(key)),
    'chunks',
  );
}

/** A key for each chunk of a list of ids: the id, and for a repeated one its number among those with this id. */
function keysOf(ids: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return ids.map((id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}\n${times}`;
  });
}

type Entry = (KeptEntry | Eviction) & { place?: number };

/** The kept chunks in their order, then the evicted ones. */
function entriesOf({ input, kept, evicted }: ShapingReport): Map<string, Entry> {
  const keys = keysOf(input);
  const entries: Entry[] = [...kept.map((entry, place) => ({ ...entry, place })), ...evicted];
  return new Map(entries.map((entry) => [keys[entry.index] as string, entry]));
}

/** The chunks with another outcome, and the number of those with the same outcome and other measurements. */
function compareOutcomes(
  from: ShapingReport,
  to: ShapingReport,
): Pick<ContextDiff, 'chunks' | 'isReordered' | 'remeasured'> {
  const [before, after] = [entriesOf(from), entriesOf(to)];
  const chunks: ChunkChange[] = [];
  const places: number[] = [];
  let remeasured = 0;
  for (const key of new Set([...after.keys(), ...before.keys()])) {
    const [own, now] = [before.get(key), after.get(key)];
    const change = changeOf(own, now);
    const { id } = (now ?? own) as Entry;
    if (own?.place !== undefined && now?.place !== undefined) places.push(own.place);
    if (change !== undefined)
      chunks.push({ id, change, ...(own && { from: outcomeOf(own) }), ...(now && { to: outcomeOf(now) }) });
    else if (own !== undefined && now !== undefined && measured(own) !== measured(now)) remeasured += 1;
  }
  return { chunks, isReordered: places.some((place, at) => place < (places[at - 1] ?? 0)), remeasured };
}

function changeOf(own: Entry | undefined, now: Entry | undefined): ChunkChange['change'] | undefined {
  if (own?.place === undefined && now?.place === undefined)
    return own && now && why(own) !== why(now) ? 'evicted' : undefined;
  if (own?.place === undefined) return 'came';
  if (now?.place === undefined) return 'went';
  return parts(own) === parts(now) ? undefined : 'cut';
}

const why = (entry: Entry) => ('reason' in entry ? `${entry.stage}: ${entry.reason}` : '');
const parts = (entry: Entry) => ('excerpts' in entry ? JSON.stringify(entry.excerpts) : '');
const measured = ({ tokens, relevance, features, utility }: Entry) =>
  JSON.stringify([tokens, relevance, features, utility]);

function outcomeOf(entry: Entry): ChunkOutcome {
  const { index, place, tokens, relevance } = entry;
  return {
    index,
    ...(place !== undefined && { place }),
    tokens,
    ...('reason' in entry && { stage: entry.stage, reason: entry.reason }),
    ...(relevance !== undefined && { relevance }),
  };
}
