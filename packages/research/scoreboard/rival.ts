/** What is compared on the scoreboard: one file in `rivals/` for each, found by the name of its folder. */
import type { Chunk, Embedder, Query } from 'context-shaping';
import type { Kept } from '../eval/metrics.js';

/** What every rival is given. */
export interface Given {
  question: string;
  /** The conversation before the question, oldest turn first. Absent where the question stands alone. */
  history?: NonNullable<Query['history']> | undefined;
  /** Passages, or pieces of one result of a tool: best first by BM25. */
  chunks: readonly Chunk[];
  /** The texts of all passages in their order, or the whole result of a tool. */
  text: string;
  /** One result of a tool. Absent where passages were retrieved. */
  result?: { content: unknown; arguments?: unknown } | undefined;
  /** Static vectors, the same for all, each text embedded once. Absent without a model. */
  embedder?: Embedder | undefined;
  /** For rivals that draw at random. */
  seed: number;
  /** Tokens of o200k_base. */
  countTokens(text: string): number;
}

/** Id of a text that shows a part of a result, in place of pieces of it. */
export const WHOLE = 'result';

/** @typeParam Setting a combination of options. */
export interface Rival<Setting = unknown> {
  /** The head of its column. */
  name: string;
  /** A package of npm. Absent: the rival is a few lines of its own file. */
  package?: string;
  /** Of the installed package. */
  version?: string;
  /** Why it cannot run here. Absent: it can. */
  missing?: string | undefined;
  needsVectors?: true;
  /** It keeps the same, whatever the budget: it is asked once. */
  ignoresBudget?: true;
  /** By name, the package's own defaults first. Absent: it has none. */
  settings?: Readonly<Record<string, Setting>>;
  /**
   * The texts that it keeps, best first, each with the id of its chunk. Those that do not fit what is left of the budget are
   * left out, so that a rival without a budget returns all that it keeps.
   *
   * @param setting one of `settings`.
   */
  select(given: Given, maxTokens: number, setting: Setting): Promise<readonly Kept[]> | readonly Kept[];
}
