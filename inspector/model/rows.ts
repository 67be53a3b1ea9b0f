/** One row for each chunk of a run: whether it was kept, and its text if that was recorded. */
import type { Eviction, KeptEntry, ShapingReport } from 'context-shaping';
import { why } from '../../src/report/why.js';

export type Outcome = 'kept' | 'cut' | 'gone';

export interface Row {
  /** Place in the input, from 0. */
  index: number;
  id: string;
  outcome: Outcome;
  /** Place in the result, from 1. */
  place?: number;
  entry?: KeptEntry;
  eviction?: Eviction;
  tokens: number;
  relevance?: number;
  features?: Readonly<Record<string, number>>;
  source?: string;
  text?: string;
  /** The reason in a few words. */
  why: string;
  /** Differs from the recorded run: it came, it went, or another part of it was cut. */
  change?: Change;
}

export type Change = 'came' | 'went' | 'recut';

/** Text that can be searched for, by chunk index. */
export type Texts = readonly (string | undefined)[];

/** Kept chunks first, in the order of the result; then evicted chunks, in the order of the stages. */
export function rowsOf(report: ShapingReport, texts: Texts, recorded: ShapingReport = report): Row[] {
  const before = new Map(recorded.kept.map((entry) => [entry.index, cutOf(entry)]));
  const kept = report.kept.map((entry, at): Row => {
    const { id, index, tokens, relevance, features, sources, excerpts } = entry;
    const [source] = sources;
    return {
      ...{ index, id, outcome: excerpts === undefined ? 'kept' : 'cut', place: at + 1, entry, tokens },
      ...optional({ relevance, features, source: source?.source, text: texts[index] }),
      why: keptBecause(entry),
      ...changed(before.get(index), cutOf(entry)),
    };
  });
  const gone = report.evicted.map((eviction): Row => {
    const { id, index, tokens, relevance, features, source } = eviction;
    return {
      ...{ index, id, outcome: 'gone', eviction, tokens },
      ...optional({ relevance, features, source, text: texts[index] }),
      why: why(eviction),
      ...changed(before.get(index), undefined),
    };
  });
  return [...kept, ...gone];
}

/** Rows that are equal to earlier ones are those, so that they are not drawn again. */
export function reused(earlier: readonly Row[], rows: readonly Row[]): Row[] {
  const known = new Map(earlier.map((row) => [row.index, row]));
  return rows.map((row) => {
    const own = known.get(row.index);
    return own !== undefined && areEqual(own, row) ? own : row;
  });
}

/** Fields that change often come first, because they are fast to compare. */
function areEqual(one: Row, other: Row): boolean {
  return (
    one.place === other.place &&
    one.why === other.why &&
    one.change === other.change &&
    one.tokens === other.tokens &&
    one.text === other.text &&
    JSON.stringify([one.id, one.entry, one.eviction]) ===
      JSON.stringify([other.id, other.entry, other.eviction])
  );
}

const cutOf = ({ excerpts }: KeptEntry): string => JSON.stringify(excerpts ?? null);

function changed(before: string | undefined, now: string | undefined): { change?: Change } {
  if (before === now) return {};
  return { change: before === undefined ? 'came' : now === undefined ? 'went' : 'recut' };
}

/** The strongest features of a kept chunk, or its pin. */
function keptBecause({ pinned, features, sources }: KeptEntry): string {
  const strongest = Object.entries(features ?? {})
    .filter(([, share]) => share > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name]) => name);
  const copies = sources.length - 1;
  return [
    ...(pinned ? ['pinned'] : []),
    ...(strongest.length > 0 ? [`strongest in ${strongest.join(', ')}`] : []),
    ...(copies > 0 ? [`stands for ${copies} ${copies === 1 ? 'copy' : 'copies'}`] : []),
  ].join('; ');
}

/** Leaves out fields without a value. */
function optional<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** The kept chunk that was selected last: the one that an evicted chunk had to beat. Pinned chunks do not count. */
export function lastKept(report: ShapingReport): KeptEntry | undefined {
  const rivals = report.kept.filter(({ pinned }) => !pinned);
  return rivals.toSorted(
    (a, b) => (b.rank ?? 0) - (a.rank ?? 0) || (a.relevance ?? 0) - (b.relevance ?? 0),
  )[0];
}

/** The chunk that stayed in place of an evicted one, if there is one. */
export function replacedBy({ eviction }: Row, rows: readonly Row[]): Row | undefined {
  if (eviction === undefined || !('keptId' in eviction)) return undefined;
  return rows.find(({ id, index }) => id === eviction.keptId && index !== eviction.index);
}
