/** One row for each chunk of a run: whether it was kept, and its text if that was recorded. */
import type { Eviction, Flag, KeptEntry, ShapingReport } from 'context-shaping';
import { why } from 'context-shaping/internal';
import { rivalsOf } from './conflicts.js';
import { keptParts } from './prompt.js';

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
  /** Its text in the context. */
  passage?: string;
  /** Places of the passages that say something else, from 1. */
  against: readonly number[];
  flags: readonly Flag[];
  /** The evidence of the eviction in a few words. Empty for kept chunks. */
  why: string;
  /** Differs from the recorded run: it came, it went, or another part of it was cut. */
  change?: Change;
}

export type Change = 'came' | 'went' | 'recut';

/** Text that can be searched for, by chunk index. */
export type Texts = readonly (string | undefined)[];

/**
 * Kept chunks first, in the order of the result; then evicted chunks, the most relevant first. Chunks without a relevance
 * come last; ties go by place in the input.
 *
 * @param passages the texts of the context, if they are known: a report has only the places of the cuts.
 */
export function rowsOf(
  report: ShapingReport,
  texts: Texts,
  { recorded = report, passages }: { recorded?: ShapingReport; passages?: ReadonlyMap<number, string> } = {},
): Row[] {
  const before = new Map(recorded.kept.map((entry) => [entry.index, cutOf(entry)]));
  const places = new Map(report.kept.map(({ index }, at) => [index, at + 1]));
  const flags = new Map(report.flags.map(({ index, flags: own }) => [index, own]));
  const kept = report.kept.map((entry, at): Row => {
    const { id, index, tokens, relevance, features, sources, excerpts } = entry;
    const [source] = sources;
    const text = texts[index];
    const passage = passages?.get(index) ?? (text === undefined ? entry.preview : keptParts(text, excerpts));
    return {
      ...{ index, id, outcome: excerpts === undefined ? 'kept' : 'cut', place: at + 1, entry, tokens },
      ...optional({ relevance, features, source: source?.source, text, passage }),
      against: rivalsOf(index, report.conflicts).flatMap((rival) => places.get(rival) ?? []),
      ...{ flags: flags.get(index) ?? [], why: '' },
      ...changed(before.get(index), cutOf(entry)),
    };
  });
  const gone = report.evicted.map((eviction): Row => {
    const { id, index, tokens, relevance, features, source } = eviction;
    return {
      ...{ index, id, outcome: 'gone', eviction, tokens },
      ...optional({ relevance, features, source, text: texts[index] }),
      ...{ against: [], flags: flags.get(index) ?? [], why: why(eviction) },
      ...changed(before.get(index), undefined),
    };
  });
  const rank = ({ relevance = -1 }: Row) => relevance;
  return [...kept, ...gone.sort((a, b) => rank(b) - rank(a) || a.index - b.index)];
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
    one.passage === other.passage &&
    JSON.stringify([one.id, one.entry, one.eviction, one.against, one.flags]) ===
      JSON.stringify([other.id, other.entry, other.eviction, other.against, other.flags])
  );
}

const cutOf = ({ excerpts }: KeptEntry): string => JSON.stringify(excerpts ?? null);

function changed(before: string | undefined, now: string | undefined): { change?: Change } {
  if (before === now) return {};
  return { change: before === undefined ? 'came' : now === undefined ? 'went' : 'recut' };
}

/** Leaves out fields without a value. */
function optional<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** The chunk that stayed in place of an evicted one, if there is one. */
export function replacedBy({ eviction }: Row, rows: readonly Row[]): Row | undefined {
  if (eviction === undefined || !('keptId' in eviction)) return undefined;
  return rows.find(({ id, index }) => id === eviction.keptId && index !== eviction.index);
}
