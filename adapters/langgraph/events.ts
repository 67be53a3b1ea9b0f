import type { GradeVerdict, ReviewEntry, SearchEntry, Verdict } from '../crag/index.js';
import { emit } from '../langchain/documents/index.js';
import type { Run } from './settings.js';
import type { GradeState } from './state.js';

/** Name of the events of corrective retrieval, and the `type` of the entries in a graph's stream. */
export const CRAG_EVENT = 'context_shaping.crag';

/** Plain JSON with ids and no texts. Evictions are in the event of every shaping. */
export type CragEvent =
  | { step: 'grade'; grades: GradeState[] }
  | { step: 'decide'; verdict: GradeVerdict; next: string }
  | { step: 'rewrite'; search: string }
  | ({ step: 'search' } & SearchEntry)
  | ({ step: 'review' } & ReviewEntry)
  | { step: 'refine'; verdict: Verdict; kept: string[]; digest: string };

export const emitStep = (event: CragEvent, { config }: Run): Promise<void> => emit(CRAG_EVENT, event, config);
