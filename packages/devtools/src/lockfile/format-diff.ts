import { tableOf } from 'context-shaping/internal';
import type { ChunkOutcome, ContextDiff } from './diff.js';

const DEFAULT_WIDTH = 100;
/** A wide table does not use all of its width, and a narrow one is not readable. */
const LEAST_WIDTH = 40;
/** Longer values are cut: a text, a vector, or a chunk. */
const LONGEST_VALUE = 80;
const MOST_DIFFERENCES = 40;

/**
 * A comparison as text: a summary, the recorded values that differ, and the chunks with another outcome.
 *
 * @param options `width`: columns of the tables. Default 100, at least 40.
 */
export function formatDiff(diff: ContextDiff, { width = DEFAULT_WIDTH }: { width?: number } = {}): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const { differences, chunks, degradations } = diff;
  const hidden = differences.length - MOST_DIFFERENCES;
  const sections = [
    summaryOf(diff),
    tableOf(
      'Differences',
      columns,
      ['what', 'before', 'after'],
      differences
        .slice(0, MOST_DIFFERENCES)
        .map(({ path, from, to }) => [path, valueInWords(from), valueInWords(to)]),
    ),
    hidden > 0 ? `${hidden} other values differ.` : '',
    tableOf(
      'Chunks',
      columns,
      ['chunk', 'change', 'before', 'after'],
      chunks.map(({ id, change, from, to }) => [id, change, outcomeInWords(from), outcomeInWords(to)]),
    ),
    tableOf(
      'Degradations',
      columns,
      ['change', 'stage', 'message'],
      (['came', 'went'] as const).flatMap((change) =>
        degradations[change].map(({ stage, message }) => [change, stage, message]),
      ),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

const CHANGES = {
  came: 'came',
  went: 'went',
  cut: 'cut differently',
  evicted: 'evicted for another reason',
} as const;

function summaryOf({ isEqual, totals: { from, to }, chunks, isReordered, ...diff }: ContextDiff): string {
  const { remeasured, differences } = diff;
  if (isEqual) return 'The contexts are equal.';
  const counts = Object.entries(CHANGES).flatMap(([change, inWords]) => {
    const times = chunks.filter((each) => each.change === change).length;
    return times === 0 ? [] : [`${times} ${inWords}`];
  });
  return [
    counts.length === 0 ? 'The same chunks are kept.' : `Chunks: ${counts.join(', ')}.`,
    ...(isReordered ? ['Chunks that both keep have another order.'] : []),
    `Kept: ${from.kept} of ${from.chunks} chunks with ${from.tokens} tokens before, ${to.kept} of ${to.chunks} with ${to.tokens} after.`,
    ...(remeasured === 0 ? [] : [`${remeasured} other chunks have the same outcome and other measurements.`]),
    ...(differences.length === 0 ? ['Only the results differ: the code gives another result.'] : []),
  ].join('\n');
}

/** A recorded value, cut if it is long. */
export function valueInWords(value: unknown): string {
  const text = value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

function outcomeInWords(outcome: ChunkOutcome | undefined): string {
  if (outcome === undefined) return 'not in the input';
  const { place, stage, reason, tokens, relevance } = outcome;
  const where = place === undefined ? `${stage}: ${reason}` : `place ${place + 1}, ${tokens} tokens`;
  return relevance === undefined ? where : `${where}, relevance ${relevance.toFixed(2)}`;
}
