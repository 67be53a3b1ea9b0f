/** Opens a run, so that it can be shaped again in the page, or says why it cannot. */
import { type Chunk, createShaper, type ShapingOptions, type ShapingSession } from 'context-shaping/small';
import type { Run } from '../data.js';

export type Opened =
  | { session: ShapingSession /** Ways in which the page differs from the recorded run. */; notes: string[] }
  | { missing: string };

/** Counters that the page has. The vocabularies of the others are megabytes. */
const COUNTERS = ['estimate', 'upper-bound', 'characters/4'];

export function openRun({ lockfile }: Run): Opened {
  if (lockfile === undefined) {
    return {
      missing:
        'This file has only the report. To shape again in this page, record the run as a context lockfile with its texts: context-shaping record.',
    };
  }
  const { chunks, query, ranked } = lockfile.input;
  if (!chunks.every((chunk): chunk is Chunk => 'text' in chunk)) {
    return {
      missing:
        'This lockfile has hashes in place of texts. To shape again in this page, record the run with its texts.',
    };
  }
  const { options, notes } = playable(lockfile.options);
  const session = createShaper(options).session({
    query,
    chunks,
    ...(ranked == null ? {} : { ranked }),
  });
  return { session, notes };
}

/** The options that the page can run, and notes on those that it replaces. */
function playable(recorded: Record<string, unknown>): { options: ShapingOptions; notes: string[] } {
  const options = { ...recorded };
  const notes: string[] = [];
  if (!COUNTERS.includes(String(options.tokenizer ?? 'estimate'))) {
    notes.push(
      `The run counted tokens by ${options.tokenizer === 'custom' ? 'a function of its own' : options.tokenizer}. This page counts by the estimate, so its numbers of tokens differ.`,
    );
    options.tokenizer = 'estimate';
  }
  return { options: options as ShapingOptions, notes };
}
