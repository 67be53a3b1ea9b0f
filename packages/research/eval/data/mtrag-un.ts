/**
 * Conversations of a person with an assistant that looks things up, and the passages that answer the last turn.
 * The passages of all tasks on one corpus are its collection.
 *
 * Source: S. Rosenthal et al., "MTRAG-UN: A benchmark for open challenges in multi-turn RAG conversations", after
 * Y. Katsis et al., "MTRAG: A multi-turn conversational benchmark for evaluating RAG systems", 2025.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally, type Unanswered } from './case.js';
import { filesOf, readLines } from './files.js';

const task = z.object({
  task_id: z.string(),
  conversation_id: z.string(),
  Collection: z.string(),
  contexts: z.array(z.object({ document_id: z.string(), text: z.string(), title: z.nullish(z.string()) })),
  input: z.array(z.object({ speaker: z.string(), text: z.string() })),
  answerability: z.array(z.string()),
});
type Task = z.output<typeof task>;

/** The questions are the last two turns of the user: what the last one leaves out is mostly in the one before. */
export function loadMtragUn(dataDir: string): Dataset | undefined {
  return load(dataDir, ({ input }) => ({ question: lastTurns(input) }));
}

/** The questions that no passage of their collection answers. */
export function loadUnanswered(dataDir: string): Unanswered[] {
  const tasks = read(dataDir) ?? [];
  const collections = collectionsOf(tasks);
  return tasks
    .filter(({ answerability }) => answerability.includes('UNANSWERABLE'))
    .map(({ task_id: id, conversation_id: group, Collection, input }) => ({
      id,
      group,
      question: lastTurns(input),
      chunks: collections.get(Collection) ?? [],
    }));
}

/** The questions that continue a conversation, with the turns before them. */
export function loadConversations(dataDir: string): Dataset | undefined {
  const dataset = load(dataDir, ({ input }) => ({
    question: usersOf(input).at(-1)?.trim() ?? '',
    history: input
      .slice(0, -1)
      .map(({ speaker, text }) => ({ role: speaker === 'user' ? 'user' : 'assistant', text })),
  }));
  if (dataset === undefined) return undefined;
  const { cases, counts } = dataset;
  const later = cases.filter(({ history = [] }) => history.length > 0);
  return { cases: later, counts: { ...counts, 'questions that continue a conversation': later.length } };
}

function read(dataDir: string): Task[] | undefined {
  const files = filesOf(dataDir, 'mtrag-un', /mtrag-un.*\.jsonl(\.gz)?$/);
  return files.length === 0 ? undefined : files.flatMap((file) => readLines(file, task));
}

/** The passages of all tasks on each corpus, by its name. */
function collectionsOf(tasks: readonly Task[]): Map<string, Chunk[]> {
  const corpora = new Map<string, Map<string, Chunk>>();
  for (const { Collection, contexts } of tasks) {
    const corpus = corpora.get(Collection) ?? new Map<string, Chunk>();
    corpora.set(Collection, corpus);
    for (const { document_id: id, text, title } of contexts) {
      // One passage that is there under two ids is one passage.
      if (corpus.has(text)) continue;
      corpus.set(text, { id, text, ...(title ? { metadata: { title: title.trim(), source: id } } : {}) });
    }
  }
  return new Map(Array.from(corpora, ([name, corpus]) => [name, [...corpus.values()]]));
}

function load(dataDir: string, ask: (task: Task) => Pick<Case, 'question' | 'history'>): Dataset | undefined {
  const tasks = read(dataDir);
  if (tasks === undefined) return undefined;
  const collections = collectionsOf(tasks);
  const tally = new Tally();
  const cases = tasks.flatMap((each): Case[] => {
    const { task_id: id, conversation_id: group, Collection: category, contexts } = each;
    const asked = ask(each);
    if (asked.question === '') {
      tally.add('questions skipped, without a turn of the user');
      return [];
    }
    if (contexts.length === 0) {
      tally.add('questions skipped, without a passage that answers');
      return [];
    }
    tally.add('questions used');
    const chunks = collections.get(category) as Chunk[];
    const idOf = new Map(chunks.map(({ id, text }) => [text, id]));
    const ids = contexts.map(({ text }) => idOf.get(text) as string);
    return [{ id, group, category, ...asked, chunks, relevant: [...new Set(ids)], answers: [], facts: [] }];
  });
  return { cases, counts: tally.counts };
}

/** What the last turn of the user leaves out is mostly in the one before. */
const lastTurns = (input: Task['input']) => usersOf(input).slice(-2).join('\n').trim();

const usersOf = (input: Task['input']) =>
  input.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);
