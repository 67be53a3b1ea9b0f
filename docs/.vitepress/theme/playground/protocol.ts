/** The messages between the page and its worker. */
import type { Chunk, Conflict, renderContext, ShapingOptions, ShapingReport } from 'context-shaping';
import type { ReasonCount, Step } from '../../../../packages/devtools/page/model/flow.js';
import type { Row } from '../../../../packages/devtools/page/model/rows.js';
import type { Pasted } from './read-chunks';

export interface Request {
  run: number;
  query: string;
  /** The pasted text. */
  text: string;
  options: ShapingOptions;
}

export interface Shaped {
  query: string;
  format: Pasted['format'];
  /** As they were pasted. */
  input: Chunk[];
  report: ShapingReport;
  /** One for each chunk: first the context, then the others, the most relevant first. */
  rows: Row[];
  /** The passages with a blank line between them, and within a frame. */
  prompt: { plain: string; framed: ReturnType<typeof renderContext> };
  conflicts: { inContext: Conflict[]; others: Conflict[] };
  /** Flags and fallbacks as sentences. */
  notes: string[];
  reasons: ReasonCount[];
  steps: (Step & { task: string })[];
  milliseconds: number;
}

export interface Problem {
  field: string;
  problem: string;
  remedy: string;
}

export type Answer = { run: number } & (
  | { shaped: Shaped }
  | { problem: Problem }
  /** A defect of the page: nothing that the visitor can correct. */
  | { failure: string }
);
