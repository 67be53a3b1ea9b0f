/** Compares two recorded contexts: their recorded values, and the outcome of each chunk. */
import type { Degradation, Eviction, KeptEntry, ShapingReport } from 'context-shaping';
import { isObject } from 'context-shaping/kit';
import { recordedReport } from './record.js';
import type { ContextLockfile, RecordedService, RecordedServices } from './types.js';

/** The differences of two contexts. */
export interface ContextDiff {
  /** The reports are equal to the bit, and no text changed. */
  isEqual: boolean;
  /** Tokens and chunks of the two contexts. */
  totals: { from: ContextTotals; to: ContextTotals };
  /** The recorded values that differ. */
  differences: Difference[];
  /** Chunks with another outcome: those of the second context in its order, then those that went. */
  chunks: ChunkChange[];
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
   * by provider and model. `pinned`: the chunks that the function `pin` pinned. `services.embedder`: the name of a
   * service. `query.text`, `query.history`, `ranked`: the question. `chunks["a"]`: a chunk that one input lacks.
   * `chunks["a"].text`: a field of a chunk. `chunks`: the order of the chunks that both inputs have.
   */
  path: string;
  /** `null`: absent. */
  from: unknown;
  to: unknown;
  /** For a service: the number of answers that changed to the same questions. */
  changed?: number;
}

export interface ChunkChange {
  id: string;
  /**
   * `came`, `went`: into the context or out of it. `moved`: to another place among the chunks that both contexts have.
   * `cut`: other parts of its text are kept. `evicted`: by another stage, or for another reason.
   */
  change: 'came' | 'went' | 'moved' | 'cut' | 'evicted';
  /** Absent: the chunk was not in that input. */
  from?: ChunkOutcome;
  to?: ChunkOutcome;
}

export interface ChunkOutcome {
  /** Place in the context, from 0. Absent for an evicted chunk. */
  place?: number;
  tokens: number;
  /** The stage that evicted the chunk, and its reason. */
  stage?: string;
  reason?: string;
  relevance?: number;
}

/**
 * Compares two contexts: which of the recorded values differ, and which chunks have another outcome. If one
 * has texts and the other has none or hashes, only the question, the options and the ids of the chunks are compared.
 */
export function diffContexts(
  from: ContextLockfile | ShapingReport,
  to: ContextLockfile | ShapingReport,
): ContextDiff {
  const [a, b] = [lockfileOf(from), lockfileOf(to)];
  const isAlike = a.texts === b.texts;
  return {
    isEqual: a.report.digest === b.report.digest && !(isAlike && hasOtherText(a, b)),
    totals: { from: totalsOf(a), to: totalsOf(b) },
    differences: [
      ...valuesThatDiffer(originOf(a, isAlike), originOf(b, isAlike)),
      ...serviceDifferences(a.services, b.services),
      ...orderDifference(a, b),
    ],
    ...compareOutcomes(a.report, b.report),
    degradations: {
      came: missingIn(a.report, b.report.degradations),
      went: missingIn(b.report, a.report.degradations),
    },
  };
}

const lockfileOf = (of: ContextLockfile | ShapingReport): ContextLockfile =>
  'lockfileVersion' in of ? of : recordedReport(of);

const totalsOf = ({ report }: ContextLockfile): ContextTotals => ({
  digest: report.digest,
  chunks: report.input.length,
  kept: report.kept.length,
  tokens: report.tokens.output,
});

function missingIn({ degradations }: ShapingReport, others: readonly Degradation[]): Degradation[] {
  const known = new Set(degradations.map((each) => JSON.stringify(each)));
  return others.filter((each) => !known.has(JSON.stringify(each)));
}

const textsOf = ({ input }: ContextLockfile) =>
  byKey(input.chunks.map(({ id, text, hash }) => ({ id, text: text ?? hash })));

function hasOtherText(a: ContextLockfile, b: ContextLockfile): boolean {
  if (valuesThatDiffer(a.input.query, b.input.query).length > 0) return true;
  const [before, after] = [textsOf(a), textsOf(b)];
  return Array.from(after).some(([key, { text }]) => before.has(key) && before.get(key)?.text !== text);
}

