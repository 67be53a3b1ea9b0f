/**
 * A retrieval chain of LangChain: the retriever finds too much, the model gets the shaped context.
 *
 * Look at the evicted documents: the copy and the text about cats cost no tokens, and the events say why.
 *
 *     npm install context-shaping @langchain/core @langchain/ollama
 *
 * Runs offline with a fake model. With `--ollama` it asks `llama3.2` on your machine, or at `OLLAMA_HOST`.
 */
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnablePassthrough } from '@langchain/core/runnables';
import { FakeListChatModel, FakeRetriever } from '@langchain/core/utils/testing';
import { ChatOllama } from '@langchain/ollama';
import { EVICTED_EVENT, type EvictedEvent, ShapedRetriever } from 'context-shaping/langchain';

const texts = {
  guide: 'The harbour bridge was opened to traffic on 4 May 1932, after seven years of work.',
  press: 'THE HARBOUR BRIDGE was opened to traffic on 4 May 1932 – after seven years of work!',
  wiki: 'The bridge is 1,149 metres long, and its arch spans 503 metres.',
  tunnel: 'The harbour tunnel was opened in 1992 and carries 90,000 cars a day.',
  cats: 'Cats sleep for most of the day and hunt at dusk.',
};
// Stands for your retriever: it finds the same documents for every question, best first.
const retriever = new FakeRetriever({
  output: Object.entries(texts).map(([id, pageContent]) => new Document({ id, pageContent })),
});
const shaped = new ShapedRetriever({ retriever, compressor: { k: 3, budget: { maxTokens: 400 } } });

const model = process.argv.includes('--ollama')
  ? new ChatOllama({
      model: 'llama3.2',
      temperature: 0,
      baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
    })
  : new FakeListChatModel({ responses: ['It was opened on 4 May 1932.'] });

const chain = RunnablePassthrough.assign({
  context: async ({ question }: { question: string }) =>
    (await shaped.invoke(question)).map((document) => document.pageContent).join('\n\n'),
})
  .pipe(ChatPromptTemplate.fromTemplate('Answer from this context:\n{context}\n\nQuestion: {question}'))
  .pipe(model)
  .pipe(new StringOutputParser());

const handleCustomEvent = (name: string, { kept, evicted, tokens }: EvictedEvent) => {
  if (name !== EVICTED_EVENT) return;
  console.log(`${tokens.input} tokens found, ${tokens.output} kept: ${kept.join(', ')}`);
  for (const { id, stage, reason } of evicted) console.log(`evicted: ${id}, by ${stage}, as ${reason}`);
};
const question = 'When was the harbour bridge opened?';
const answer = await chain.invoke({ question }, { callbacks: [{ handleCustomEvent }] });
console.log(`${question} ${answer}`);
