// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { Judge } from '../../src/index.js';
import type { ReviewReason } from './record.js';
import type { Grader, Rewrite, WebSearch } from './types.js';

/** Options of corrective retrieval. All are optional: by default words alone grade, and the graph neither searches nor asks a person. */
export interface CragOptions {
  /** Grades the kept chunks. `relevance`: by words, without a model. `ecs`: by the utility that the shaper’s option `ecs` measured. Or a judge, such as `chatJudge(chatModel)`, or your own grader. Default `"relevance"`. */
  grader?: 'relevance' | 'ecs' | Judge | Grader | undefined;
  thresholds?: {
    /** Chunks with a lower grade are evicted. Absent: the value that the grader suggests. */
    lower?: number | undefined;
    /** A chunk with at least this grade makes the context correct. Absent: the value that the grader suggests. */
    upper?: number | undefined;
  } | undefined;
  /** Finds documents if the context is not correct, once for each question, such as `(query, call) => tool.invoke({ query }, call)`. Absent: nothing is searched. */
  webSearch?: WebSearch | undefined;
  /** Turns the question into a search query. Absent: the question is the query. */
  rewrite?: Rewrite | undefined;
  /** Enables review by people, at most five times in a run: the graph is interrupted, and continues with the value of `Command({ resume })`; this needs a checkpointer. `true` uses the default below. Default `false`. */
  review?: boolean | {
    /** When a person is asked: about a context that is `ambiguous` or `incorrect` after the search, or that has a `conflict`. Default `["ambiguous","incorrect","conflict"]`. */
    on?: ReviewReason[] | undefined;
  } | undefined;
  /** The longest wait for the grader, the rewrite or the search, in milliseconds. Absent: no limit. */
  timeoutMs?: number | undefined;
}
