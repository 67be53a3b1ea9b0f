import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch';
import { rethrowControlFlow } from '../../src/internal.js';
import type { ReviewEntry, SearchEntry, Verdict } from '../crag/index.js';
import type { Config } from './settings.js';
import type { GradeState } from './state.js';

/** Name of the events of corrective retrieval, and the `type` of what goes to a graph's stream. */
export const CRAG_EVENT = 'context_shaping.crag';

/** Plain JSON, ids instead of texts. What shaping evicts is told by the event of every shaping. */
export type CragEvent =
  | { step: 'grade'; grades: GradeState[] }
  | { step: 'decide'; verdict: Verdict; next: string }
  | { step: 'rewrite'; search: string }
  | ({ step: 'search' } & SearchEntry)
  | ({ step: 'review' } & ReviewEntry)
  | { step: 'refine'; verdict: Verdict; kept: string[]; digest: string };

/** Tells callback handlers (and with them `streamEvents`), and the stream of the graph (`streamMode: 'custom'`). */
export async function emit(event: CragEvent, config: Config): Promise<void> {
  await dispatchCustomEvent(CRAG_EVENT, event, config);
  try {
    config.writer?.({ type: CRAG_EVENT, ...event });
  } catch (error) {
    // A stream that its reader has closed costs no document.
    rethrowControlFlow(error, config.signal);
  }
}
