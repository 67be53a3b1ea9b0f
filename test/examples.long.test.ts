/** Every example runs, offline or with stand-ins for its services, and prints what it is there to show. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { createShaper } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Llama } from '../adapters/gguf/llama.js';
import { checkpointers, missing } from './adapters/langgraph/servers.js';
import { tinyModel } from './adapters/logprobs/items.js';
import type { JsonServer } from './adapters/logprobs/servers/json-server.js';
import { llamaServer } from './adapters/logprobs/servers/llama-server.js';
import { OLLAMA_MODEL, ollamaServer } from './adapters/logprobs/servers/ollama.js';
import { ollamaChatServer } from './adapters/logprobs/servers/ollama-chat.js';
import { VLLM_MODEL, vllmServer } from './adapters/logprobs/servers/vllm.js';
import { mustHaveAll } from './cases.js';

/** Stand-ins for what is not there: services, with the numbers of a real small model where it matters. */
const servers: JsonServer[] = [];
const SETTINGS: Record<string, NodeJS.ProcessEnv> = {
  'ecs-in-process.ts': { GGUF: 'test/fixtures/ecs-tiny/ecs-tiny-f16.gguf' },
};
beforeAll(async () => {
  const llama = Llama.parse(tinyModel());
  const [chat, llamaCpp, ollama, vllm] = await Promise.all([
    ollamaChatServer(say),
    llamaServer(llama),
    ollamaServer(llama),
    vllmServer(llama),
  ]);
  servers.push(chat, llamaCpp, ollama, vllm);
  // LangChain has a name of its own for it.
  const atOllama = { OLLAMA_HOST: chat.address, OLLAMA_BASE_URL: chat.address };
  for (const run of Object.keys(SHOWS).filter(usesOllama)) SETTINGS[run] = atOllama;
  SETTINGS['ollama-embeddings-in-redis.ts'] = atOllama;
  SETTINGS['ecs-llama-server.ts'] = { LLAMA_SERVER_URL: llamaCpp.address };
  SETTINGS['ecs-ollama.ts'] = { OLLAMA_HOST: ollama.address, OLLAMA_MODEL };
  SETTINGS['ecs-vllm.ts'] = { VLLM_URL: `${vllm.address}/v1`, VLLM_MODEL };
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A model that grades by one word, and else says what it was told. */
function say(prompt: string, format: object | undefined): string {
  if (format === undefined) return `Told: ${prompt}`;
  const grade = /<passage-1>\n.*warranty/.test(prompt) ? 'yes' : 'no';
  return JSON.stringify({ reason: 'It says so.', grade });
}
const usesOllama = (run: string) => run.endsWith(' --ollama');

let hasEngine = true;
try {
  createRequire(import.meta.url).resolve('node-llama-cpp');
} catch {
  hasEngine = false;
}
const hasSqlite = checkpointers.some(({ name, available }) => name === 'SQLite' && available);
/** Cannot be run without; in continuous integration that is a failure. */
function isMissing(run: string): boolean {
  if (run === 'ecs-in-process.ts') return !hasEngine && !mustHaveAll;
  return run.startsWith('langgraph-crag.ts') && !hasSqlite && !(mustHaveAll && missing().includes('SQLite'));
}

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
  'custom-stage.ts': [/^Ann-0: .*\nAnn-1: .*\nBen-3: /, /cap-per-author +\d+ +Ann-2 +author Ann, most 2/],
  'langchain-agent.ts': [
    /tokens without.*\n.*tokens with /,
    /\nThe Harbour Bridge was opened on 3 May 1932[\s\S]*\nThe Fish Market was opened on 8 May 1967/,
  ],
  'langchain-agent.ts --ollama': [
    /tokens without.*\n.*tokens with /,
    /Told: [\s\S]*The Harbour Bridge was opened on 3 May 1932[\s\S]*The Fish Market was opened on 8 May 1967/,
  ],
  'langchain-chain.ts': [/It was opened on 4 May 1932/],
  'langchain-chain.ts --ollama': [/Told: .*\nThe harbour bridge was opened to traffic on 4 May 1932/],
  'langgraph-crag.ts': [
    /^Reasons for the review: conflict\n- guide-2021 \(retrieved, .*two years.*\n- guide-2024 .*three years/,
    /- press \(web, .*\n\nProcess \d+ answered; resumed threads: warranty\n\nThree years\.\n\n5 chunks in/,
    /Evicted\n[\s\S]*guide-2021 +vetoed: by Ada[\s\S]*\nConflicts\n[\s\S]*\ncrag\n {2}verdict: ambiguous\n {2}outcome: context\n {2}path: shape, grade.*\n {2}grader: relevance\n/,
  ],
  'langgraph-crag.ts --ollama': [
    /- press \(web, 1\.00\)[\s\S]*resumed threads: warranty/,
    /Told: .*\n.* three years from .*\nSince 2024 .*\n\nQuestion:/,
    /guide-2021 +vetoed: by Ada[\s\S]*\ncrag\n[\s\S]*\n {2}path: shape, grade.*\n {2}grader: chat:ChatOllama:llama3\.2\n/,
  ],
  'langgraph-node.ts': [/"type":"context_shaping\.evicted"/, /30 mg[\s\S]*50 mg/],
  'llamaindex-query-engine.ts': [/10 chunks in, 4 kept/, /\nTwo years on one page[\s\S]*\n- print-0 \(/],
  'llamaindex-query-engine.ts --ollama': [/\nTold: [\s\S]*two years[\s\S]*\nQuery: [\s\S]*\n- print-0 \(/],
  'llamaindex-chat-engine.ts': [/Without shaping: Could not fit/, /With shaping: It opens at nine/],
  'llamaindex-chat-engine.ts --ollama': [
    /Without shaping: Could not fit/,
    /With shaping: Told: [\s\S]*Room 7 of the museum opens at nine[\s\S]*\(from \d+ nodes\)/,
  ],
  'service.ts': [
    /^exact-dedup: 3 -> 2, faq was exact-duplicate\nselect: 2 -> 1, jobs was outranked\nKept: pricing\n/,
    /SlimContext: 3 -> 1, [\d.]+ % fewer tokens\nfaq was exact-duplicate\njobs was outranked\nWithout a key: 401/,
  ],
  'static-embeddings.ts': [
    /How do I get my money back\? {2}-> {2}Refunds are paid/,
    /refund {2}from terms\.md, faq\.md/,
  ],
  'ollama-embeddings-in-redis.ts': [/2 kept, 1 evicted/, /cosine +refunds/, /careers/],
  'ecs-in-process.ts': KEEPS_THE_ANSWER,
  'ecs-llama-server.ts': KEEPS_THE_ANSWER,
  'ecs-ollama.ts': KEEPS_THE_ANSWER,
  'ecs-vllm.ts': KEEPS_THE_ANSWER,
};

test('each example has an expectation, with Ollama too where it can be asked', () => {
  const runs = readdirSync('examples').flatMap((file) => {
    const text = readFileSync(`examples/${file}`, 'utf8');
    return text.includes('--ollama') ? [file, `${file} --ollama`] : [file];
  });
  expect(runs.toSorted()).toEqual(Object.keys(SHOWS).toSorted());
});

describe.each(Object.entries(SHOWS))('%s', (run, patterns) => {
  test.skipIf(isMissing(run))('shows it', async () => {
    const args = ['--conditions=context-shaping-source', '--import', 'tsx', ...`examples/${run}`.split(' ')];
    const env = { ...process.env, ...SETTINGS[run] };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    for (const pattern of patterns) expect(stdout).toMatch(pattern);
    expect(stdout).not.toContain('Degradations');
  });
});

test('by words alone, the examples of ecs would keep the chunk that only asks again', async () => {
  const text = readFileSync('examples/ecs-llama-server.ts', 'utf8');
  const chunks = Array.from(text.matchAll(/{ id: '(.*)', text: '(.*)' }/g), ([, id = '', text = '']) => ({
    id,
    text,
  }));
  const query = /text: '(.*)', answer/.exec(text)?.[1] ?? '';
  const { report } = await createShaper({ ranked: false, budget: { maxTokens: 20 } }).shape({
    query,
    chunks,
  });
  expect(report.input).toHaveLength(4);
  expect(report.kept[0]?.id).toBe('asks');
  expect(report.evicted.map(({ id }) => id)).toContain('teacher');
});
