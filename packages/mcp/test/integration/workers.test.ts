/** Long results are shaped in threads of their own. The proxy is a process, as a client starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { estimateTokens as tokens } from 'context-shaping';
import { lineTransport, proxyMcp, startServer } from 'context-shaping-mcp';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { builtPackage } from '../../../../test/built-package.js';
import { answer, call, handleIn, manual, Side, textOf } from '../support.js';

const MAIN = join(await builtPackage(), 'packages/mcp/dist/main.js');
const BUDGET = 300;

/** Answers a call with the result that is its argument, or with the text. */
const SERVER = `
  const tools = [{ name: 'say', outputSchema: { type: 'object', required: ['items'] } }];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const { text, result = { content: [{ type: 'text', text }] } } = params?.arguments ?? {};
    const answer = { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : result };
    if (id !== undefined) console.log(JSON.stringify(answer));
  });`;

function open(env: Record<string, string> = {}, ...own: string[]) {
  const fragile = ['--import', join(import.meta.dirname, 'fragile.mjs')];
  const flags = ['--store', 'memory', '--max-tokens', String(BUDGET), '--query-field', 'say=query', ...own];
  const child = spawn(process.execPath, [...fragile, MAIN, ...flags, '--', process.execPath, '-e', SERVER], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    client: new Side(child.stdin, child.stdout),
    said: text(child.stderr),
    ended: once(child, 'exit'),
  };
}

/** Too long for the budget, and for the thread that passes messages on. */
const LONG = manual(500);

const say = (id: number, text: string) => call(id, 'say', { query: 'pressure of pump 311', text });
const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

const whole = (id: number, text: string) => answer(id, { content: [{ type: 'text', text }] });

function expectShaped(result: unknown) {
  expect(textOf(result)).toContain('The pump 311 in hall 3 has a pressure of 9641 bar.');
  expect(tokens(textOf(result))).toBeLessThanOrEqual(BUDGET);
}

test('a result whose shaping never ends keeps no other call waiting, nor the end of the process', async () => {
  const { client, said, ended } = open();
  client.write(say(1, `${LONG} This one never ends.`));
  for (let id = 2; id < 20; id++) {
    client.write(say(id, 'Short.'));
    expect(await client.next()).toEqual(whole(id, 'Short.'));
  }
  client.write(say(20, LONG));
  const { id, result } = await client.next();
  expect(id).toBe(20);
  expectShaped(result);
  client.write(call(21, 'recall_passage', { handle: handleIn(textOf(result)), query: 'pump 222' }));
  const recalled = await client.next();
  expect(recalled.id).toBe(21);
  expect(textOf(recalled.result)).toContain('The pump 222 in hall 5 has a pressure of 6882 bar.');
  client.input.end();
  expect(await ended).toEqual([0, null]);
  expect(await said).toBe('');
});

test('results whose shaping never ends pass whole by the clock, and their threads are replaced', async () => {
  const { client, said, ended } = open({}, '--timeout', '8');
  const text = `${LONG} This one never ends.`;
  for (let id = 1; id <= 4; id++) client.write(say(id, text));
  for (let id = 1; id <= 4; id++)
    expect(await client.next((message) => message.id === id)).toEqual(whole(id, text));
  client.write(say(5, LONG));
  expectShaped((await client.next()).result);
  client.input.end();
  expect(await ended).toEqual([0, null]);
  expect(await said).toBe(
    'context-shaping-mcp: The result of say stays whole: it takes more than 8 seconds\n'.repeat(4),
  );
});

test('a cancelled call ends the work on its result, so there is room for a result that waits', async () => {
  const { client, said, ended } = open();
  for (let id = 1; id <= 4; id++) client.write(say(id, `${LONG} This one never ends.`));
  client.write(say(5, LONG));
  client.write(say(6, 'Short.'));
  expect(await client.next()).toEqual(whole(6, 'Short.'));
  client.write(cancel(3));
  const { id, result } = await client.next();
  expect(id).toBe(5);
  expectShaped(result);
  client.input.end();
  expect(await ended).toEqual([0, null]);
  expect(await said).toBe('');
});

test.each([
  ['ends its thread', 'exit'],
  ['fills the memory', 'memory'],
])('a result that %s passes whole, and a line says so; the next is shaped', async (what, why) => {
  const { client, said, ended } = open({ NODE_OPTIONS: '--max-old-space-size=128' });
  const text = `${LONG} This one ${what}.`;
  client.write(say(1, text));
  expect(await client.next()).toEqual(whole(1, text));
  client.write(say(2, LONG));
  expectShaped((await client.next()).result);
  client.input.end();
  expect(await ended).toEqual([0, null]);
  expect(await said).toMatch(
    new RegExp(`^context-shaping-mcp: The result of say stays whole: .*${why}.*\\n$`),
  );
});

test('a call of recall_passage whose thread ends has an answer', async () => {
  const { client, said } = open();
  client.write(call(1, 'recall_passage', { handle: 'x', query: 'This one ends its thread.' }));
  expect((await client.next()).result).toMatchObject({ isError: true });
  client.input.end();
  expect(await said).toMatch(/exit/);
});

test('threads answer as one thread does, byte for byte', async () => {
  const [handleKey, thread] = ['k'.repeat(16), 'of both'];
  const { client } = open({ CONTEXT_SHAPING_HANDLE_KEY: handleKey }, '--thread', thread);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = await startServer(process.execPath, ['-e', SERVER], process.env);
  const options = { maxTokens: BUDGET, queryFields: { say: 'query' }, handleKey, thread, workers: 0 };
  const done = proxyMcp(lineTransport(input, output), server, options);
  const inOne = new Side(input, output);
  const both = async (message: object) => {
    for (const side of [client, inOne]) side.write(message);
    const [threads, one] = await Promise.all([client.next(), inOne.next()]);
    expect(threads).toEqual(one);
    return one?.result;
  };
  const item = fc.record({ id: fc.integer(), text: fc.lorem({ maxCount: 12 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 20, maxLength: 60 }),
      fc.boolean(),
      async (items, repeats) => {
        const content = [{ type: 'text', text: JSON.stringify(repeats ? { items } : items) }];
        const query = items[7]?.text;
        const result = await both(
          call(1, 'say', { query, result: { content, structuredContent: { items } } }),
        );
        const handle = handleIn(textOf(result));
        if (handle !== undefined) await both(call(2, 'recall_passage', { handle, query: items[11]?.text }));
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
  input.end();
  await done;
});
