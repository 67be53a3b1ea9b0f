import { readFileSync } from 'node:fs';
import type { DocumentInterface } from '@langchain/core/documents';
import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ShapingReport } from 'context-shaping';
import {
  type CragGraphFields,
  createCragGraph,
  type Grader,
  type ReviewRequest,
} from 'context-shaping/langgraph';

export const query = 'How long do cats and dogs sleep?';

/** Two documents that share the best grade and the next. */
export const documents = (grade: number): DocumentInterface[] => [
  { id: 'cats', pageContent: 'Cats sleep for most of the day.', metadata: { grade } },
  { id: 'dogs', pageContent: 'Dogs are awake while their people are.', metadata: { grade: grade - 0.01 } },
];

export const web = (id: string, grade: number): DocumentInterface => ({
  id,
  pageContent: `The page ${id} counts the hours that animals sleep.`,
  metadata: { source: `https://example.org/${id}`, grade },
});

/** Grades by metadata, and counts. */
export function fixedGrader(): Grader & { graded: string[] } {
  const graded: string[] = [];
  return {
    name: 'fixed',
    graded,
    async grade(requests) {
      graded.push(...requests.map(({ id }) => id));
      return requests.map(({ metadata }) => ({ grade: metadata.grade as number, reason: 'as it says' }));
    },
  };
}

export const idsOf = (items: readonly { id?: string }[]): string[] => items.map(({ id }) => id ?? '').sort();

/** Ids of all documents of a report, each as often as the ledger names it, in the order of the documents. */
export const ledgerOf = ({ kept, evicted }: ShapingReport): string[] =>
  [...kept, ...evicted].toSorted((one, other) => one.index - other.index).map(({ id }) => id);

export type ReviewedFields = Omit<CragGraphFields, 'review'> & {
  review?: Exclude<CragGraphFields['review'], boolean | undefined>;
};

/** A search that remembers its requests. */
export function recorded(find: (count: number) => DocumentInterface[]) {
  const searches: string[] = [];
  const webSearch = async (words: string) => find(searches.push(words));
  return { searches, webSearch };
}

/** Runs with the answers in turn, each to an interrupt; returns the requests. */
export async function reviewed(
  answers: unknown[],
  { review = {}, ...fields }: ReviewedFields = {},
  retrieved: DocumentInterface[] = documents(0.5),
) {
  const requests: ReviewRequest[] = [];
  const graph = createCragGraph({
    ...{ grader: fixedGrader(), review, checkpointer: new MemorySaver() },
    ...fields,
  });
  const config = { configurable: { thread_id: 'reviewed' } };
  let result = await graph.invoke({ query, documents: retrieved }, config);
  while (isInterrupted<ReviewRequest>(result)) {
    requests.push(structuredClone(result.__interrupt__[0]?.value as ReviewRequest));
    const resume = answers[requests.length - 1];
    result = await graph.invoke(new Command({ resume }), config);
  }
  return { requests, ...result };
}

/** Answers with the given value for the id of each chunk. */
export const answering = (answer: (id: string) => unknown): Grader => ({
  name: 'odd',
  grade: (requests) => Promise.all(requests.map(async ({ id }) => answer(id))) as never,
});

let validate: ValidateFunction | undefined;

/** The places where a report, as it is logged, departs from its published schema. */
export function schemaErrors(report: ShapingReport): unknown[] {
  // Processes by the hundred import this file and ask for no schema.
  validate ??= new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync('report.schema.json', 'utf8')));
  validate(JSON.parse(JSON.stringify(report)));
  return validate.errors ?? [];
}
