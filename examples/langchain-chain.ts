/**
 * A retrieval chain: over-fetch, shape, answer. Runs offline with a fake model; with `--ollama` it asks
 * `llama3.2` on your machine.
 */
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnablePassthrough } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ChatOllama } from '@langchain/ollama';
import { EVICTED_EVENT, type EvictedEvent, ShapedRetriever } from 'context-shaping/langchain';

const documents = [
  ['guide.md', 'The harbour bridge was opened to traffic on 4 May 1932, after seven years of work.'],
  ['press.md', 'THE HARBOUR BRIDGE was opened to traffic on 4 May 1932 – after seven years of work!'],
  ['wiki.md', 'The bridge is 1,149 metres long, and its arch spans 503 metres.'],
  ['tunnel.md', 'The harbour tunnel was opened in 1992 and carries 90,000 cars a day.'],
  ['cats.md', 'Cats sleep for most of the day and hunt at dusk.'],
].map(([source, pageContent]) => new Document({ pageContent: pageContent as string, metadata: { source } }));

const retriever = new ShapedRetriever({
  retriever: BM25Retriever.fromDocuments(documents, { k: 60 }),
  compressor: { k: 3, budget: { maxTokens: 400 } },
});
const model = process.argv.includes('--ollama')
  ? new ChatOllama({
      model: 'llama3.2',
      temperature: 0,
      baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
    })
  : new FakeListChatModel({ responses: ['It was opened on 4 May 1932.'] });

const chain = RunnablePassthrough.assign({
  context: async ({ question }: { question: string }) =>
    (await retriever.invoke(question)).map((document) => document.pageContent).join('\n\n'),
})
  .pipe(ChatPromptTemplate.fromTemplate('Answer from this context:\n{context}\n\nQuestion: {question}'))
  .pipe(model)
  .pipe(new StringOutputParser());

const handleCustomEvent = (name: string, event: EvictedEvent) => {
  if (name === EVICTED_EVENT) console.error(`kept ${event.kept.length}, evicted ${event.evicted.length}`);
};
console.log(
  await chain.invoke(
    { question: 'When was the harbour bridge opened?' },
    { callbacks: [{ handleCustomEvent }] },
  ),
);
