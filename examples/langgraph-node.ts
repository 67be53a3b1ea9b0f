/** A LangGraph node that retrieves and shapes, with the evictions on the graph's own stream. */
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ShapedRetriever } from 'context-shaping/langchain';

const texts = [
  'The dose for adults is 30 mg daily, taken with water.',
  'The dose for adults is 50 mg daily, taken with water.',
  'the dose for adults is 30 mg daily – taken with water',
  'Store the tablets in a dry place, out of reach of children.',
  'The company was founded in 1921 and moved twice.',
];
const retriever = new ShapedRetriever({
  retriever: BM25Retriever.fromDocuments(
    texts.map((pageContent) => new Document({ pageContent })),
    { k: 60 },
  ),
  compressor: { k: 3 },
});

const State = Annotation.Root({ question: Annotation<string>, documents: Annotation<DocumentInterface[]> });
const graph = new StateGraph(State)
  .addNode('retrieve', async ({ question }, config) => ({
    documents: await retriever.invoke(question, config),
  }))
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', END)
  .compile();

const stream = await graph.stream(
  { question: 'What is the daily dose?' },
  { streamMode: ['custom', 'values'] },
);
for await (const [mode, value] of stream) {
  if (mode === 'custom') console.log(JSON.stringify(value));
  else for (const { pageContent } of value.documents ?? []) console.log(pageContent);
}
