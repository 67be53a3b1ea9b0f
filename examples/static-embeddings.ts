/**
 * Vectors without a service: a static model of a few megabytes, in a vector store and a shaper.
 *
 * Look at the first line: no word of the question is in the passage that is found.
 *
 *     npm install context-shaping @langchain/core @langchain/classic
 *     hf download minishlab/potion-base-8M config.json tokenizer.json model.safetensors \
 *       --local-dir models/minishlab/potion-base-8M
 *
 * `CONTEXT_SHAPING_MODEL` is the folder of another model (model2vec format).
 */
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { createShaper } from 'context-shaping';
import { loadStaticEmbedder } from 'context-shaping/embeddings';

const embedder = await loadStaticEmbedder(
  process.env.CONTEXT_SHAPING_MODEL ?? 'models/minishlab/potion-base-8M',
);
const question = 'How do I get my money back?';
const passages = [
  { id: 'refund', text: 'Refunds are paid within ten days.', metadata: { source: 'terms.md' } },
  { id: 'refund-copy', text: 'Refunds are paid, within ten days!', metadata: { source: 'faq.md' } },
  { id: 'jobs', text: 'We are hiring engineers in Lisbon.', metadata: { source: 'jobs.md' } },
];

// It works wherever LangChain takes `Embeddings`.
const store = await MemoryVectorStore.fromDocuments(
  passages.map(({ text, metadata }) => new Document({ pageContent: text, metadata })),
  embedder,
);
const [nearest] = await store.similaritySearch(question, 1);
console.log(`${question}  ->  ${nearest?.pageContent}`);

// It is also an embedder for the shaper: no key, no request, thousands of texts per second.
const { chunks } = await createShaper({ k: 1, embedder }).shape({ query: question, chunks: passages });
for (const { id, sources } of chunks) {
  console.log(`${id}  from ${sources.map(({ source }) => source).join(', ')}`);
}
