/** Search and filters over the rows. */
import type { Row } from './rows.js';

export interface Filter {
  search: string;
  /** `kept`, `cut`, `gone`, or `changed`: differs from the recorded run. Empty: all. */
  outcome: '' | Row['outcome'] | 'changed';
  stage: string;
  reason: string;
  source: string;
}

export const NO_FILTER: Filter = { search: '', outcome: '', stage: '', reason: '', source: '' };

export type Sort = 'result' | 'input' | 'relevance';

/** The rows that pass every filter. The search has words; each must be in the id, the source, the reason or the text. */
export function filtered(rows: readonly Row[], filter: Filter): Row[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const { outcome, stage, reason, source } = filter;
    return (
      (outcome === '' || (outcome === 'changed' ? row.change !== undefined : row.outcome === outcome)) &&
      (stage === '' || row.eviction?.stage === stage) &&
      (reason === '' || row.eviction?.reason === reason) &&
      (source === '' || row.source === source) &&
      (words.length === 0 || hasAll(row, words))
    );
  });
}

function hasAll(row: Row, words: readonly string[]): boolean {
  const text = [row.id, row.source, row.why, row.eviction?.reason, row.text].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** `result`: as {@link Row}s come. `relevance`: the most relevant first; chunks without one last. Ties by place. */
export function sorted(rows: readonly Row[], sort: Sort): readonly Row[] {
  if (sort === 'result') return rows;
  const rank = ({ relevance = -1 }: Row) => (sort === 'relevance' ? -relevance : 0);
  return rows.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** The values to choose from, sorted. */
export const valuesOf = (rows: readonly Row[], of: (row: Row) => string | undefined): string[] =>
  [...new Set(rows.map(of))].filter((value) => value !== undefined).toSorted();
