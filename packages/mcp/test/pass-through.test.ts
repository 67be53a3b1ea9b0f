import { setTimeout as pause } from 'node:timers/promises';
import { estimateTokens } from 'context-shaping';
import type { McpCallReport } from 'context-shaping-mcp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, call, lines, manual } from './support.js';

/** Messages that the proxy does not know, with the notation of their numbers and with spaces; and lines that are none. */
const unknown = fc.oneof(
  fc
    .record({
      method: fc.constantFrom(
        'future/method',
        'resources/read',
        'notifications/progress',
        'sampling/createMessage',
      ),
      params: fc.jsonValue(),
      extra: fc.jsonValue(),
    })
    .chain((message) =>
      fc.constantFrom(
        ...[{ ...message, id: 1 }, { ...message, id: 'é' }, message].map((each) =>
          JSON.stringify({ jsonrpc: '2.0', ...each }),
        ),
      ),
    ),
  fc.jsonValue().map((value) => JSON.stringify({ jsonrpc: '2.0', id: 99, result: value })),
  fc.jsonValue().map((value) => JSON.stringify([{ jsonrpc: '2.0', method: 'a/b', params: value }, value])),
  fc.constantFrom(
    '{"id":1,"result":12345678901234567890.10}',
    '{ "jsonrpc" : "2.0" }',
    'Server started',
    '{"broken":',
    '7',
    'null',
    '"\\ud800"',
  ),
);

test('what the proxy does not change passes byte for byte, in order, both ways', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(unknown, { maxLength: 8 }),
      fc.array(unknown, { maxLength: 8 }),
      async (asked, told) => {
        const { client, server } = lines();
        for (const line of asked) client.write(line);
        for (const line of told) server.write(line);
        while (server.lines.length < asked.length || client.lines.length < told.length) await pause(1);
        expect(server.lines).toEqual(asked);
        expect(client.lines).toEqual(told);
      },
    ),
    { numRuns: 300 },
  );
});

test('a message that arrives in pieces, with CR LF, or with many in one piece', async () => {
  const { client, server } = lines();
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'ä€😀' } });
  for (const byte of Buffer.from(`${line}\r\n`)) client.input.write(Buffer.from([byte]));
  client.input.write(`${line}\n\n${line}\n`);
  while (server.lines.length < 3) await pause(1);
  expect(server.lines).toEqual([line, line, line]);
});

test('20 MB in one message', async () => {
  const { client, server } = lines();
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: 'a'.repeat(20_000_000) });
  server.write(line);
  while (client.lines.length < 1) await pause(1);
  expect(client.lines[0] === line).toBe(true);
});

test('results that fit, errors of tools, errors of the protocol and unknown results pass byte for byte', async () => {
  const { client, server } = lines({ maxTokens: 100 });
  const answers = [
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"short"}],"structuredContent":{"a":1.0}}}',
    JSON.stringify(answer(2, { isError: true, content: [{ type: 'text', text: manual(100) }] })),
    '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no", "data": 1.0}}',
    '{"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","inputRequests":{}}}',
    '{"jsonrpc":"2.0","id":5,"result":{"content":[7]}}',
    '{"jsonrpc":"2.0","id":6,"result":null}',
  ];
  for (const id of answers.keys()) client.write(call(id + 1, 'search', { query: 'pump' }));
  while (server.lines.length < answers.length) await pause(1);
  for (const line of answers) server.write(line);
  while (client.lines.length < answers.length) await pause(1);
  expect(client.lines.sort()).toEqual(answers.sort());
});

test('images and links stay, and are counted', async () => {
  const reports: McpCallReport[] = [];
  const { client, server } = lines({ maxTokens: 200, onCall: (report) => reports.push(report) });
  const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
  client.write(call(1, 'search', { query: 'pressure of pump 8' }));
  await server.next();
  server.write(answer(1, { content: [image, { type: 'text', text: manual(100) }, link, image] }));
  const { result } = await client.next();
  const { content } = result as { content: { type: string }[] };
  expect(content.filter(({ type }) => type !== 'text')).toEqual([image, link, image]);
  const [{ unknown, tokens } = { unknown: [], tokens: undefined }] = reports;
  expect(unknown).toEqual([{ kind: 'image', count: 2 }]);
  const written = '{"uri":"file:///a","name":"a"}';
  expect(tokens?.content.given).toBe(estimateTokens(manual(100)) + estimateTokens(written));
});
