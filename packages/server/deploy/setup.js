/**
 * The setup of the service in the container. Vectors come from any server with `/v1/embeddings` (Ollama, vLLM, llama.cpp,
 * OpenAI). Without EMBEDDINGS_URL, chunks without vectors are compared by words. The service reports a server that fails,
 * and goes on without it.
 */
import { readFileSync } from 'node:fs';

const { EMBEDDINGS_URL, EMBEDDINGS_MODEL = 'nomic-embed-text', EMBEDDINGS_API_KEY_FILE } = process.env;

/** @type {import('context-shaping').Embedder} */
function embedderAt(address) {
  // A secret is in a file, because every program of the container can read the environment.
  const key = EMBEDDINGS_API_KEY_FILE && readFileSync(EMBEDDINGS_API_KEY_FILE, 'utf8').trim();
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

export default EMBEDDINGS_URL ? { embedder: embedderAt(EMBEDDINGS_URL), options: { deadlineMs: 5000 } } : {};
