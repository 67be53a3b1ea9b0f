/**
 * Measures how much a client of MCP gets of long results through the proxy, after `npm run build`:
 * `npm run research -- measure/mcp DIR`. DIR has the data set
 * `tatqa`; READMEs are those in `node_modules`. The server, the proxy and the client are processes of their own. The client
 * is that of the SDK: it checks structured content by the output schema, and rejects a result that does not conform.
 *
 * The limit is the default of the proxy; a client that allows 25,000 tokens takes such results. The proxy is killed and
 * started again after every tenth call, and then must read the passages that the call before left out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type LongResult, measureReadmes, measureTables } from './long-results.js';

const [dir = 'data', perHalf = '50'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'measure-mcp-'));
const data = join(folder, 'result.json');
const CALLS_PER_PROCESS = 10;

/** Answers with the content of the file, as an object of structured content and as text. */
const SERVER = `
  import { readFileSync } from 'node:fs';
  import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
  import { serveStdio } from '@modelcontextprotocol/server/stdio';
  const { schema } = JSON.parse(readFileSync(process.argv[1], 'utf8'));
  serveStdio(() => {
    const server = new McpServer({ name: 'long', version: '1.0.0' });
    const query = { type: 'object', properties: { query: { type: 'string' } } };
    const config = { inputSchema: fromJsonSchema(query), ...(schema && { outputSchema: fromJsonSchema(schema) }) };
    server.registerTool('search', config, () => JSON.parse(readFileSync(process.argv[1], 'utf8')).result);
    return server;
  });`;

interface Answer {
  content: { text: string }[];
  structuredContent?: { result: unknown };
}

async function open(): Promise<{ client: Client; pid: number }> {
  const flags = ['--store', join(folder, 'passages.sqlite'), '--tokenizer', 'o200k_base'];
  const server = [process.execPath, '--input-type=module', '-e', SERVER, data];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['packages/mcp/dist/main.js', ...flags, '--', ...server],
    env: process.env as Record<string, string>,
  });
  const client = new Client({ name: 'measure', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return { client, pid: transport.pid as number };
}

let last: LongResult | undefined;
let running: Awaited<ReturnType<typeof open>> | undefined;
let calls = 0;
const recalled = { asked: 0, found: 0 };
const times: number[] = [];

async function end(): Promise<void> {
  if (running === undefined) return;
  process.kill(running.pid, 'SIGKILL');
  await running.client.close();
  running = undefined;
}

async function shape(given: LongResult, query: string): Promise<string> {
  const { text, json } = given;
  if (given !== last) {
    await end();
    const wrapped = json && {
      type: 'object',
      required: ['result'],
      properties: { result: json.schema },
      additionalProperties: false,
    };
    const result = {
      content: [{ type: 'text', text }],
      ...(json && { structuredContent: { result: json.value } }),
    };
    writeFileSync(data, JSON.stringify({ schema: wrapped, result }));
    last = given;
  }
  running ??= await open();
  const start = performance.now();
  const answer = (await running.client.callTool(
    { name: 'search', arguments: { query } },
    { timeout: 600_000 },
  )) as unknown as Answer;
  times.push(performance.now() - start);
  const [first = { text: '' }, ...notes] = answer.content;
  const shown = JSON.stringify(answer.structuredContent?.result);
  if (json !== undefined && JSON.stringify(JSON.parse(first.text)) !== shown)
    throw new Error('The text and the structured content differ.');
  if (++calls % CALLS_PER_PROCESS === 0) {
    const [, handle = ''] =
      /recall_passage ([\w-]+)/.exec([first, ...notes].map((each) => each.text).join('\n')) ?? [];
    await end();
    running = await open();
    const { isError } = await running.client.callTool(
      { name: 'recall_passage', arguments: { handle, query } },
      { timeout: 600_000 },
    );
    recalled.asked++;
    recalled.found += Number(isError !== true);
  }
  return first.text;
}

try {
  if (process.env.ONLY !== 'readmes') await measureTables(dir, shape, Number(perHalf));
  if (process.env.ONLY !== 'tables') await measureReadmes(shape, Number(perHalf));
} finally {
  await end();
  rmSync(folder, { recursive: true, force: true });
}
times.sort((a, b) => a - b);
const [median, worst] = [times[times.length >> 1], times.at(-1)].map((each = 0) => Math.round(each));
console.log(`Recalled after the proxy was killed: ${recalled.found} of ${recalled.asked}`);
console.log(`Milliseconds of a call at the client: median ${median}, worst ${worst}, ${times.length} calls`);
