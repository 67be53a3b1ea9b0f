/**
 * A person in the loop: two guides differ, the graph waits, a reviewer keeps one.
 *
 * Look at the context after the review: the other guide is gone, and the ledger has the reviewer and the note.
 *
 *     npm install context-shaping @langchain/core @langchain/langgraph @langchain/langgraph-checkpoint-postgres
 *
 * With `REVIEWS_DATABASE_URL` (`postgresql://user:password@127.0.0.1/app`), the waiting run is in PostgreSQL, in the
 * schema `REVIEWS_SCHEMA`. The reviewer may then be another process, today or next week.
 */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { ShapingReport } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { createCragGraph, pendingReviews, resume } from 'context-shaping/langgraph';

const texts = {
  'guide-2021': 'The warranty of the Aurora lamp is two years from the day of purchase.',
  'guide-2024': 'The warranty of the Aurora lamp is three years from the day of purchase.',
  cleaning: 'Clean the Aurora lamp with a dry cloth when it is cold.',
};
const documents = Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent }));

const { REVIEWS_DATABASE_URL: address, REVIEWS_SCHEMA: schema = 'public' } = process.env;
const database = address ? PostgresSaver.fromConnString(address, { schema }) : undefined;
await database?.setup(); // Creates the tables.
const checkpointer = database ?? new MemorySaver();

const State = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  report: Annotation<ShapingReport>,
});
const graph = new StateGraph(State)
  .addNode('crag', createCragGraph({ review: true }))
  .addEdge(START, 'crag')
  .addEdge('crag', END)
  .compile({ checkpointer });

// The application: runs until the graph waits for a person.
const config = { configurable: { thread_id: 'warranty' } };
const query = 'How many years from the day of purchase is the warranty of the Aurora lamp?';
await graph.invoke({ query, documents }, config);

// The reviewer: reads what waits, and answers.
for (const review of await pendingReviews(checkpointer)) {
  const { reasons, chunks } = review.request;
  console.log(`Thread ${review.threadId} waits, because of: ${reasons.join(', ')}`);
  for (const { id, text } of chunks) console.log(`  ${id}: ${text}`);
  // Checks the answer, and continues the run.
  await resume(graph, review, { action: 'approve', keep: ['guide-2024'], by: 'Ada', note: 'The newer one.' });
}

// The application again.
const { context, report } = (await graph.getState(config)).values as typeof State.State;
console.log('\nAfter the review, the context is:');
for (const { id, pageContent } of context) console.log(`  ${id}: ${pageContent}`);
console.log(`\n${formatReport(report, { timings: false })}`);
await database?.end();
