/**
 * Ambiguous questions with several right answers, and documents that hold one of them, something else, or a false
 * answer. The documents of all questions are one collection.
 *
 * Source: H. Wang et al., "Retrieval-augmented generation with conflicting evidence" (RAMDocs), 2025.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  question: z.string(),
  documents: z.array(z.object({ text: z.string(), type: z.string(), answer: z.string() })),
  gold_answers: z.array(z.string()),
});

/** A question with its own documents. */
export interface RamdocsQuestion {
  question: string;
  documents: readonly {
    text: string;
    /** `correct`, `misinfo` or `noise`. */
    type: string;
    answer: string;
  }[];
}

/** Each question by itself. Nothing if the set is not there. */
export function loadRamdocsQuestions(dataDir: string): RamdocsQuestion[] {
  return filesOf(dataDir, 'ramdocs', /ramdocs.*\.jsonl(\.gz)?$/).flatMap((file) => readLines(file, line));
}

/** Relevant are the documents with a right answer. */
export function loadRamdocs(dataDir: string): Dataset | undefined {
  const files = filesOf(dataDir, 'ramdocs', /ramdocs.*\.jsonl(\.gz)?$/);
  if (files.length === 0) return undefined;
  const items = files.flatMap((file) => readLines(file, line));
  const documents = new Map<string, Chunk>();
  for (const { text } of items.flatMap((item) => item.documents)) {
    if (!documents.has(text)) documents.set(text, { id: `d${documents.size}`, text });
  }
  const chunks = [...documents.values()];
  const tally = new Tally();
  const cases = items.flatMap((item, at): Case[] => {
    const right = item.documents.filter(({ type }) => type === 'correct');
    if (right.length === 0) {
      tally.add('questions skipped, without a document that answers');
      return [];
    }
    tally.add('questions used');
    const id = `ramdocs-${at}`;
    const relevant = [...new Set(right.map(({ text }) => documents.get(text)?.id as string))];
    return [
      { id, group: id, question: item.question, chunks, relevant, answers: item.gold_answers, facts: [] },
    ];
  });
  return { cases, counts: tally.counts };
}
