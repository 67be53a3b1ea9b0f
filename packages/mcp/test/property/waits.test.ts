/** A server, a store or an observer that never answers costs time, and no result. */
import { PassThrough } from 'node:stream';
import { lineTransport, type McpProxyOptions, proxyMcp } from 'context-shaping-mcp';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, call, handleIn, lines, manual, stations, textOf } from '../support.js';

type Json = Record<string, unknown>;

const all = stations(40);
const content = [{ type: 'text', text: JSON.stringify({ stations: all }) }];
const structured = { content, structuredContent: { stations: all } };
const find = (id: number) => call(id, 'find', { query: 'level of Station 17' });
const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
const tool = (name: string) => ({ name, description: 'Finds. '.repeat(20), inputSchema: { type: 'object' } });

/** Answers requests of the proxy; undefined: never. */
type Pages = (cursor: unknown, count: number) => Json | undefined;

/** A proxy before a server with these pages of tools, each of whose results is the same. */
function open(pages: Pages, options: McpProxyOptions = {}) {
  const problems: string[] = [];
  const sides = lines({
    maxTokens: 400,
    timeoutMs: 4000,
    onError: (error) => problems.push((error as Error).message),
    ...options,
  });
  const { server } = sides;
  let asked = 0;
  const serve = async () => {
    for (;;) {
      const { id, method, params } = (await server.next()) as { id: number; method: string; params?: Json };
      if (method === 'tools/call') server.write(answer(id, structured));
      if (method !== 'tools/list') continue;
      const page = pages(params?.cursor, asked++);
      if (page !== undefined) server.write(answer(id, page));
    }
  };
  void serve();
  return { ...sides, problems, asked: () => asked };
}

const WHOLE = 'The server did not list its tools, so structured content of find stays whole.';

/** Lists without an end: from each page to the next, and what the server does when the client comes to it. */
const endless: fc.Arbitrary<Pages> = fc.oneof(
  // Cursors that come again, at once or after some.
  fc.record({ before: fc.nat(5), circle: fc.integer({ min: 1, max: 5 }) }).map(
    ({ before, circle }): Pages =>
      (_, count) => ({
        tools: [tool(`t${count}`)],
        nextCursor: `c${count < before ? count : before + ((count - before) % circle)}`,
      }),
  ),
  // New cursors for ever.
  fc.constantFrom<Pages>(
    (_, count) => ({ tools: [tool(`t${count}`)], nextCursor: `c${count}` }),
    (_, count) => ({ tools: [], nextCursor: `c${count}` }),
  ),
);
const silent: fc.Arbitrary<Pages> = fc.constant<Pages>((_, count) =>
  count === 0 ? { tools: [], nextCursor: 'c' } : undefined,
);

test.each([
  ['of pages without an end', endless, 100],
  ['that never comes', silent, 1],
])(
  'a list %s: structured content stays whole, and the list is not asked for again',
  async (_, lists, numRuns) => {
    await fc.assert(
      fc.asyncProperty(lists, async (pages) => {
        const { client, problems, asked } = open(pages, { timeoutMs: lists === silent ? 8000 : 20_000 });
        client.write(find(1));
        const { id, result } = await client.next();
        expect({ id, result }).toMatchObject({
          id: 1,
          result: { structuredContent: structured.structuredContent },
        });
        expect(problems).toEqual([WHOLE]);
        const before = asked();
        client.write(find(2));
        expect((await client.next()).result).toMatchObject({
          structuredContent: structured.structuredContent,
        });
        expect(asked()).toBe(before);
        expect(client.lines).toEqual([]);
      }),
      { numRuns },
    );
  },
);

test('the opposite: a list with an end is read to its end, no matter how many pages it has', async () => {
  const last = 200;
  const { client, problems } = open(
    (_, count) => ({
      tools: count === last ? [{ ...tool('find'), outputSchema: { type: 'object' } }] : [tool(`t${count}`)],
      ...(count < last && { nextCursor: `c${count}` }),
    }),
    { timeoutMs: 20_000 },
  );
  client.write(find(1));
  const { result } = await client.next();
  expect((result as typeof structured).structuredContent.stations.length).toBeLessThan(all.length);
  expect(problems).toEqual([]);
});

test('an answer of the server that comes too late is dropped, and the server gets a cancellation', async () => {
  const { client, server } = lines({ maxTokens: 400, timeoutMs: 8000 });
  client.write(find(1));
  await server.next();
  server.write(answer(1, structured));
  const { id } = await server.next();
  await client.next();
  expect(await server.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  server.write(answer(id, { tools: [] }));
  server.write(answer('other', {}));
  expect((await client.next()).id).toBe('other');
});

afterEach(() => void vi.useRealTimers());

test('a store and an observer that never answer: the result comes shaped, and a recall has an answer', async () => {
  // Shaping takes no time, so the clock moves only while a store or an observer is asked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked: string[] = [];
  const never = (name: string) => () => {
    asked.push(name);
    setImmediate(() => vi.advanceTimersByTime(4000));
    return new Promise<never>(() => {});
  };
  const problems: string[] = [];
  const { client, server } = lines({
    maxTokens: 300,
    timeoutMs: 8000,
    store: { get: never('get'), set: never('set') },
    onCall: never('onCall'),
    onError: (error) => {
      problems.push((error as Error).message);
      // An observer that rejects ends nothing.
      return Promise.reject(new Error('from an observer'));
    },
  });
  client.write(call(1, 'say', { query: 'pump 31' }));
  await server.next();
  server.write(answer(1, { content: [{ type: 'text', text: manual(40) }] }));
  const { result } = await client.next();
  expect(textOf(result)).toContain('The pump 31 in hall');
  expect(problems).toEqual(['No answer within 4000 ms.', 'No answer within 4000 ms.']);
  client.write(call(2, 'recall_passage', { handle: handleIn(textOf(result)), query: 'pump 99' }));
  const recalled = await client.next();
  expect(recalled).toMatchObject({ id: 2, result: { isError: true } });
  expect(asked.slice(0, 3)).toEqual(['set', 'onCall', 'get']);
});

test('over HTTP, neither a later message nor the end of the client waits for the answer of a request', async () => {
  const input = new PassThrough();
  const sent: Json[] = [];
  const server: Parameters<typeof proxyMcp>[1] = {
    setProtocolVersion: () => {},
    start: async () => {},
    send: (message) => {
      sent.push(message as Json);
      return 'id' in message ? new Promise<never>(() => {}) : Promise.resolve();
    },
    close: async () => server.onclose?.(),
  };
  const done = proxyMcp(lineTransport(input, new PassThrough()), server, { workers: 0 });
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const messages = [find(1), list(2), cancelled, find(3)];
  input.end(`${messages.map((each) => JSON.stringify(each)).join('\n')}\n`);
  expect(await done).toBe('client');
  expect(sent).toEqual(messages);
});
