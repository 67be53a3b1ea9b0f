/** Tables that a splitter has cut: their rows are in one chunk, and their header is in the chunk before it. */
import type { Unit } from './page.js';
import { cellsOf, fieldsIn } from './tables.js';

/** A chunk with its units, and its place in its document. */
export interface PlacedText {
  readonly text: string;
  readonly units: readonly Unit[];
  /** Documents with the same name are one. */
  readonly document?: string | undefined;
  /** Consecutive chunks of a document have consecutive positions. */
  readonly position?: number | undefined;
}

/** Rows whose header is in another chunk. Chunks are indices among those given, rows are indices among their units. */
export interface ContinuedTable {
  readonly chunk: number;
  /**
   * The rows, ascending, from the first unit of the chunk on. In separated values the first of them is no header,
   * although the others need it.
   */
  readonly rows: readonly number[];
  readonly headerChunk: number;
  /** The rows of the header, ascending, and the titles of the sections in which the table goes on. */
  readonly header: readonly number[];
}

const DELIMITERS = ['\t', ';', '|', ','];

/**
 * Finds the rows at the beginning of chunks whose table begins in the chunk before, with the rows of its header. A table
 * may go on over several chunks. Both parts must have the same number of columns. Chunks without a document or a position,
 * and positions that are taken twice, are left out.
 *
 * @returns one entry for each chunk that begins with such rows, in the order of the chunks.
 */
export function continuedTables(chunks: readonly PlacedText[]): ContinuedTable[] {
  const before = predecessors(chunks);
  const known = new Map<number, ContinuedTable | undefined>();
  // From the first position on, so that a header is found through chunks that have rows only.
  const inOrder = [...before.keys()].sort(
    (a, b) => (chunks[a]?.position as number) - (chunks[b]?.position as number),
  );
  for (const chunk of inOrder)
    known.set(chunk, continuation(chunks, chunk, before.get(chunk) as number, known));
  return [...known.values()].filter((table) => table !== undefined).sort((a, b) => a.chunk - b.chunk);
}

/** Returns for each chunk the one before it in its document, if there is one. */
function predecessors(chunks: readonly PlacedText[]): Map<number, number> {
  const byPlace = new Map<string, number[]>();
  const keyOf = (document: string, position: number) => `${position} ${document}`;
  for (const [chunk, { document, position }] of chunks.entries()) {
    if (document === undefined || position === undefined) continue;
    const key = keyOf(document, position);
    byPlace.set(key, [...(byPlace.get(key) ?? []), chunk]);
  }
  const found = new Map<number, number>();
  for (const [chunk, { document, position }] of chunks.entries()) {
    if (document === undefined || position === undefined) continue;
    const before = byPlace.get(keyOf(document, position - 1)) ?? [];
    if (before.length === 1 && byPlace.get(keyOf(document, position))?.length === 1)
      found.set(chunk, before[0] as number);
  }
  return found;
}

function continuation(
  chunks: readonly PlacedText[],
  chunk: number,
  above: number,
  known: ReadonlyMap<number, ContinuedTable | undefined>,
): ContinuedTable | undefined {
  const [here, there] = [chunks[chunk] as PlacedText, chunks[above] as PlacedText];
  const last = there.units.length - 1;
  const kind = here.units[0]?.kind;
  if ((kind !== 'row' && kind !== 'record') || there.units[last]?.kind !== kind) return undefined;
  const rows: number[] = [];
  while (here.units[rows.length]?.kind === kind) rows.push(rows.length);
  const earlier = known.get(above);
  const isThrough = earlier?.rows.length === there.units.length;
  const [headerChunk, header] = isThrough
    ? [earlier.headerChunk, earlier.header]
    : [above, headerOf(there, last)];
  const source = chunks[headerChunk] as PlacedText;
  const [first] = header;
  if (first === undefined || hasHeader(here, kind)) return undefined;
  const columns = columnsOf(textAt(source, first), kind);
  const isSame = kind === 'record' && textAt(source, first) === textAt(here, 0);
  if (isSame || columns === undefined || columns !== columnsOf(textAt(here, 0), kind)) return undefined;
  return { chunk, rows, headerChunk, header };
}

/** Returns the rows that a row needs, ascending; or the row itself if it is the header. */
function headerOf({ units, text }: PlacedText, row: number): number[] {
  const { kind } = units[row] as Unit;
  const found = new Set<number>();
  const visit = (at: number) => {
    for (const need of units[at]?.needs ?? []) {
      if (units[need]?.kind !== kind || found.has(need)) continue;
      found.add(need);
      visit(need);
    }
  };
  visit(row);
  const { start, end } = units[row] as Unit;
  if (isSplit(text.slice(start, end)) && kind === 'row') found.add(row);
  return [...found].sort((a, b) => a - b);
}

/** Returns whether the rows at the beginning of a chunk have a header there. Separated values always seem to have one. */
function hasHeader(chunk: PlacedText, kind: 'row' | 'record'): boolean {
  if (kind === 'record') return false;
  return isSplit(textAt(chunk, 0)) || chunk.units[1]?.needs.includes(0) === true;
}

/** Header and delimiter row are one unit of two lines. */
const isSplit = (row: string): boolean => row.trim().includes('\n');

const textAt = ({ text, units }: PlacedText, place: number): string =>
  text.slice(units[place]?.start, units[place]?.end);

/** Returns the delimiter and the number of columns of a row, or undefined if it has only one. */
function columnsOf(row: string, kind: 'row' | 'record'): string | undefined {
  if (kind === 'row') return `| ${cellsOf((row.trimStart().split('\n')[0] as string).trimEnd())}`;
  const counts = DELIMITERS.map((delimiter) => fieldsIn(row.trim(), delimiter).length);
  const found = counts.findIndex((count) => count > 2);
  return found < 0 || row.trimStart().startsWith('{') ? undefined : `${DELIMITERS[found]} ${counts[found]}`;
}
