/** The benchmark of the SlimContext service: a passage that answers, one exact copy of it, and three of noise. */
import * as z from 'zod/mini';
import { holdsAnswer } from '../metrics.js';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readJson } from './files.js';

const items = z.array(
  z.object({
    id: z.union([z.int(), z.string()]),
    query: z.string(),
    ground_truth_answer: z.string(),
    dirty_chunks: z.array(z.object({ id: z.string(), text: z.string(), score: z.nullish(z.number()) })),
  }),
);

export function loadSlimContext(dataDir: string): Dataset | undefined {
  const files = filesOf(dataDir, 'slimcontext', /^dirty_test_set.*\.json(\.gz)?$/);
  if (files.length === 0) return undefined;
  const tally = new Tally();
  const cases: Case[] = [];
  for (const item of files.flatMap((file) => readJson(file, items))) {
    const answers = [item.ground_truth_answer];
    const relevant = item.dirty_chunks.filter(({ text }) => holdsAnswer(text, answers)).map(({ id }) => id);
    if (relevant.length === 0) tally.add('questions skipped, no chunk holds the answer');
    else {
      tally.add('questions used');
      const { id, query: question, dirty_chunks: chunks } = item;
      cases.push({ id: `${id}`, group: `${id}`, question, chunks, relevant, answers, facts: [] });
    }
  }
  return { cases, counts: tally.counts };
}
