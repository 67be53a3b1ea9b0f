/** Every example runs, offline, and prints what it is there to show. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { createShaper } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Llama } from '../adapters/logprobs/gguf/llama.js';
import { tinyModel } from './adapters/logprobs/items.js';
import { type JsonServer, jsonServer } from './adapters/logprobs/servers/json-server.js';
import { llamaServer } from './adapters/logprobs/servers/llama-server.js';
import { OLLAMA_MODEL, ollamaServer } from './adapters/logprobs/servers/ollama.js';
import { VLLM_MODEL, vllmServer } from './adapters/logprobs/servers/vllm.js';

/** Stand-ins for what is not there: services, with the numbers of a real small model where it matters. */
const servers: JsonServer[] = [];
const SETTINGS: Record<string, NodeJS.ProcessEnv> = {
  'ecs-in-process.ts': { GGUF: 'test/fixtures/ecs-tiny/ecs-tiny-f16.gguf' },
};
beforeAll(async () => {
  const llama = Llama.parse(tinyModel());
  const [embeddings, llamaCpp, ollama, vllm] = await Promise.all([
    jsonServer(({ body }) => ({ json: { embeddings: [body.input].flat().map(embedding) } })),
    llamaServer(llama),
    ollamaServer(llama),
    vllmServer(llama),
  ]);
  servers.push(embeddings, llamaCpp, ollama, vllm);
  SETTINGS['ollama-embeddings-in-redis.ts'] = { OLLAMA_HOST: embeddings.address };
  SETTINGS['ecs-llama-server.ts'] = { LLAMA_SERVER_URL: llamaCpp.address };
  SETTINGS['ecs-ollama.ts'] = { OLLAMA_HOST: ollama.address, OLLAMA_MODEL };
  SETTINGS['ecs-vllm.ts'] = { VLLM_URL: `${vllm.address}/v1`, VLLM_MODEL };
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const embedding = (text: string) => [text.length, /money|paid|refund/i.test(text) ? 50 : 1];

let hasEngine = true;
try {
  createRequire(import.meta.url).resolve('node-llama-cpp');
} catch {
  hasEngine = false;
}
/** Cannot be run without; in continuous integration that is a failure. */
const isMissing = (file: string) => file === 'ecs-in-process.ts' && !hasEngine && process.env.CI !== 'true';

/** One chunk is kept of four, that with the answer, for what it does to the model’s belief. */
const KEEPS_THE_ANSWER = [
  /^4 chunks in, 1 kept, 3 evicted/,
  /\nKept\n.*\n.*\n +1 .* utility, .* teacher *\n\nEvicted\n/,
];

const SHOWS: Record<string, RegExp[]> = {
  'on-its-own.ts': [
    /\$12 per month, billed yearly\. \[pricing\.md, faq\.md\]/,
    /Conflicts\n.*\n.*\n.*pricing.*\$?12.*\$?9/,
  ],
  'langchain-chain.ts': [/It was opened on 4 May 1932/],
  'langgraph-node.ts': [/"type":"context_shaping\.evicted"/, /30 mg[\s\S]*50 mg/],
  'llamaindex-query-engine.ts': [/./],
  'llamaindex-chat-engine.ts': [/without[\s\S]*Could not fit/i, /with/i],
  'static-embeddings.ts': [
    /How do I get my money back\? {2}-> {2}Refunds are paid/,
    /refund {2}from terms\.md, faq\.md/,
  ],
  'ollama-embeddings-in-redis.ts': [/2 kept, 1 evicted/, /careers/],
  'ecs-in-process.ts': KEEPS_THE_ANSWER,
  'ecs-llama-server.ts': KEEPS_THE_ANSWER,
  'ecs-ollama.ts': KEEPS_THE_ANSWER,
  'ecs-vllm.ts': KEEPS_THE_ANSWER,
};

test('each example has an expectation', () => {
  expect(readdirSync('examples').toSorted()).toEqual(Object.keys(SHOWS).toSorted());
});

describe.each(Object.entries(SHOWS))('%s', (file, patterns) => {
  test.skipIf(isMissing(file))('shows it', async () => {
    const args = ['--conditions=context-shaping-source', '--import', 'tsx', `examples/${file}`];
    const env = { ...process.env, ...SETTINGS[file] };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    for (const pattern of patterns) expect(stdout).toMatch(pattern);
    expect(stdout).not.toContain('Not as asked');
  });
});

test('by words alone, the examples of ecs would keep the chunk that only asks again', async () => {
  const text = readFileSync('examples/ecs-llama-server.ts', 'utf8');
  const chunks = Array.from(text.matchAll(/{ id: '(.*)', text: '(.*)' }/g), ([, id = '', text = '']) => ({
    id,
    text,
  }));
  const query = /text: '(.*)', answer/.exec(text)?.[1] ?? '';
  const { report } = await createShaper({ budget: { maxTokens: 30 } }).shape({ query, chunks });
  expect(report.input).toHaveLength(4);
  expect(report.kept[0]?.id).toBe('asks');
  expect(report.evicted.map(({ id }) => id)).toContain('teacher');
});
