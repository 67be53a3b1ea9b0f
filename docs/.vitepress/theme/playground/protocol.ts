/** What the page and its worker send each other. */
import type { Chunk, ShapedChunk, ShapingOptions, ShapingReport } from 'context-shaping';
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
  chunks: ShapedChunk[];
  report: ShapingReport;
  /** The evidence of each eviction, in the order of the report. */
  whys: string[];
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
