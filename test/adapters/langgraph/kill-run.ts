/**
 * One process of runs that may be killed: `kill-run.ts CONNECTION SCENARIO LOG[=DIE_AT]…`. Every LOG is a run and the
 * name of its thread: what the run pays for goes to LOG. The process begins the runs one after the other, or goes on
 * with them, and prints a line for each that it finishes. It kills itself once the checkpointer has saved DIE_AT times
 * in a run.
 */

import { appendFileSync } from 'node:fs';
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph';
import type { ShapingReport } from 'context-shaping';
import {
  createCragGraph,
  type PendingReview,
  pendingReviews,
  type ReviewAnswer,
  resume,
} from 'context-shaping/langgraph';
import { connect } from './servers.js';
import { documents, fixedGrader, query, web } from './support.js';

const [connection, scenario, ...runs] = process.argv.slice(2) as [string, string, ...string[]];

/** The answers of people, first to last. */
const ANSWERS: Record<string, ReviewAnswer[]> = {
  approved: [{ action: 'approve', keep: ['dogs'] }],
  'asked again': [
    { action: 'approve', search: 'How many hours do dogs sleep?' },
    { action: 'answer', answer: 'Dogs sleep for twelve hours.', by: 'Ada' },
  ],
};
/** The run of now. */
let [log, dieAt, saves] = ['', Number.NaN, 0];
const paid = (what: string) => appendFileSync(log, `${what}\n`);

const { checkpointer, close } = await connect(connection);
countSaves(checkpointer);

const grader = fixedGrader();
const crag = createCragGraph({
  grader: {
    name: 'paid',
    async grade(requests, call) {
      for (const { id, query } of requests) paid(`grade ${id} for ${query}`);
      return grader.grade(requests, call);
    },
  },
  async rewrite({ query }) {
    paid(`rewrite ${query}`);
    return query;
  },
  async webSearch(search) {
    paid(`search ${search}`);
    return [web('found', 0.4), web('found-everywhere', 0.35)];
  },
  review: true,
});

const Parent = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  report: Annotation<ShapingReport>,
  answer: Annotation<string>,
});
const app = new StateGraph(Parent)
  .addNode('retrieve', () => ({ documents: documents(0.4) }))
  .addNode('crag', crag)
  .addNode('generate', ({ context }) => ({ answer: context.map(({ id }) => id).join() }))
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', 'crag')
  .addEdge('crag', 'generate')
  .addEdge('generate', END)
  .compile({ checkpointer });

for (const each of runs) {
  const [thread = '', death] = each.split('=');
  [log, dieAt, saves] = [thread, Number(death), 0];
  process.stdout.write(`${JSON.stringify(await finish(thread))}\n`);
}
await close();

async function finish(thread: string) {
  const config = { configurable: { thread_id: thread }, durability: 'sync' } as const;
  const { createdAt } = await app.getState(config);
  if (createdAt === undefined) await app.invoke({ query }, config);
  else if ((await waiting(thread)) === undefined) await app.invoke(null, config);
  for (;;) {
    const review = await waiting(thread);
    if (review === undefined) break;
    await resume(app, review, ANSWERS[scenario]?.[review.request.round - 1]);
  }
  const { values } = await app.getState(config);
  const { digest, kept, evicted, input } = (values as typeof Parent.State).report;
  const lost = input.length - (kept.length + evicted.length);
  return { digest, answer: values.answer, saves, lost };
}

async function waiting(threadId: string): Promise<PendingReview | undefined> {
  return (await pendingReviews(checkpointer, { threadId }))[0];
}

/** The process is gone the moment the write is on its disk, before this process can know. */
function countSaves(saver: BaseCheckpointSaver): void {
  for (const method of ['put', 'putWrites'] as const) {
    const save = saver[method].bind(saver) as (...given: unknown[]) => Promise<unknown>;
    saver[method] = (async (...given: unknown[]) => {
      const saved = await save(...given);
      saves++;
      if (saves === dieAt) process.kill(process.pid, 'SIGKILL');
      return saved;
    }) as never;
  }
}
