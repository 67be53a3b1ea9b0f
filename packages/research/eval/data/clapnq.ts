/**
 * ClapNQ: questions with long answers, the passage of each, and the sentences of it that the answer rests on. The passages
 * of all questions are one collection, also of those that have no answer in theirs.
 *
 * Source: S. Rosenthal et al., "CLAPnq: Cohesive Long-form Answers from Passages in Natural Questions for RAG systems", 2024.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally, type Unanswered } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  id: z.string(),
  input: z.string(),
  passages: z.array(z.object({ title: z.string(), text: z.string() })).check(z.minLength(1)),
  output: z.array(z.object({ selected_sentences: z.array(z.string()) })),
});

/** The facts are the sentences that the answer rests on. `unanswered` are the questions whose passage has no answer. */
export function loadClapNq(dataDir: string): (Dataset & { unanswered: Unanswered[] }) | undefined {
  const files = filesOf(dataDir, 'clapnq', /^clapnq.*\.jsonl(\.gz)?$/);
  if (files.length === 0) return undefined;
  const items = files.flatMap((file) => readLines(file, line));
  const passages = new Map<string, Chunk>();
  for (const { title, text } of items.flatMap((item) => item.passages)) {
    if (!passages.has(text))
      passages.set(text, { id: `p${passages.size}`, text, metadata: { title, source: title } });
  }
  const chunks = [...passages.values()];
  const tally = new Tally();
  const unanswered: Unanswered[] = [];
  const cases = items.flatMap(({ id, input, passages: [passage], output }): Case[] => {
    const { id: chunk, text } = passages.get(passage?.text ?? '') as Chunk;
    const sentences = new Set(output.flatMap(({ selected_sentences }) => selected_sentences));
    const facts = [...sentences]
      .filter((each) => each.trim() !== '' && text.includes(each))
      .map((each) => ({ chunk, text: each }));
    if (facts.length === 0) {
      tally.add('questions skipped, without a sentence that answers');
      unanswered.push({ id, group: id, question: input, chunks });
      return [];
    }
    tally.add('questions used');
    return [{ id, group: id, question: input, chunks, relevant: [chunk], answers: [], facts }];
  });
  return { cases, unanswered, counts: tally.counts };
}
