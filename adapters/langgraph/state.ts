/** The state of the graph. All of it is plain JSON, because checkpoints store it. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation } from '@langchain/langgraph';
import * as z from 'zod';
import type { Conflict, Degradation, Excerpt, Query, ShapingReport, Source } from '../../src/index.js';
import type { Superseded } from '../../src/internal.js';
import type {
  GradeEntry,
  GradeRequest,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Verdict,
} from '../crag/index.js';

/** A document that a search or a person added. */
export interface FoundDocument {
  document: DocumentInterface;
  origin: 'web' | 'person';
}

/** A chunk that a shaping kept, and its place among all documents: the retrieved ones, then the found ones. */
export interface KeptChunk {
  place: number;
  id: string;
  /** As the model would see it: possibly cut or sanitised. */
  text: string;
  excerpts?: Excerpt[];
  sanitised?: true;
  superseded?: Superseded;
  sources: Source[];
  tokens: number;
  support: number;
  utility?: number;
}

/** One shaping: the places of its documents, and its report. */
export interface Round {
  /** In the order of the report's `input`. */
  places: number[];
  report: ShapingReport;
}

/** A grade of the ledger; `failure` says why the grader gave none. */
export type GradeState = GradeEntry & { failure?: string };
export type Grades = Record<number, GradeState>;

/** The input of one `grade` step. */
export interface GradeTask {
  requests: (GradeRequest & { place: number })[];
}

/** The input of one `search` step. */
export interface SearchTask {
  search: string;
}

/** The result of a search, before its documents join the others. */
export interface SearchResult {
  search: string;
  documents: DocumentInterface[];
  failure?: string;
}

/** The decisions of people about single documents, by place. */
export interface Pins {
  pinned: number[];
  vetoed: { place: number; tokens: number; by?: string; note?: string }[];
}

const Input = Annotation.Root({
  /** The question, alone or with its vector and the right answer. */
  query: Annotation<string | Query>,
  /** The retrieved documents. Retrieve more than the context needs. */
  documents: Annotation<DocumentInterface[]>,
});

const Output = Annotation.Root({
  /** The documents that the model should see, in order. */
  context: Annotation<DocumentInterface[]>,
  verdict: Annotation<Verdict>,
  /** The ledger of every document, retrieved or found. `report.crag` is the record of the steps. */
  report: Annotation<ShapingReport>,
});

/** The state at the start of a run. It replaces the state that an earlier run of the thread left. */
export const fresh = (question: string, places: number[]) => ({
  /** The current question: a person may have changed it. */
  question,
  found: [] as FoundDocument[],
  /** Places of the documents to shape next. */
  todo: places,
  rounds: [] as Round[],
  kept: [] as KeptChunk[],
  /** Conflicts among the kept chunks of all shapings, by places, with the statements of their sides. */
  across: [] as Conflict[],
  /** The number of searches for the current question. */
  attempts: 0,
  /** The next search query, if a search is allowed. */
  wording: null as string | null,
  result: null as SearchResult | null,
  searches: [] as SearchEntry[],
  reasons: [] as ReviewReason[],
  reviews: [] as ReviewEntry[],
  pins: { pinned: [], vetoed: [] } as Pins,
  answer: null as string | null,
  refused: false as boolean,
  degradations: [] as Degradation[],
  path: [] as string[],
});
type Fresh = ReturnType<typeof fresh>;

/** `null` removes all grades, since another question has other grades. */
const mergeGrades = (known: Grades, more: Grades | null): Grades =>
  more === null ? {} : { ...known, ...more };

export const CragState = Annotation.Root({
  ...Input.spec,
  ...Output.spec,
  ...(Object.fromEntries(Object.keys(fresh('', [])).map((key) => [key, Annotation<unknown>()])) as {
    [Key in keyof Fresh]: ReturnType<typeof Annotation<Fresh[Key]>>;
  }),
  grades: Annotation<Grades, Grades | null>({ reducer: mergeGrades, default: () => ({}) }),
});

export const CragInput = Input;
export const CragOutput = Output;

/** Options for one run. They have a key of their own in the graph's context, beside those of parents. */
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
