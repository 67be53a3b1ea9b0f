/**
 * Corrective retrieval (CRAG) in a graph: no document answers, so the web is searched first.
 *
 * Look at "path" and the grades: the retrieved documents fail, the search result passes and is the context.
 *
 *     npm install context-shaping @langchain/core @langchain/langgraph @langchain/ollama
 *
 * Runs offline with a fake search, a fake model, and grades from words alone. With `--ollama`, `llama3.2` on your
 * machine, or at `OLLAMA_HOST`, grades and answers.
 */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { FakeListChatModel, FakeRetriever } from '@langchain/core/utils/testing';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ChatOllama } from '@langchain/ollama';
import type { ShapingReport } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { chatJudge } from 'context-shaping/langchain';
import { createCragGraph, type Verdict } from 'context-shaping/langgraph';

const asksOllama = process.argv.includes('--ollama');
const ollama = {
  model: 'llama3.2',
  temperature: 0,
  baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
};
const model = asksOllama ? new ChatOllama(ollama) : new FakeListChatModel({ responses: ['Three years.'] });
const grader = asksOllama ? chatJudge(new ChatOllama(ollama)) : 'relevance';

const texts = {
  cleaning: 'Wipe the shade with a dry cloth when it is cold.',
  bulbs: 'Replacement bulbs are sold in packs of four.',
  jobs: 'We are hiring engineers in Lisbon, Oslo and Nairobi.',
};
// Stands for your retriever: it finds the same documents for every question, best first.
const retriever = new FakeRetriever({
  output: Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent })),
});
// Stands for your search: a function, a tool or a retriever.
const webSearch = async () => [
  { id: 'press', pageContent: 'All Aurora lamps have a warranty of three years.', metadata: {} },
];
const crag = createCragGraph({ grader, webSearch });

const State = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  verdict: Annotation<Verdict>,
  report: Annotation<ShapingReport>,
  answer: Annotation<string>,
});
const graph = new StateGraph(State)
  .addNode('retrieve', async ({ query }, config) => ({ documents: await retriever.invoke(query, config) }))
  .addNode('crag', crag) // Reads query and documents; writes context, verdict and report.
  .addNode('generate', async ({ query, context }, config) => {
    const facts = context.map(({ pageContent }) => pageContent).join('\n');
    const prompt = `Answer from this context:\n${facts}\n\nQuestion: ${query}`;
    return { answer: (await model.invoke(prompt, config)).text };
  })
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', 'crag')
  .addEdge('crag', 'generate')
  .addEdge('generate', END)
  .compile();

const query = 'What warranty do Aurora lamps have?';
const { answer, verdict, report } = await graph.invoke({ query });
console.log(`${query} ${answer} (${verdict})\n\n${formatReport(report, { timings: false })}`);
