/** Opens a run, so that it can be shaped again in the page, or says why it cannot. */
import type { ShapingSession } from 'context-shaping';
import { type ContextLockfile, openLockfile } from '../../src/lockfile/index.js';
import type { Run } from '../data.js';

export type Opened =
  | {
      session: ShapingSession;
      /** Differences between this page and the recorded run. */
      notes: string[];
    }
  | {
      /** The data that the page lacks. */
      missing: string;
    };

/** Token counters that the page has. The vocabularies of the others are megabytes. */
const COUNTERS = ['estimate', 'characters/4'];

export function openRun({ lockfile }: Pick<Run, 'lockfile'>): Opened {
  if (lockfile === undefined) {
    return {
      missing:
        'This file has a report and no texts. To shape again in this page, record the context as a lockfile: context-shaping-devtools record.',
    };
  }
  const other = otherCounter(lockfile);
  try {
    return other === undefined
      ? { session: openLockfile(lockfile), notes: [] }
      : {
          session: openLockfile(lockfile, { options: { tokenizer: 'estimate' } }),
          notes: [
            `The run counted tokens by ${other}, which this page does not have. The sliders count by the estimate, so their numbers of tokens, and the chunks that they keep, can differ from an exact run.`,
          ],
        };
  } catch (error) {
    return { missing: `This page cannot shape again. ${error instanceof Error ? error.message : error}` };
  }
}

/** The token counter of a run, if the page does not have it. */
function otherCounter({ options, functions }: ContextLockfile): string | undefined {
  if (functions.includes('tokenizer')) return 'a function';
  const { tokenizer = 'estimate' } = options;
  return COUNTERS.includes(String(tokenizer)) ? undefined : String(tokenizer);
}
