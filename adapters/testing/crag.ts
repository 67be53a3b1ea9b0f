/** A grader and a web search that answer as told, for tests of corrective retrieval. */
import type { Failed } from '../../src/index.js';

/** As a grader is asked. */
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
  /** How long each call takes, in milliseconds. Default 0. */
  delay?: number | undefined;
}

type Call = { signal?: AbortSignal | undefined };

export interface FakeGraderOptions extends FakeDelay {
  /** Grades, 0..1, by the id of the chunk, which fails if it is not there; or what says them. */
  grades: Readonly<Record<string, number>> | ((request: FakeGradeRequest) => number | FakeGrade | Failed);
  /** Chunks per call. Default 1. */
  batchSize?: number | undefined;
}

/** A grader that records what it was asked. */
export interface FakeGrader {
  name: string;
  batchSize: number;
  grade(requests: readonly FakeGradeRequest[], call: Call): Promise<(FakeGrade | Failed)[]>;
  /** The requests of each call, oldest first. */
  readonly calls: readonly (readonly FakeGradeRequest[])[];
}

/** A grader that gives the grades it was given. */
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
      await passing(delay, signal);
      return requests.map(gradeOf).map((grade) => (typeof grade === 'number' ? { grade } : grade));
    },
  };
}

/** A web search that records what it was asked. */
export interface FakeWebSearch {
  (query: string, call?: Call): Promise<FakeDocument[]>;
  /** The queries, oldest first. */
  readonly calls: readonly string[];
}

/**
 * A web search that finds what it was given for a query, copied; nothing for any other query.
 *
 * @param found documents by query, or what finds them.
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
    await passing(delay, signal);
    return structuredClone(documentsFor(query) as FakeDocument[]);
  };
  return Object.assign(search, { calls });
}

/** @throws the signal's reason, as soon as it is aborted. */
async function passing(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds === 0) return;
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
