/**
 * The tokens of the list of tools of a server of MCP, as the proxy shortens it within budgets:
 *
 *   npm run research -- measure/tools-list COMMAND ARGUMENTS
 */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { isObject, type JsonObject, loadTokenCounter } from 'context-shaping/kit';
import { proxyMcp, startServer } from 'context-shaping-mcp';

const [command = '', ...args] = process.argv.slice(2);
const count = await loadTokenCounter('o200k_base');
const tokensOf = (tools: readonly JsonObject[]) =>
  tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + count(JSON.stringify({ name, description, inputSchema })),
    0,
  );

/** The list that a client gets through the proxy. */
async function listed(toolsBudget?: number): Promise<JsonObject[]> {
  const [clientEnd, toClient] = InMemoryTransport.createLinkedPair();
  const server = await startServer(command, args, process.env);
  const done = proxyMcp(toClient, server, { toolsBudget, tokenizer: 'o200k_base', workers: 0 });
  const client = new Client({ name: 'measure', version: '1.0.0' });
  await client.connect(clientEnd as never);
  const { tools } = await client.listTools();
  await client.close();
  await done;
  return tools.filter(isObject);
}

const whole = await listed();
const all = tokensOf(whole);
const rows = [['as the server has it', all, whole.length, 0]];
for (const [name, share] of [
  ['descriptions of tools', 1 - 1 / all],
  ['75 %', 0.75],
  ['50 %', 0.5],
  ['25 %', 0.25],
] as const) {
  const now = await listed(Math.floor(all * share));
  const isSearched = now.some(({ name: each }) => each === 'find_tools');
  rows.push([name, tokensOf(now), now.length, isSearched ? whole.length + 1 - now.length : 0]);
}
console.log('budget\ttokens\ttools listed\ttools behind find_tools');
for (const row of rows) console.log(row.join('\t'));
