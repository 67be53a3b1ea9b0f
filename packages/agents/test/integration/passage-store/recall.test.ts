/** Left-out passages are read by another process, with the same store, key of handles and name of the thread. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConversationShaper } from 'context-shaping-agents';
import { sqlitePassageStore } from 'context-shaping-agents/passage-store';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { mustHaveAll } from '../../../../../test/must-have-all.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { connected, handleIn, manual, newServer, textOf } from '../../../../mcp/test/support.js';
import { said } from '../../conversation/support.js';

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
const HANDLE_KEY = 'a key that all replicas have';

async function storeAt(path: string) {
  const store = await sqlitePassageStore({ path });
  onTestFinished(() => store.close());
  return store;
}

test.runIf(hasSqlite || mustHaveAll)('of a conversation', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const shaper = createConversationShaper({
    handleKey: HANDLE_KEY,
    maxToolTokens: 300,
    store: await storeAt(path),
  });
  const { messages } = await shaper.shapeRequest({
    thread: 'one',
    messages: [
      said('user', 'What is the pressure of pump 311?'),
      { role: 'assistant', parts: [{ type: 'call', id: 'c', tool: 'search', input: { query: 'pump 311' } }] },
      {
        role: 'tool',
        parts: [{ type: 'result', id: 'c', tool: 'search', content: [{ type: 'text', text: manual(330) }] }],
      },
    ],
  });
  const handle = handleIn(JSON.stringify(messages));
  const recalled = async (changed: object) => {
    const given = { path, key: HANDLE_KEY, thread: 'one', handle, ...changed };
    const code = `
      import { createConversationShaper } from 'context-shaping-agents';
      import { sqlitePassageStore } from 'context-shaping-agents/passage-store';
      const { path, key, thread, handle } = ${JSON.stringify(given)};
      const store = await sqlitePassageStore({ path });
      const shaper = createConversationShaper({ handleKey: key, maxToolTokens: 300, store });
      const { found, text } = await shaper.recall({ thread, callId: 'r', handle, query: 'pressure of pump 222' });
      console.log(JSON.stringify({ found, text }));
      await store.close();`;
    const options = ['--conditions=context-shaping-source', '--import', 'tsx', '--input-type=module', '-e'];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, code]);
    return JSON.parse(stdout);
  };
  expect(await recalled({})).toEqual({ found: true, text: expect.stringContaining('The pump 222 ') });
  for (const other of [
    { key: 'another key of the handles' },
    { thread: 'two' },
    { path: `${path} of others` },
  ])
    expect((await recalled(other)).found, JSON.stringify(other)).toBe(false);
});

test.runIf(hasSqlite || mustHaveAll)('of a server of MCP', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const searching = () => {
    const server = newServer();
    server.registerTool('search', { inputSchema: z.object({ query: z.string() }) }, () => ({
      content: [{ type: 'text', text: manual(330) }],
    }));
    return server;
  };
  const options = { maxTokens: 500, handleKey: HANDLE_KEY, thread: 'manuals' };
  const one = await connected(searching(), { ...options, store: await storeAt(path) });
  const other = await connected(searching(), { ...options, store: await storeAt(path) });
  const found = await one.callTool({ name: 'search', arguments: { query: 'pump 311' } });
  const recall = { handle: handleIn(textOf(found)), query: 'pressure of pump 222' };
  const recalled = await other.callTool({ name: 'recall_passage', arguments: recall });
  expect(recalled.isError).toBeFalsy();
  expect(textOf(recalled)).toContain('The pump 222 ');
});
