/** Every example runs, offline, and prints what it is there to show. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A stand-in for Ollama's embedding endpoint: it is the service that is not there, not our code. */
const ollama = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { input } = JSON.parse(body) as { input: string | string[] };
  const embeddings = [input].flat().map((text) => [text.length, /money|paid|refund/i.test(text) ? 50 : 1]);
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ embeddings }));
});
beforeAll(() => new Promise<void>((resolve) => void ollama.listen(0, '127.0.0.1', resolve)));
afterAll(() => void ollama.close());

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
};

test('each example has an expectation', () => {
  expect(readdirSync('examples').toSorted()).toEqual(Object.keys(SHOWS).toSorted());
});

test.each(Object.entries(SHOWS))('%s', async (file, patterns) => {
  const args = ['--conditions=context-shaping-source', '--import', 'tsx', `examples/${file}`];
  const env = { ...process.env, OLLAMA_HOST: `http://127.0.0.1:${(ollama.address() as AddressInfo).port}` };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
  expect(stdout).not.toContain('Not as asked');
});
