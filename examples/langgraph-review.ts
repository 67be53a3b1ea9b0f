/**
 * A person in the loop: two guides differ, the graph waits, a reviewer vetoes one.
 *
 * Look at the context after the review: the outdated guide is gone, and the ledger has the reviewer and the note.
 *
 *     npm install context-shaping @langchain/core @langchain/langgraph
 */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Annotation, END, isInterrupted, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { formatReport, type ShapingReport } from 'context-shaping';
import { createCragGraph, createReviewQueue, type ReviewRequest } from 'context-shaping/langgraph';

const texts = {
  'guide-2021': 'The warranty of the Aurora lamp is two years from the day of purchase.',
  'guide-2024': 'The warranty of the Aurora lamp is three years from the day of purchase.',
  cleaning: 'Clean the Aurora lamp with a dry cloth when it is cold.',
};
const documents = Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent }));

// With PostgresSaver or SqliteSaver, reviewers work in other processes: `npx context-shaping reviews list`.
const checkpointer = new MemorySaver();

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
const asked = await graph.invoke(
  { query: 'How many years from the day of purchase is the warranty of the Aurora lamp?', documents },
  config,
);
if (!isInterrupted<ReviewRequest>(asked)) throw new Error('The graph did not ask for a review.');

// The reviewer: claims the review, so that no other reviewer answers it meanwhile, and answers.
const queue = createReviewQueue({ checkpointer });
for (const { id, threadId, request } of await queue.list()) {
  console.log(`Thread ${threadId} waits, because of: ${request.reasons.join(', ')}`);
  for (const { id, text } of request.chunks) console.log(`  ${id}: ${text}`);
  const claim = await queue.claim(id, { by: 'Ada' });
  if (claim) await queue.answer(claim, { action: 'approve', veto: ['guide-2021'], note: 'Out of date.' });
}

// The application again: continues the answered runs.
const { failed } = await queue.resume(graph);
if (failed[0]) throw failed[0].error;
const { context, report } = (await graph.getState(config)).values as typeof State.State;
console.log('\nAfter the review, the context is:');
for (const { id, pageContent } of context) console.log(`  ${id}: ${pageContent}`);
console.log(`\n${formatReport(report, { timings: false })}`);
