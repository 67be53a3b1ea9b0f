/**
 * The setup of the service in the container. Vectors come from any server with `/v1/embeddings` (Ollama, vLLM, llama.cpp,
 * OpenAI), and are kept in Redis. Without EMBEDDINGS_URL, chunks without vectors are compared by words; without REDIS_URL,
 * no vector is kept. The service reports a server that fails, and goes on without it.
 */
import { readFileSync } from 'node:fs';
import { cachedEmbedder } from 'context-shaping/embeddings';
import { Redis } from 'ioredis';

const {
  EMBEDDINGS_URL,
  EMBEDDINGS_MODEL = 'nomic-embed-text',
  EMBEDDINGS_API_KEY_FILE,
  REDIS_URL,
  REDIS_PASSWORD_FILE,
} = process.env;
const A_MONTH = 30 * 24 * 60 * 60;

/** A secret is in a file, because every program of the container can read the environment. */
const secret = (file) => (file ? readFileSync(file, 'utf8').trim() : undefined);

/** @type {import('context-shaping').Embedder} */
function embedderAt(address) {
  const key = secret(EMBEDDINGS_API_KEY_FILE);
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  return {
    provider: new URL(address).host,
    modelId: EMBEDDINGS_MODEL,
    async embed(input, { signal }) {
      const body = JSON.stringify({ model: EMBEDDINGS_MODEL, input });
      const answer = await fetch(`${address}/embeddings`, { method: 'POST', headers, body, signal });
      if (!answer.ok) throw new Error(`${address}/embeddings answered ${answer.status}.`);
      const { data } = await answer.json();
      return data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding);
    },
  };
}

/** Options of a cache. One line of the log says that Redis fails; the vectors then come from the model. */
async function cacheAt(address) {
  const client = new Redis(address, {
    password: secret(REDIS_PASSWORD_FILE),
    keyPrefix: 'context-shaping:',
    maxRetriesPerRequest: 1,
    // While there is no connection, no request waits for one.
    lazyConnect: true,
    enableOfflineQueue: false,
  });
  let isDown = false;
  const onStoreError = ({ message }) => {
    if (!isDown) process.stderr.write(`${JSON.stringify({ level: 'error', redis: message })}\n`);
    isDown = true;
  };
  client.on('error', onStoreError);
  client.on('ready', () => {
    isDown = false;
  });
  await client.connect().catch(onStoreError);
  const store = {
    mget: async (keys) => (await client.mgetBuffer(keys)).map((value) => value ?? undefined),
    async mset(pairs) {
      const pipeline = client.pipeline();
      for (const [key, value] of pairs) pipeline.set(key, Buffer.from(value), 'EX', A_MONTH);
      for (const [error] of await pipeline.exec()) if (error) throw error;
    },
  };
  return { store, onStoreError };
}

export default async function setup() {
  if (!EMBEDDINGS_URL) return {};
  const embedder = embedderAt(EMBEDDINGS_URL);
  return {
    embedder: REDIS_URL ? cachedEmbedder(embedder, await cacheAt(REDIS_URL)) : embedder,
    options: { deadlineMs: 5000 },
  };
}