/** The values to compare. Hashes are not compared with texts. */
function originOf({ library, input, pinned, report }: ContextLockfile, isAlike: boolean) {
  // Observers do not decide.
  const { onReport: _, onEvict: __, onStage: ___, ...options } = report.options;
  const chunks = byKey(input.chunks.map((chunk) => (isAlike ? chunk : { id: chunk.id })));
  return {
    library: library.version,
    options,
    pinned,
    query: isAlike ? input.query : { text: input.query.text },
    ...(isAlike && { ranked: input.ranked }),
    chunks: Object.fromEntries(chunks),
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

const SERVICES = ['embedder', 'model', 'judge', 'scorer'] as const;

function serviceDifferences(before: RecordedServices, after: RecordedServices): Difference[] {
  return SERVICES.flatMap((service) => {
    const [own, other] = [answersOf(before[service]), answersOf(after[service])];
    const changed = Object.keys(own).filter(
      (key) => key in other && JSON.stringify(own[key]) !== JSON.stringify(other[key]),
    ).length;
    const [from, to] = [nameOf(before[service]), nameOf(after[service])];
    return from === to && changed === 0 ? [] : [{ path: `services.${service}`, from, to, changed }];
  });
}

type Recorded = (RecordedService & { vectors?: object; answers?: object }) | undefined;

const answersOf = (service: Recorded): Record<string, unknown> => ({
  ...service?.vectors,
  ...service?.answers,
  ...service?.failures,
});

const nameOf = (service: Recorded): string | null =>
  service === undefined ? null : [service.provider, service.modelId].filter(Boolean).join('/') || 'custom';

function orderDifference(a: ContextLockfile, b: ContextLockfile): Difference[] {
  const [before, after] = [byKey(a.input.chunks), byKey(b.input.chunks)];
  const from = [...before.keys()].filter((key) => after.has(key));
  const to = [...after.keys()].filter((key) => before.has(key));
  return valuesThatDiffer(from, to, 'chunks');
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

const byKey = <T extends { id: string }>(items: readonly T[]): Map<string, T> => {
  const keys = keysOf(items.map(({ id }) => id));
  return new Map(items.map((item, at) => [keys[at] as string, item]));
};

type Entry = (KeptEntry | Eviction) & { place?: number };

/** The kept chunks in their order, then the evicted ones. */
function entriesOf({ input, kept, evicted }: ShapingReport): Map<string, Entry> {
  const keys = keysOf(input);
  const entries: Entry[] = [...kept.map((entry, place) => ({ ...entry, place })), ...evicted];
  return new Map(entries.map((entry) => [keys[entry.index] as string, entry]));
}

/** The chunks with another outcome, and the number of those with the same outcome and other measurements. */
function compareOutcomes(from: ShapingReport, to: ShapingReport): Pick<ContextDiff, 'chunks' | 'remeasured'> {
  const [before, after] = [entriesOf(from), entriesOf(to)];
  const keys = [...new Set([...after.keys(), ...before.keys()])];
  const places = keys.flatMap((key) => {
    const place = before.get(key)?.place;
    return place === undefined || after.get(key)?.place === undefined ? [] : [place];
  });
  const stayed = longestAscent(places);
  const chunks: ChunkChange[] = [];
  let remeasured = 0;
  for (const key of keys) {
    const [own, now] = [before.get(key), after.get(key)];
    const change = changeOf(own, now, stayed);
    const { id } = (now ?? own) as Entry;
    if (change !== undefined)
      chunks.push({ id, change, ...(own && { from: outcomeOf(own) }), ...(now && { to: outcomeOf(now) }) });
    else if (own !== undefined && now !== undefined && measured(own) !== measured(now)) remeasured += 1;
  }
  return { chunks, remeasured };
}

/** @param stayed places in the first context of the chunks that did not move. */
function changeOf(
  own: Entry | undefined,
  now: Entry | undefined,
  stayed: ReadonlySet<number>,
): ChunkChange['change'] | undefined {
  const [was, is] = [own?.place, now?.place];
  if (was === undefined && is === undefined)
    return own && now && why(own) !== why(now) ? 'evicted' : undefined;
  if (was === undefined) return 'came';
  if (is === undefined) return 'went';
  if (parts(own) !== parts(now)) return 'cut';
  return stayed.has(was) ? undefined : 'moved';
}

const why = (entry: Entry) => ('reason' in entry ? `${entry.stage}: ${entry.reason}` : '');
const parts = (entry: Entry | undefined) =>
  entry && 'excerpts' in entry ? JSON.stringify(entry.excerpts) : '';
const measured = ({ tokens, relevance, features, utility }: Entry) =>
  JSON.stringify([tokens, relevance, features, utility]);

function outcomeOf(entry: Entry): ChunkOutcome {
  const { place, tokens, relevance } = entry;
  return {
    ...(place !== undefined && { place }),
    tokens,
    ...('reason' in entry && { stage: entry.stage, reason: entry.reason }),
    ...(relevance !== undefined && { relevance }),
  };
}

/**
 * A longest subsequence of ascending numbers: the places of the chunks that did not move. If there are several, it is
 * the one that patience sorting finds.
 *
 * Source: C. Schensted, "Longest increasing and decreasing subsequences", Canadian Journal of Mathematics 13, 1961.
 */
function longestAscent(numbers: readonly number[]): Set<number> {
  const tops: number[] = [];
  const below = new Map<number, number | undefined>();
  for (const number of numbers) {
    const pile = tops.findIndex((top) => top > number);
    const at = pile < 0 ? tops.length : pile;
    below.set(number, tops[at - 1]);
    tops[at] = number;
  }
  const found = new Set<number>();
  for (let number = tops.at(-1); number !== undefined; number = below.get(number)) found.add(number);
  return found;
}
