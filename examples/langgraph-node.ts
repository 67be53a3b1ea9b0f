/**
 * A node of LangGraph that retrieves and shapes, with the evictions on the graph's own stream.
 *
 * Look at the two doses: they differ, so both reach the model; the copy of one does not.
 *
 *     npm install context-shaping @langchain/core @langchain/langgraph
 */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { FakeRetriever } from '@langchain/core/utils/testing';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ShapedRetriever } from 'context-shaping/langchain';

const texts = {
  leaflet: 'The dose for adults is 30 mg daily, taken with water.',
  website: 'The dose for adults is 50 mg daily, taken with water.',
  scan: 'the dose for adults is 30 mg daily – taken with water',
  storage: 'Store the tablets in a dry place, out of reach of children.',
  company: 'The company was founded in 1921 and moved twice.',
};
const shaped = new ShapedRetriever({
  // Stands for your retriever: it finds the same documents for every question, best first.
  retriever: new FakeRetriever({
    output: Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent })),
  }),
  compressor: { k: 3 },
});

const State = Annotation.Root({ question: Annotation<string>, documents: Annotation<DocumentInterface[]> });
const graph = new StateGraph(State)
  .addNode('retrieve', async ({ question }, config) => ({
    documents: await shaped.invoke(question, config),
  }))
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', END)
  .compile();

const stream = await graph.stream(
  { question: 'What is the daily dose?' },
  { streamMode: ['custom', 'values'] },
);
for await (const [mode, value] of stream) {
  if (mode === 'custom') {
    for (const { id, stage, reason } of value.evicted)
      console.log(`evicted: ${id}, by ${stage}, as ${reason}`);
  } else {
    for (const { id, pageContent } of value.documents ?? []) console.log(`context: ${id}: ${pageContent}`);
  }
}
