/** What the graph carries from node to node. All of it is plain JSON: it goes through checkpoints. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation } from '@langchain/langgraph';
import * as z from 'zod';
import type { Conflict, Degradation, Excerpt, Query, ShapingReport, Source } from '../../src/index.js';
import type {
  GradeEntry,
  GradeRequest,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Verdict,
} from '../crag/index.js';

/** A document that was not retrieved but found on the way. */
export interface FoundDocument {
  document: DocumentInterface;
  origin: 'web' | 'person';
}

/** A chunk that a shaping kept, at its place among all documents: the retrieved ones, then those found. */
export interface KeptChunk {
  place: number;
  id: string;
  /** As the model would see it: cut and sanitised, if it was. */
  text: string;
  excerpts?: Excerpt[];
  sanitised?: true;
  sources: Source[];
  tokens: number;
  support: number;
  utility?: number;
}

/** One shaping: of which documents, and what came of it. */
export interface Round {
  /** In the order of the report's `input`. */
  places: number[];
  report: ShapingReport;
}

/** A grade of the ledger, or why there is none by the grader. */
export type GradeState = GradeEntry & { failure?: string };
export type Grades = Record<number, GradeState>;

/** What one `grade` step is given. */
export interface GradeTask {
  requests: (GradeRequest & { place: number })[];
}

/** What one `search` step is given. */
export interface SearchTask {
  search: string;
}

/** What a search brought, until it is among the documents. */
export interface SearchResult {
  search: string;
  documents: DocumentInterface[];
  failure?: string;
}

/** What people said of single documents, by their places. */
export interface Pins {
  pinned: number[];
  vetoed: { place: number; tokens: number; by?: string; note?: string }[];
}

const Input = Annotation.Root({
  /** The question; or with its vector, and with the right answer, where it is known. */
  query: Annotation<string | Query>,
  /** What was retrieved, best more than is needed. */
  documents: Annotation<DocumentInterface[]>,
});

const Output = Annotation.Root({
  /** What the model should see, in order. */
  context: Annotation<DocumentInterface[]>,
  verdict: Annotation<Verdict>,
  /** The ledger of every document, retrieved or found. `report.crag` tells what was done. */
  report: Annotation<ShapingReport>,
});

/** `null` empties it: another question has other grades. */
const mergeGrades = (known: Grades, more: Grades | null): Grades =>
  more === null ? {} : { ...known, ...more };

export const CragState = Annotation.Root({
  ...Input.spec,
  ...Output.spec,
  /** The question as it stands: a person may have changed it. */
  question: Annotation<string>,
  found: Annotation<FoundDocument[]>,
  /** Places of the documents to shape next. */
  todo: Annotation<number[]>,
  rounds: Annotation<Round[]>,
  kept: Annotation<KeptChunk[]>,
  /** Contradictions among kept chunks of several shapings, by places. */
  across: Annotation<Conflict[]>,
  grades: Annotation<Grades, Grades | null>({ reducer: mergeGrades, default: () => ({}) }),
  /** Searches for the question as it stands. */
  attempts: Annotation<number>,
  /** What will be searched for, if that is allowed. */
  wording: Annotation<string | null>,
  result: Annotation<SearchResult | null>,
  searches: Annotation<SearchEntry[]>,
  reasons: Annotation<ReviewReason[]>,
  reviews: Annotation<ReviewEntry[]>,
  pins: Annotation<Pins>,
  answer: Annotation<string | null>,
  refused: Annotation<boolean>,
  degradations: Annotation<Degradation[]>,
  path: Annotation<string[]>,
});

export const CragInput = Input;
export const CragOutput = Output;

/** Options for one run, in the graph's context under a key of their own: parents have others beside it. */
export const contextSchema = z.object({
  crag: z
    .strictObject({
      thresholds: z
        .strictObject({ lower: z.number().min(0).max(1), upper: z.number().min(0).max(1) })
        .partial()
        .optional(),
      maxAttempts: z.int().min(0).max(10).optional(),
    })
    .optional(),
});

export type CragContext = z.output<typeof contextSchema>;
export type State = typeof CragState.State;
export type Update = typeof CragState.Update;

/** What a run starts with, also where its thread has seen others before. */
export const fresh = (question: string, places: number[]): Update => ({
  verdict: 'incorrect',
  question,
  found: [],
  todo: places,
  rounds: [],
  kept: [],
  across: [],
  grades: null,
  attempts: 0,
  wording: null,
  result: null,
  searches: [],
  reasons: [],
  reviews: [],
  pins: { pinned: [], vetoed: [] },
  answer: null,
  refused: false,
  degradations: [],
  path: [],
});
