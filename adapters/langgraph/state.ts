/** The state of the graph. All of it is plain JSON, because checkpoints store it. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation } from '@langchain/langgraph';
import type { Conflict, Degradation, Excerpt, Query, ShapingReport, Source } from '../../src/index.js';
import type { Superseded } from '../../src/internal.js';
import type { GradeEntry, ReviewEntry, ReviewReason, SearchEntry, Verdict } from './record.js';

/** A document that a search or a person added. */
export interface FoundDocument {
  document: DocumentInterface;
  origin: 'web' | 'person';
}

/** A chunk that the last shaping kept. */
export interface KeptChunk {
  /** Its place among all documents: the retrieved ones, then the found ones. */
  index: number;
  id: string;
  /** As the model would see it: possibly cut or sanitised. */
  text: string;
  excerpts?: Excerpt[];
  sanitised?: true;
  superseded?: Superseded;
  sources: Source[];
  support: number;
  utility?: number;
}

/** The last shaping of all documents. Its report has the sums and the evictions of the shapings before it, too. */
export interface Shaping {
  report: ShapingReport;
  kept: KeptChunk[];
  /** Conflicts among the kept chunks, with the statements of their sides. */
  conflicts: Conflict[];
}

/** A grade of the ledger; `failure` says why the grader gave none. */
export type GradeState = GradeEntry & { failure?: string };

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
export const fresh = () => ({
  found: [] as FoundDocument[],
  shaping: null as Shaping | null,
  /** The grades, by place. */
  grades: {} as Record<number, GradeState>,
  /** Whether the graph has searched by itself. */
  isSearched: false as boolean,
  /** The next search query. */
  wording: null as string | null,
  searches: [] as SearchEntry[],
  reasons: [] as ReviewReason[],
  reviews: [] as ReviewEntry[],
  /** The places of the only documents that a person lets on. */
  chosen: null as number[] | null,
  answer: null as string | null,
  degradations: [] as Degradation[],
  path: [] as string[],
});
type Fresh = ReturnType<typeof fresh>;

export const CragState = Annotation.Root({
  ...Input.spec,
  ...Output.spec,
  ...(Object.fromEntries(Object.keys(fresh()).map((key) => [key, Annotation<unknown>()])) as {
    [Key in keyof Fresh]: ReturnType<typeof Annotation<Fresh[Key]>>;
  }),
});

export const CragInput = Input;
export const CragOutput = Output;

export type State = typeof CragState.State;
export type Update = typeof CragState.Update;
