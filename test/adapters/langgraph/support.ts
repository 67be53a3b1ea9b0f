import type { DocumentInterface } from '@langchain/core/documents';
import type { Grader } from 'context-shaping/langgraph';

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
