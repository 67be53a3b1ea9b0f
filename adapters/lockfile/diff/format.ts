import { tableOf } from '../../../src/internal.js';
import type { Cause, ChunkChange, ChunkOutcome, ContextDiff } from './types.js';

const DEFAULT_WIDTH = 100;
const MOST_IDS = 3;
/** A wide table does not use all of its width, and a narrow one is not readable. */
const LEAST_WIDTH = 40;

/**
 * A comparison as text: what changed, the causes, and the chunks with their causes.
 *
 * @param options `width`: columns of the tables. Default 100, at least 40.
 */
export function formatDiff(diff: ContextDiff, { width = DEFAULT_WIDTH }: { width?: number } = {}): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const { causes, chunks, degradations } = diff;
  const sections = [
    summaryOf(diff),
    tableOf(
      'Causes',
      columns,
      ['#', 'effect', 'change', 'before', 'after'],
      causes.map((cause, at) => [String(at + 1), cause.effect, ...inWords(cause)]),
    ),
    tableOf(
      'Chunks',
      columns,
      ['chunk', 'change', 'before', 'after', 'cause', 'features that changed most'],
      chunks.map((change) => [
        change.id,
        change.change,
        shown(change.from),
        shown(change.to),
        causesOf(change, causes),
        featuresOf(change),
      ]),
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

function summaryOf({ isEqual, totals: { from, to }, chunks, remeasured, causes }: ContextDiff): string {
  if (isEqual) {
    const library = causes.find((cause) => cause.kind === 'library');
    return library === undefined
      ? 'The contexts are equal.'
      : `The contexts are equal. The release is another: ${library.from}, then ${library.to}.`;
  }
  const counts = (['came', 'went', 'moved', 'cut', 'evicted'] as const).flatMap((change) => {
    const times = chunks.filter((each) => each.change === change).length;
    return times === 0 ? [] : [`${times} ${IN_WORDS[change]}`];
  });
  const lines = [
    counts.length === 0 ? 'The same chunks are kept, in the same order.' : `Chunks: ${counts.join(', ')}.`,
    `Kept: ${from.kept} of ${from.chunks} chunks with ${from.tokens} tokens before, ${to.kept} of ${to.chunks} with ${to.tokens} after.`,
    ...(remeasured === 0 ? [] : [`${remeasured} other chunks have the same outcome and other measurements.`]),
    ...(causes.length === 0 ? ['Nothing that the lockfiles record differs except the result.'] : []),
    ...(causes.some(({ effect }) => effect === 'possible')
      ? ['A possible cause is not proven: it could not be tried alone.']
      : []),
  ];
  return lines.join('\n');
}

const IN_WORDS = {
  came: 'came',
  went: 'went',
  moved: 'moved',
  cut: 'cut differently',
  evicted: 'evicted for another reason',
} as const;

/** The change, and the values before and after. */
export function inWords(cause: Cause): [change: string, before: string, after: string] {
  switch (cause.kind) {
    case 'library': {
      const defaults = cause.defaults.map(({ path }) => path).join(', ');
      return [`library${defaults === '' ? '' : `, with the defaults of ${defaults}`}`, cause.from, cause.to];
    }
    case 'option':
      return [`option ${cause.path}`, value(cause.from), value(cause.to)];
    case 'function':
      return [`function ${cause.path}`, 'a function', 'maybe another one'];
    case 'embedder':
    case 'model':
    case 'judge':
    case 'scorer': {
      const answers = cause.kind === 'embedder' ? 'vectors' : 'answers';
      const changed = cause.changed === 0 ? '' : `, ${cause.changed} of ${cause.of} ${answers} changed`;
      return [`${cause.kind}${changed}`, cause.from ?? 'none', cause.to ?? 'none'];
    }
    case 'query':
      return ['question', cause.from, cause.to];
    case 'history':
      return ['conversation before it', `${cause.from} turns`, `${cause.to} turns`];
    case 'ranked':
      return ['argument ranked', value(cause.from), value(cause.to)];
    case 'chunk-changed':
      return [`${cause.fields.join(', ')} of ${listed(cause.ids)}`, '', ''];
    case 'chunk-added':
      return [`input has ${listed(cause.ids)}`, 'no', 'yes'];
    case 'chunk-removed':
      return [`input has ${listed(cause.ids)}`, 'yes', 'no'];
    case 'order':
      return ['order of the input', '', ''];
  }
}

const value = (of: unknown) => (of === null ? 'none' : typeof of === 'string' ? of : JSON.stringify(of));

const listed = (ids: readonly string[]) =>
  ids.length <= MOST_IDS
    ? ids.join(', ')
    : `${ids.slice(0, MOST_IDS).join(', ')} and ${ids.length - MOST_IDS} others`;

function shown(outcome: ChunkOutcome | undefined): string {
  if (outcome === undefined) return 'not in the input';
  const { place, stage, reason, tokens } = outcome;
  return place === undefined ? `${stage}: ${reason}` : `place ${place + 1}, ${tokens} tokens`;
}

/** The numbers of the causes, and the first one in words. */
function causesOf({ causes: places }: ChunkChange, causes: readonly Cause[]): string {
  if (places.length > 0) return places.map((place) => `#${place + 1}`).join(', ');
  return causes.every(({ effect }) => effect !== 'possible') ? 'several together' : 'not proven';
}

const featuresOf = ({ features }: ChunkChange) =>
  features.map(({ name, from, to }) => `${name} ${from.toFixed(2)} → ${to.toFixed(2)}`).join(', ');
