/** Search and filter over the rows. */
import type { Row } from './rows.js';

export interface Filter {
  search: string;
  /** The reason of an eviction. Empty: all. */
  reason: string;
}

export const NO_FILTER: Filter = { search: '', reason: '' };

/** The words of a search, in lower case. */
export const wordsOf = ({ search }: Filter): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * The rows that pass. Each word of the search must be in the id, the source, the reason or the text. Kept chunks pass every
 * reason, and all do if no row has the reason: another run may not have it.
 */
export function filtered(rows: readonly Row[], filter: Filter): Row[] {
  const words = wordsOf(filter);
  const isOf = ({ eviction }: Row) => eviction?.reason === filter.reason;
  const isFree = !rows.some(isOf);
  return rows.filter(
    (row) =>
      (isFree || row.eviction === undefined || isOf(row)) && (words.length === 0 || hasAll(row, words)),
  );
}

function hasAll(row: Row, words: readonly string[]): boolean {
  const text = [row.id, row.source, row.why, row.eviction?.reason, row.text].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
