/**
 * Vectors from Ollama, kept in Redis: each text is embedded once, over all processes and restarts.
 *
 * Look at the second question: only its own text went to Ollama. The vectors of the chunks came from Redis.
 *
 *     npm install context-shaping @langchain/core @langchain/ollama ioredis
 *     ollama pull nomic-embed-text
 *
 * Set `OLLAMA_HOST` and `REDIS_URL` if they are not at their default addresses. If Redis is down, every text is
 * embedded again. If Ollama is down, chunks are compared by words, and the report says so.
 */
import { OllamaEmbeddings } from '@langchain/ollama';
import { createShaper, type Embedder } from 'context-shaping';
import { cachedEmbedder, fromLangChainEmbeddings } from 'context-shaping/embeddings';
import { Redis } from 'ioredis';

const model = 'nomic-embed-text';
const baseUrl = process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434';
const embeddings = fromLangChainEmbeddings(new OllamaEmbeddings({ model, baseUrl }));
const ollama: Embedder = {
  ...embeddings,
  embed(texts, call) {
    console.log(`  Ollama embeds ${texts.length} of 4 texts.`);
    return embeddings.embed(texts, call);
  },
};

const client = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');
client.on('error', () => {}); // `onStoreError` reports it.
const store = {
  client, // A lost connection is noticed at once.
  mget: async (keys: string[]) => (await client.mgetBuffer(keys)).map((bytes) => bytes ?? undefined),
  async mset(pairs: [string, Uint8Array][]) {
    for (const [key, bytes] of pairs) await client.set(key, Buffer.from(bytes), 'EX', 3600);
  },
};
const embedder = cachedEmbedder(ollama, {
  store,
  namespace: model,
  onStoreError: (error) => console.log(`  ${error}`),
});

const shaper = createShaper({ k: 1, ranked: false, embedder, deadlineMs: 5000 });
const chunks = [
  { id: 'refunds', text: 'Refunds are paid within ten days of the request.' },
  { id: 'returns', text: 'You get back what you paid when you return the goods.' },
  { id: 'careers', text: 'We are hiring.' },
];
for (const query of ['When are refunds paid?', 'What do I get back when I return the goods?']) {
  console.log(query);
  const result = await shaper.shape({ query, chunks });
  console.log(`  ${result.chunks.map(({ text }) => text)}`);
  for (const { message } of result.report.degradations) console.log(`  ${message}`);
}
client.disconnect();
