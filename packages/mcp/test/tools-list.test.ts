import { expect, test } from 'vitest';
import { answer, call, lines, manual } from './support.js';

const list = (id: number, cursor?: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/list',
  params: cursor === undefined ? {} : { cursor },
});
const tool = (name: string) => ({ name, inputSchema: { type: 'object' }, 'x-unknown': 1 });
const names = ({ result }: Record<string, unknown>) =>
  (result as { tools: { name: string }[] }).tools.map(({ name }) => name);

test('recall_passage is on the last page only, and on the last page of a second listing', async () => {
  const { client, server } = lines();
  for (const round of [10, 20]) {
    client.write(list(round));
    server.write(answer((await server.next()).id, { tools: [tool('a')], nextCursor: 'p' }));
    expect(names(await client.next())).toEqual(['a']);
    client.write(list(round + 1, 'p'));
    server.write(answer((await server.next()).id, { tools: [tool('b')], ttlMs: 5, cacheScope: 'user' }));
    const last = await client.next();
    expect(names(last)).toEqual(['b', 'recall_passage']);
    expect(last.result).toMatchObject({
      ttlMs: 5,
      cacheScope: 'user',
      tools: [tool('b'), { annotations: { readOnlyHint: true }, inputSchema: { required: ['handle'] } }],
    });
  }
});

test('each tool that is shaped names a size for Claude Code, unless the server names one', async () => {
  const size = 'anthropic/maxResultSizeChars';
  const sizes = async (options: Parameters<typeof lines>[0]) => {
    const { client, server } = lines(options);
    client.write(list(1));
    const tools = [tool('a'), { ...tool('b'), _meta: { [size]: 7, other: 1 } }, tool('c')];
    server.write(answer((await server.next()).id, { tools }));
    const { result } = (await client.next()) as { result: { tools: { _meta?: Record<string, number> }[] } };
    return result.tools.map(({ _meta }) => _meta?.[size]);
  };
  expect(await sizes({ except: ['c'] })).toEqual([160_000, 7, undefined, 160_000]);
  expect(await sizes({ maxTokens: 100, readTokens: 200 })).toEqual([1600, 7, 1600, 1600]);
  expect(await sizes({ maxTokens: 10 ** 6 })).toEqual([500_000, 7, 500_000, 500_000]);
});

test('a server with a tool of that name keeps it: its list, its calls and its results pass as they are', async () => {
  const problems: string[] = [];
  const { client, server } = lines({
    maxTokens: 100,
    onError: (error) => problems.push((error as Error).message),
  });
  client.write(list(1));
  server.write(answer((await server.next()).id, { tools: [tool('recall_passage'), tool('b')] }));
  expect(names(await client.next())).toEqual(['recall_passage', 'b']);
  expect(problems).toEqual([
    'The server has a tool named recall_passage of its own, so its results stay whole.',
  ]);

  client.write(call(2, 'recall_passage', { handle: 'x' }));
  expect(await server.next()).toMatchObject({ id: 2 });
  const whole = { content: [{ type: 'text', text: manual(100) }] };
  server.write(answer(2, whole));
  expect((await client.next()).result).toEqual(whole);
});

test('an answer that is no list of tools passes', async () => {
  const { client, server } = lines();
  client.write(list(1));
  server.write(answer((await server.next()).id, { tools: 'none' }));
  expect((await client.next()).result).toEqual({ tools: 'none' });
});
