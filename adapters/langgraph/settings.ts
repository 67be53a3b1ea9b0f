/** The settings of a graph, which its nodes share. */
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { ResolvedOptions, Shaper } from '../../src/index.js';
import type { ResolvedCragOptions, Thresholds } from '../crag/index.js';
import type { DocumentOptions } from '../documents/index.js';
import type { Keys } from './keys.js';
import type { CragContext } from './state.js';

export interface Settings extends ResolvedCragOptions {
  /** Has no `onEvict` and no `onReport`. Its `onStage` hears of every shaping. */
  shaper: Shaper;
  /** Finds contradictions among the results of several shapings; absent where semantic de-duplication is off. */
  comparing?: Shaper | undefined;
  /** They hear of the report of the whole. */
  observers: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'deadlineMs'>;
  documentOptions: DocumentOptions;
  keys: Keys;
}

export type Config = LangGraphRunnableConfig;

/** The thresholds of this run, else those of the graph. */
export function thresholdsOf({ thresholds }: Settings, config: Config): Thresholds {
  const { lower, upper } = ofRun(config)?.thresholds ?? {};
  return { lower: lower ?? thresholds.lower, upper: upper ?? thresholds.upper };
}

export const maxAttemptsOf = ({ maxAttempts }: Settings, config: Config): number =>
  ofRun(config)?.maxAttempts ?? maxAttempts;

const ofRun = ({ context }: Config) => (context as CragContext | undefined)?.crag;
