/** The settings of a graph, which its nodes share. */
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { ResolvedOptions, Shaper } from '../../src/index.js';
import { defined } from '../../src/internal.js';
import type { ResolvedCragOptions } from '../crag/index.js';
import type { DocumentOptions } from '../langchain/documents/index.js';
import type { CragContext } from './state.js';

export interface Settings extends ResolvedCragOptions {
  /** Has no `onEvict` and no `onReport`. Its `onStage` hears of every shaping. */
  shaper: Shaper;
  /** Finds conflicts among the kept chunks, with their statements; absent if semantic de-duplication is off. */
  comparing?: Shaper | undefined;
  /** They hear of the report of the whole. */
  observers: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'errorMessages' | 'deadlineMs'>;
  documentOptions: DocumentOptions;
}

export type Config = LangGraphRunnableConfig;

/** The settings of one call of the graph. `thresholds` and `maxAttempts` are those of its context, else those of the graph. */
export interface Run extends Settings {
  config: Config;
}

export function runOf(settings: Settings, config: Config = {}): Run {
  const { thresholds = {}, maxAttempts = settings.maxAttempts } =
    (config.context as CragContext | undefined)?.crag ?? {};
  return {
    ...settings,
    maxAttempts,
    thresholds: { ...settings.thresholds, ...defined(thresholds) },
    config,
  };
}
