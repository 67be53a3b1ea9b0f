/**
 * Questions of Natural Questions with one passage each: it answers the question in a few sentences, or it does not
 * answer it. The passages of all questions are one collection.
 *
 * Source: S. Rosenthal et al., "CLAPNQ: Cohesive Long-form Answers from Passages in Natural Questions for RAG systems",
 * 2024.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import type { Case, Dataset, Unanswered } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  id: z.string(),
  input: z.string(),
  passages: z.array(z.object({ title: z.string(), text: z.string() })),
});

export function loadClapNq(dataDir: string): (Dataset & { unanswered: Unanswered[] }) | undefined {
  const [answerable, unanswerable] = [/clapnq.*-answerable.*\.jsonl/, /clapnq.*-unanswerable.*\.jsonl/].map(
    (name) => filesOf(dataDir, 'clapnq', name).flatMap((file) => readLines(file, line)),
  ) as [z.output<typeof line>[], z.output<typeof line>[]];
  if (answerable.length === 0) return undefined;
  const passages = new Map<string, Chunk>();
  for (const { title, text } of [...answerable, ...unanswerable].flatMap((each) => each.passages)) {
    if (!passages.has(text)) passages.set(text, { id: `p${passages.size}`, text, metadata: { title } });
  }
  const chunks = [...passages.values()];
  const cases = answerable.map(
    ({ id, input: question, passages: own }): Case => ({
      id,
      group: id,
      question,
      chunks,
      relevant: own.map(({ text }) => (passages.get(text) as Chunk).id),
      answers: [],
      facts: [],
    }),
  );
  const unanswered = unanswerable.map(({ id, input: question }) => ({ id, group: id, question, chunks }));
  return { cases, unanswered, counts: { answerable: cases.length, unanswerable: unanswered.length } };
}
