/** A grader and a web search with fixed answers, for tests of corrective retrieval. */
import type { Failed } from '../../src/index.js';
import { pause } from '../../src/internal.js';

/** A request to a grader. */
export interface FakeGradeRequest {
  query: string;
  id: string;
  text: string;
  metadata: Readonly<Record<string, unknown>>;
  support: number;
  utility?: number;
}

export interface FakeGrade {
  grade: number;
  reason?: string;
}

export interface FakeDocument {
  id?: string;
  pageContent: string;
  metadata: Record<string, unknown>;
}

export interface FakeDelay {
  /** Duration of each call, in milliseconds. Default 0. */
  delay?: number | undefined;
}

type Call = { signal?: AbortSignal | undefined };

export interface FakeGraderOptions extends FakeDelay {
  /** Grades, 0..1, by id of the chunk, or a function that returns them. A chunk whose id is missing fails. */
  grades: Readonly<Record<string, number>> | ((request: FakeGradeRequest) => number | FakeGrade | Failed);
  /** Chunks per call. Default 1. */
  batchSize?: number | undefined;
}

/** A grader that records its requests. */
export interface FakeGrader {
  name: string;
  batchSize: number;
  grade(requests: readonly FakeGradeRequest[], call: Call): Promise<(FakeGrade | Failed)[]>;
  /** The requests of each call, oldest first. */
  readonly calls: readonly (readonly FakeGradeRequest[])[];
}

/** Makes a grader with the given grades. */
export function fakeGrader({ grades, batchSize = 1, delay = 0 }: FakeGraderOptions): FakeGrader {
  const calls: FakeGradeRequest[][] = [];
  const gradeOf = (request: FakeGradeRequest): number | FakeGrade | Failed => {
    if (typeof grades === 'function') return grades({ ...request });
    const failure = `The fake has no grade for ${JSON.stringify(request.id)}.`;
    return Object.hasOwn(grades, request.id) ? (grades[request.id] as number) : { failure };
  };
  return {
    name: 'fake',
    batchSize,
    calls,
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      calls.push(requests.map((request) => ({ ...request })));
      if (delay > 0) await pause(delay, signal);
      return requests.map(gradeOf).map((grade) => (typeof grade === 'number' ? { grade } : grade));
    },
  };
}

/** A web search that records its queries. */
export interface FakeWebSearch {
  (query: string, call?: Call): Promise<FakeDocument[]>;
  /** The queries, oldest first. */
  readonly calls: readonly string[];
}

/**
 * Makes a web search that returns copies of the given documents for a query, and nothing for other queries.
 *
 * @param found documents by query, or a function that returns them.
 */
export function fakeWebSearch(
  found: Readonly<Record<string, readonly FakeDocument[]>> | ((query: string) => readonly FakeDocument[]),
  { delay = 0 }: FakeDelay = {},
): FakeWebSearch {
  const calls: string[] = [];
  const documentsFor = (query: string) => {
    if (typeof found === 'function') return found(query);
    return Object.hasOwn(found, query) ? (found[query] as readonly FakeDocument[]) : [];
  };
  const search = async (query: string, { signal }: Call = {}) => {
    signal?.throwIfAborted();
    calls.push(query);
    if (delay > 0) await pause(delay, signal);
    return structuredClone(documentsFor(query) as FakeDocument[]);
  };
  return Object.assign(search, { calls });
}
