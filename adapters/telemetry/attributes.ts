/** The attributes of a span: those at its start, and those at its end. */
import type { Attributes } from '@opentelemetry/api';
import type {
  Chunk,
  Eviction,
  KeptEntry,
  ShapedChunk,
  ShapingReport,
  Telemetry,
  TracedOutcome,
} from '../../src/index.js';
import { defined } from '../../src/internal.js';
import { GEN_AI, OPENINFERENCE as NAME, OWN } from './names.js';

export type ShapedOutcome = Extract<TracedOutcome, { report: unknown }>;

type Values = Readonly<Record<string, Attributes[string] | undefined>>;

/** Collects attributes up to a number of them. */
export class Room {
  readonly attributes: Attributes = {};

  constructor(public left: number) {}

  /** Adds all of them or none. An attribute without a value is left out. */
  add(values: Values): boolean {
    const given = defined(values);
    const count = Object.keys(given).length;
    if (count > this.left) return false;
    Object.assign(this.attributes, given);
    this.left -= count;
    return true;
  }
}

/** Samplers see these attributes. */
export function startOf({ kind, options }: Parameters<Telemetry['begin']>[0]) {
  const k = (options.k as number | null | undefined) ?? undefined;
  return defined({
    [OWN.operation]: kind,
    [NAME.kind]: 'RERANKER',
    [NAME.model]: 'context-shaping',
    [GEN_AI.operation]: 'retrieval',
    [NAME.topK]: k,
    [GEN_AI.topK]: k,
  });
}

/** Adds the attributes of a result, the totals first. */
export function addResult(room: Room, { report, given, chunks }: ShapedOutcome, texts: boolean): void {
  room.add(totalsOf(report, texts));
  const query = texts ? report.query : undefined;
  room.add({
    [GEN_AI.documents]: JSON.stringify(report.kept.map(({ id, relevance }) => ({ id, score: relevance }))),
    [GEN_AI.query]: query,
    [NAME.query]: query,
  });
  addDocuments(room, report, given, chunks, texts);
}

/** The totals of a report. They come before all documents. */
function totalsOf(report: ShapingReport, texts: boolean): Values {
  const { tokens, digest, kept, evicted, input, query, degradations, conflicts, flags } = report;
  const summary = {
    digest,
    tokens,
    chunks: { input: input.length, kept: kept.length, evicted: evicted.length },
    evictions: counted(evicted.map(({ reason }) => reason)),
    degradations: counted(degradations.map(({ code }) => code)),
    conflicts: conflicts.length,
    flagged: flags.length,
  };
  return {
    [NAME.metadata]: JSON.stringify(summary),
    [NAME.input]: texts ? query : undefined,
    [NAME.inputType]: texts ? 'text/plain' : undefined,
    [OWN.digest]: digest,
    [OWN.tokensIn]: tokens.input,
    [OWN.tokensOut]: tokens.output,
    [OWN.budget]: tokens.budget ?? undefined,
    [OWN.chunksIn]: input.length,
    [OWN.chunksKept]: kept.length,
    [OWN.chunksEvicted]: evicted.length,
  };
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** One attribute for each field of a document. Viewers do not read a JSON list in their place. */
interface Item {
  id: string;
  score?: number | null | undefined;
  text?: string | undefined;
  metadata?: object | undefined;
}

const fieldsOf = ({ id, score, text, metadata }: Item) =>
  Object.entries(
    defined({
      [NAME.id]: id,
      [NAME.score]: score ?? undefined,
      [NAME.content]: text,
      [NAME.documentMetadata]: metadata && JSON.stringify(metadata),
    }),
  );

/** A list that is cut says so in an attribute, for which this room is kept. */
const NOTES = 2;

/**
 * Adds the result, then the input. If the input does not fit into the room, its kept documents are left out, which are
 * in the result; then the last documents of a list are left out.
 */
function addDocuments(
  room: Room,
  report: ShapingReport,
  given: readonly Chunk[],
  chunks: readonly ShapedChunk[],
  texts: boolean,
): void {
  const kept = report.kept.map((entry, place) => ({
    id: entry.id,
    score: entry.relevance,
    text: texts ? chunks[place]?.text : undefined,
    metadata: keptMetadata(entry),
  }));
  addList(room, NAME.kept, kept, OWN.keptOmitted, 2 * NOTES);
  const evictions = new Map(report.evicted.map((eviction) => [eviction.index, eviction]));
  const all = given.map(({ id, score, text }, index): Item => {
    const eviction = evictions.get(index);
    return { id, score, text: texts ? text : undefined, metadata: eviction && evictedMetadata(eviction) };
  });
  const fits = all.reduce((sum, item) => sum + fieldsOf(item).length, 0) <= room.left - NOTES;
  const shown = fits ? all : all.filter((_, index) => evictions.has(index));
  addList(room, NAME.given, shown, OWN.givenOmitted, NOTES, all.length);
}

/** @param reserve number of attributes to leave free. @param total of the documents, for the number of those left out. */
function addList(
  room: Room,
  list: string,
  items: readonly Item[],
  omitted: string,
  reserve = NOTES,
  total = items.length,
): void {
  let added = 0;
  for (const item of items) {
    const fields = fieldsOf(item);
    if (fields.length > room.left - reserve) break;
    room.add(Object.fromEntries(fields.map(([field, value]) => [`${list}.${added}.${field}`, value])));
    added += 1;
  }
  const missing = total - added;
  if (missing > 0) room.add({ [omitted]: missing });
}

const keptMetadata = ({ index, tokens, excerpts, pinned, utility }: KeptEntry) => ({
  index,
  tokens,
  cut: excerpts === undefined ? undefined : true,
  pinned,
  utility,
});

/** Why a document went: the fields that its reason has. */
const EVIDENCE = ['keptId', 'by', 'distance', 'margin', 'lastKept'];
const evictedMetadata = ({ stage, reason, index, tokens, relevance, ...rest }: Eviction) => ({
  stage,
  reason,
  ...Object.fromEntries(Object.entries(rest).filter(([field]) => EVIDENCE.includes(field))),
  ...{ index, tokens, relevance },
});
