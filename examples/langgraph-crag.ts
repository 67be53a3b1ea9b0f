/**
 * Corrective retrieval as a node of a graph. Two guides contradict each other, the web is searched, and the run
 * waits for a person. A second process sends the answer. With `--ollama`, llama3.2 grades and answers; set
 * `OLLAMA_HOST` if it is not at its default address.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { Annotation, END, isInterrupted, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { ChatOllama } from '@langchain/ollama';
import { formatReport, type ShapingReport } from 'context-shaping';
import {
  chatGrader,
  createCragGraph,
  createReviewQueue,
  type ReviewRequest,
} from 'context-shaping/langgraph';
import { fakeWebSearch } from 'context-shaping/testing';

const { values: flags } = parseArgs({ options: { answer: { type: 'string' }, ollama: { type: 'boolean' } } });
const baseUrl = process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434';
const ollama = flags.ollama && new ChatOllama({ model: 'llama3.2', temperature: 0, baseUrl });
const model = ollama || new FakeListChatModel({ responses: ['Three years.'] });

const texts = {
  'guide-2021': 'The warranty of the Aurora lamp is two years from the day of purchase.',
  'guide-2024': 'The warranty of the Aurora lamp is three years from the day of purchase.',
  cleaning: 'Clean the Aurora lamp with a dry cloth when it is cold.',
  jobs: 'We are hiring engineers in Lisbon, Oslo and Nairobi.',
};
const documents = Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent }));
const retriever = BM25Retriever.fromDocuments(documents, { k: 60 });
const webSearch = fakeWebSearch(() => [
  { id: 'press', pageContent: 'Since 2024 all Aurora lamps have a warranty of three years.', metadata: {} },
]);
const crag = createCragGraph({ grader: ollama ? chatGrader(ollama) : 'relevance', webSearch, review: true });

const State = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  report: Annotation<ShapingReport>,
  answer: Annotation<string>,
});
const build = (checkpointer: SqliteSaver) =>
  new StateGraph(State)
    .addNode('retrieve', async ({ query }, config) => ({ documents: await retriever.invoke(query, config) }))
    .addNode('crag', crag)
    .addNode('generate', async ({ query, context }, config) => {
      const facts = context.map(({ pageContent }) => pageContent).join('\n');
      const prompt = `Answer from this context:\n${facts}\n\nQuestion: ${query}`;
      const { text } = await model.invoke(prompt, config);
      return { answer: text };
    })
    .addEdge(START, 'retrieve')
    .addEdge('retrieve', 'crag')
    .addEdge('crag', 'generate')
    .addEdge('generate', END)
    .compile({ checkpointer });

await (flags.answer === undefined ? ask() : answer(flags.answer));

/** The first process: runs until the graph waits for a person, and later reads the result. */
async function ask() {
  const folder = mkdtempSync(join(tmpdir(), 'context-shaping-crag-'));
  const file = join(folder, 'checkpoints.sqlite');
  const checkpointer = SqliteSaver.fromConnString(file);
  try {
    const graph = build(checkpointer);
    const config = { configurable: { thread_id: 'warranty' } };
    const asked = await graph.invoke({ query: 'How long is the warranty of the Aurora lamp?' }, config);
    if (!isInterrupted<ReviewRequest>(asked)) throw new Error('The graph did not ask for a review.');
    const request = asked.__interrupt__[0]?.value;
    console.log(`Reasons for the review: ${request?.reasons.join(', ')}`);
    for (const { id, origin, grade, text } of request?.chunks ?? []) {
      console.log(`- ${id} (${origin}, ${grade?.toFixed(2)}): ${text}`);
    }

    const again = [...process.execArgv, ...process.argv.slice(1), '--answer', file];
    execFileSync(process.execPath, again, { stdio: 'inherit' });

    const { answer, report } = (await graph.getState(config)).values as typeof State.State;
    console.log(`\n${answer}\n\n${formatReport(report)}`);
  } finally {
    checkpointer.db.close();
    rmSync(folder, { recursive: true });
  }
}

/** The second process: a person claims and answers the review, and the graph continues. */
async function answer(file: string) {
  const checkpointer = SqliteSaver.fromConnString(file);
  const queue = createReviewQueue({ checkpointer });
  for (const review of await queue.list()) {
    const claim = await queue.claim(review, { by: 'Ada' });
    if (claim) await queue.answer(claim, { action: 'approve', veto: ['guide-2021'], note: 'Out of date.' });
  }
  const { resumed, failed } = await queue.resume(build(checkpointer));
  if (failed[0]) throw failed[0].error;
  console.log(
    `\nProcess ${process.pid} answered; resumed threads: ${resumed.map(({ threadId }) => threadId)}`,
  );
  checkpointer.db.close();
}
