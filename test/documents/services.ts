/**
 * Stand-ins for the services and models that pages of the documentation and examples use. A text gets those whose
 * variables it names.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { TINY, writeModel } from '../adapters/embeddings/static-model.js';
import { TINY_MODEL, tinyModel } from '../adapters/logprobs/items.js';
import { jsonServer } from '../adapters/logprobs/servers/json-server.js';
import { llamaServer } from '../adapters/logprobs/servers/llama-server.js';
import { ollamaChatServer } from '../adapters/logprobs/servers/ollama-chat.js';
import { VLLM_MODEL, vllmServer } from '../adapters/logprobs/servers/vllm.js';
import { bySynonyms, rerankServer } from '../adapters/rerankers/rerank-server.js';
import { Llama } from '../gguf/llama.js';

interface Started {
  /** The variables to set. */
  env: Record<string, string>;
  close?(): unknown;
}

const { PGUSER = userInfo().username, PGHOST = '127.0.0.1', PGDATABASE = 'test' } = process.env;

/** By the variable that a page reads the address from. */
const SERVICES: Readonly<Record<string, (page: string) => Promise<Started>>> = {
  OLLAMA_HOST: async (page) => {
    const server = await (/\bollamaModel\b/.test(page) ? ollamaThatJudges() : ollamaChatServer(say));
    return { env: { OLLAMA_HOST: server.address }, close: server.close };
  },
  LLAMA_SERVER_URL: async () => {
    const { address, close } = await llamaServer(Llama.parse(tinyModel()));
    return { env: { LLAMA_SERVER_URL: address }, close };
  },
  VLLM_URL: async () => {
    const { address, close } = await vllmServer(Llama.parse(tinyModel()));
    return { env: { VLLM_URL: `${address}/v1`, VLLM_MODEL }, close };
  },
  RERANKER_URL: async () => {
    const { address, close } = await rerankServer('llama.cpp', { score: bySynonyms });
    return { env: { RERANKER_URL: address }, close };
  },
  DATABASE_URL: async () => ({
    env: {
      DATABASE_URL:
        process.env.DATABASE_URL ?? `postgresql://${encodeURIComponent(PGUSER)}@${PGHOST}/${PGDATABASE}`,
    },
  }),
  GGUF: async () => ({ env: { GGUF: TINY_MODEL } }),
  CONTEXT_SHAPING_MODEL: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'context-shaping-model-'));
    writeModel(folder, TINY);
    return { env: { CONTEXT_SHAPING_MODEL: folder }, close: () => rmSync(folder, { recursive: true }) };
  },
};

/** A model that repeats its prompt; it grades a passage by the word that answers in the pages. */
function say(prompt: string, format: object | undefined): string {
  if (format === undefined) return `Told: ${prompt}`;
  return JSON.stringify({ reason: 'It says so.', grade: /1932/.test(prompt) ? 'yes' : 'no' });
}

/** A model of Ollama that says yes to a passage with the name of the teacher. */
const ollamaThatJudges = () =>
  jsonServer(({ body: { prompt } }) => {
    const yes = /teacher is Fizenwim/.test(prompt) ? 0.9 : 0.2;
    const top_logprobs = [
      { token: ' yes', logprob: Math.log(yes) },
      { token: ' no', logprob: Math.log(1 - yes) },
    ];
    const logprobs = [{ ...top_logprobs[yes > 0.5 ? 0 : 1], top_logprobs }];
    return { json: { response: ' yes', logprobs } };
  });

/** @param isWanted whether to start the stand-in for a variable that the text names. Default: all of them. */
export async function startServices(
  page: string,
  isWanted: (variable: string) => boolean = () => true,
): Promise<Started & AsyncDisposable> {
  const wanted = Object.keys(SERVICES).filter((name) => page.includes(name) && isWanted(name));
  const started = await Promise.all(wanted.map((name) => SERVICES[name]?.(page) as Promise<Started>));
  return {
    env: Object.assign({}, ...started.map(({ env }) => env)),
    [Symbol.asyncDispose]: async () => {
      for (const { close } of started) await close?.();
    },
  };
}
