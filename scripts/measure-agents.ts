/**
 * The tokens of an agent's requests over twenty turns on real documentation, with and without the middleware:
 * `npm run measure:agents -- FILE` writes the figures of a plot.
 */
import { writeFileSync } from 'node:fs';
import { contextShapingMiddleware } from 'context-shaping/agents';
import { documentation } from '../test/adapters/agents/support.js';
import { twentyTurns } from '../test/adapters/agents/twenty-turns.js';

/** A plain agent; one with both budgets; one of which only the list of messages is shaped. */
const AGENTS = {
  unshaped: [],
  'results and messages shaped': [
    contextShapingMiddleware({ maxTokens: 6000, maxToolTokens: 1500, handleKey: 'a key for measuring' }),
  ],
  'messages shaped': [
    contextShapingMiddleware({ maxTokens: 6000, mode: 'model', handleKey: 'a key for measuring' }),
  ],
};

const documents = await documentation();
const agents: { agent: string; total: number; requests: number[] }[] = [];
for (const [agent, middleware] of Object.entries(AGENTS)) {
  const { tokens: requests } = await twentyTurns(documents, middleware);
  const total = requests.reduce((sum, each) => sum + each, 0);
  agents.push({ agent, total, requests });
  console.log(`${agent}: ${requests.length} requests, ${total} tokens; the last has ${requests.at(-1)}.`);
}
const [file] = process.argv.slice(2);
if (file !== undefined) writeFileSync(file, `${JSON.stringify({ agents })}\n`);
