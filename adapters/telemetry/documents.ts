/** Documents as attributes: one attribute for each field of each document. A JSON list in their place is not read. */
import type { Attributes } from '@opentelemetry/api';
import type { Chunk, Eviction, KeptEntry, ShapedChunk, ShapingReport } from '../../src/index.js';
import { OPENINFERENCE as NAME, OWN } from './names.js';
import type { Room } from './room.js';

interface Item {
  id: string;
  score?: number | undefined;
  text?: string | undefined;
  metadata?: object | undefined;
}

/** A list that is cut says so in an attribute, for which this room is kept. */
const NOTES = 2;

/**
 * Adds the result, then the input. If the input does not fit into the room, its kept documents are left out, which are
 * in the result; then the last documents of a list are left out.
 */
export function addDocuments(
  room: Room,
  {
    report,
    given,
    chunks,
  }: { report: ShapingReport; given: readonly Chunk[]; chunks: readonly ShapedChunk[] },
  texts: boolean,
): void {
  const kept = report.kept.map(
    (entry, place): Item => ({
      id: entry.id,
      score: entry.relevance,
      text: texts ? chunks[place]?.text : undefined,
      metadata: keptMetadata(entry),
    }),
  );
  addList(room, NAME.kept, kept, OWN.keptOmitted, 2 * NOTES);
  const evictions = new Map(report.evicted.map((eviction) => [eviction.index, eviction]));
  const all = given.map((chunk, index): Item => {
    const eviction = evictions.get(index);
    return {
      id: chunk.id,
      score: chunk.score ?? undefined,
      text: texts ? chunk.text : undefined,
      metadata: eviction && evictedMetadata(eviction),
    };
  });
  const fits = all.reduce((sum, item) => sum + fieldsOf(item).length, 0) <= room.left - NOTES;
  const shown = fits ? all : all.filter((_, index) => evictions.has(index));
  addList(room, NAME.given, shown, OWN.givenOmitted, NOTES, all.length - shown.length);
}

/** @param reserve number of attributes to leave free. */
export function addList(
  room: Room,
  list: string,
  items: readonly Item[],
  omitted: string,
  reserve = NOTES,
  before = 0,
): void {
  let added = 0;
  for (const item of items) {
    const fields = fieldsOf(item);
    if (fields.length > room.left - reserve) break;
    room.add(fields.map(([field, value]) => [`${list}.${added}.${field}`, value] as const));
    added += 1;
  }
  const missing = before + items.length - added;
  if (missing > 0) room.add([[omitted, missing]]);
}

function fieldsOf({ id, score, text, metadata }: Item): [string, Attributes[string]][] {
  return [
    [NAME.id, id],
    ...(score === undefined ? [] : ([[NAME.score, score]] as [string, number][])),
    ...(text === undefined ? [] : ([[NAME.content, text]] as [string, string][])),
    ...(metadata === undefined
      ? []
      : ([[NAME.documentMetadata, JSON.stringify(metadata)]] as [string, string][])),
  ];
}

const keptMetadata = ({ index, tokens, excerpts, pinned, utility }: KeptEntry) => ({
  index,
  tokens,
  cut: excerpts === undefined ? undefined : true,
  pinned,
  utility,
});

/** Why a document went. Fields that its reason does not have are absent. */
function evictedMetadata(eviction: Eviction): object {
  const { stage, reason, index, tokens, relevance } = eviction;
  const { keptId, distance, margin, lastKept, budgetToKeep } = eviction as Partial<
    Record<'keptId' | 'distance' | 'margin' | 'lastKept' | 'budgetToKeep', unknown>
  >;
  return { stage, reason, keptId, distance, margin, lastKept, budgetToKeep, index, tokens, relevance };
}
