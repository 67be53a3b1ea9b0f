/** The data of an evaluation: cases, methods and the result. */
import type { Chunk, Query, Ranked, ShapingOptions } from 'context-shaping';
import type { Estimate } from '../measurement/index.js';

export type { Estimate };

/** The methods of `ecs`, for flags and checks. */
export const ECS_METHODS = ['answer', 'question', 'judge'] as const;

/**
 * The evidence of a question, in any of these forms. Each entry is one unit of evidence. White space and case do not
 * count.
 */
export interface Evidence {
  /** Ids of chunks. The share of its text that is kept counts, also in a chunk with the same text. */
  ids?: string[] | undefined;
  /** Short answers: as whole words, in scripts that separate words. A list is one unit with alternatives. */
  answers?: (string | string[])[] | undefined;
  /** Quoted passages, which have to be kept word for word. */
  passages?: string[] | undefined;
}

/** A question, the chunks that the retriever found, and the evidence among them. */
export interface EvaluationCase {
  /** Default: its number, from 1. */
  id: string;
  /** Cases of a group, such as a conversation, are resampled together. Default: the id. */
  group?: string | undefined;
  query: Query;
  /** In the order of the retriever. */
  chunks: Chunk[];
  /** The trust in that order, as for `shape`. */
  ranked?: Ranked | undefined;
  evidence: Evidence;
}

/** Options of a shaper that are measured. */
export interface EvaluatedOptions {
  /** The name in the result; each name once. */
  name: string;
  /** `budget.maxTokens` is the budget to report on, not a limit. */
  options?: ShapingOptions | undefined;
}

export interface EvaluateOptions {
  /** An array, or a function that opens the data. It is read up to three times: to check all cases, to measure them, and for those that lose evidence. */
  cases: readonly unknown[] | (() => Iterable<unknown> | AsyncIterable<unknown>);
  /** Default: the default options, by the name `shaping`. The first ones are reported on in most detail. */
  methods?: readonly EvaluatedOptions[] | undefined;
  /** Budgets in tokens. Default: preferred numbers from 100 to 16,000, each about a quarter more than the one before. */
  budgets?: readonly number[] | undefined;
  /** The budget to report on. Default: that of the first options, else the least one that keeps 95 %. */
  budget?: number | undefined;
  /** The most lost cases to explain. Default 10. */
  explained?: number | undefined;
  /** Called after each case. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The evidence that a method keeps under one budget. */
export interface BudgetFigures {
  budget: number;
  /**
   * Mean share of the evidence of the pool that is kept, 0..1. If all cases keep all or none of it, the bound is the exact one
   * of Clopper and Pearson, since no resample differs.
   */
  evidence: Estimate;
  /** Share of the cases that keep all evidence of their pools. */
  whole: number;
  /** Mean tokens of the kept texts. */
  tokens: number;
}

/** The least budget from which on a share of the evidence is kept, in four of five resamples of the cases. */
export interface LeastBudget {
  /** The share, of the evidence of the pools: 0.95 and 0.99. */
  target: number;
  /** `null`: none of the budgets. */
  budget: number | null;
  /** The 95 % interval; `null`: beyond the greatest budget. */
  low: number | null;
  high: number | null;
  /**
   * Groups of cases that it takes to show the share, even if none of them loses evidence: with fewer, the interval of the share
   * reaches below the target. 72 for 0.95, and 368 for 0.99.
   */
  groupsNeeded: number;
  /** Mean tokens of the kept texts at `budget`, for a thousand questions. */
  tokensPerThousand?: number;
}

export interface MethodResult {
  name: string;
  /** Options of the user, or a control that needs none. */
  kind: 'options' | 'control';
  budgets: BudgetFigures[];
  least: LeastBudget[];
  /** Mean milliseconds to shape one case once. It differs in each run. */
  milliseconds: number;
}

/** One method less another, case by case. */
export interface MethodDifference {
  method: string;
  baseline: string;
  budgets: { budget: number; difference: Estimate }[];
}

/** A unit of evidence that a case loses. */
export interface LostUnit {
  /** Id of the case. */
  case: string;
  /** The question. */
  query: string;
  /** The form of the evidence, and its text or id, cut to 160 characters. */
  form: keyof Evidence;
  unit: string;
  /** Ids of the chunks that hold it; at most three. */
  chunks: string[];
  /** Why the first of them lost it, in plain English. */
  why: string;
  /** Changes of options, each of which keeps it, as a run showed. Empty if none of those tried does. */
  remedies: string[];
}

/** The evidence that is kept of one case, in the order of the methods and budgets. */
export interface CaseResult {
  id: string;
  group: string;
  /** Units of evidence, and those that the pool holds. */
  units: number;
  inPool: number;
  /** Share kept; empty if the pool holds no evidence. */
  kept: number[][];
}

/** Plain JSON. */
export interface EvaluationResult {
  evaluationVersion: 1;
  library: { name: string; version: string };
  /** The number of cases; of those whose pools hold evidence; of the latter's groups. */
  cases: { all: number; measured: number; groups: number };
  /** Means over all cases: chunks and tokens of a pool, and the share of the evidence that is in it. */
  pool: { chunks: number; tokens: number; found: number };
  /** Tokens of the pools for a thousand questions. */
  wholePool: { tokensPerThousand: number };
  budgets: number[];
  /** The budget that is reported on. */
  budget: number;
  methods: MethodResult[];
  /** Each options of the user less the others after them, and less each control. */
  differences: MethodDifference[];
  /** Sentences for readers: what limits these figures. */
  notes: string[];
  /** At `budget`, with the first options. */
  lost: { cases: number; explained: LostUnit[] };
  results: CaseResult[];
}
