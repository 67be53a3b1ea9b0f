/**
 * Vectors from Ollama; each text is embedded once, and its vector kept in Redis. Needs both services (set `OLLAMA_HOST`
 * and `REDIS_URL` if they are not at their default addresses). If either is down, chunks are compared by words
 * instead, and the report says so.
 */
import { RedisByteStore } from '@langchain/community/storage/ioredis';
import { OllamaEmbeddings } from '@langchain/ollama';
import { createShaper, formatReport } from 'context-shaping';
import { cachedEmbedder, fromLangChainEmbeddings } from 'context-shaping/embeddings';
import { Redis } from 'ioredis';

const client = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: 1 });
client.on('error', ({ message }) => console.error(`Redis: ${message}`));

const model = 'nomic-embed-text';
const ollama = new OllamaEmbeddings({ model, baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434' });
const shaper = createShaper({
  k: 2,
  ranked: false, // The chunks below are not ranked.
  deadlineMs: 5000,
  embedder: cachedEmbedder(fromLangChainEmbeddings(ollama, { maxRetries: 0 }), {
    store: new RedisByteStore({ client, ttl: 3600 }),
    namespace: model,
  }),
});

const { report } = await shaper.shape({
  query: 'How do I get my money back?',
  chunks: [
    { id: 'refunds', text: 'Refunds are paid within ten days of the request.' },
    { id: 'returns', text: 'You get back what you paid when you return the goods.' },
    { id: 'careers', text: 'We are hiring.' },
  ],
});
console.log(formatReport(report));
client.disconnect();
