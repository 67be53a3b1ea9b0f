import type { McpServer } from '@modelcontextprotocol/server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { estimateTokens as tokens } from 'context-shaping';
import type { McpCallReport, McpProxyOptions } from 'context-shaping-mcp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { answer, call, connected, handleIn, lines, newServer, stations, textOf } from './support.js';

const station = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(['river', 'lake', 'coast']),
  level: z.number(),
  remark: z.string(),
});

interface Answer {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** The answer to a client that calls the tool `find`, whose result has this content and schema. */
async function found(result: Answer, outputSchema?: z.ZodType, options: McpProxyOptions = {}) {
  const server: McpServer = newServer();
  const schemas = { inputSchema: z.object({ query: z.string() }), ...(outputSchema && { outputSchema }) };
  server.registerTool('find', schemas as never, () => result as never);
  const reports: McpCallReport[] = [];
  const client = await connected(server, {
    maxTokens: 1500,
    onCall: (report) => reports.push(report),
    ...options,
  });
  await client.listTools();
  const sent = (await client.callTool({
    name: 'find',
    arguments: { query: 'level of Station 177' },
  })) as unknown as Answer;
  const [first = '', ...notes] = sent.content.map(({ text }) => text);
  return { sent, first, notes, report: reports[0], client };
}

const all = stations(300);
const answering = all[177];
const asText = (value: unknown) => [{ type: 'text' as const, text: JSON.stringify(value) }];

test('JSON stays JSON, has the answering record, and the note is a text of its own', async () => {
  const { first, notes, client } = await found({ content: asText(all) });
  const kept = JSON.parse(first);
  expect(kept).toContainEqual(answering);
  for (const each of kept) expect(all).toContainEqual(each);
  expect(kept.length).toBeLessThan(100);
  expect(tokens([first, ...notes].join('\n\n'))).toBeLessThanOrEqual(1500);
  const recalled = await client.callTool({
    name: 'recall_passage',
    arguments: { handle: handleIn(notes.join('')), query: 'Station 291' },
  });
  expect(textOf(recalled)).toContain('Station 291');
});

test('structured content that a text repeats is shaped once: both agree, are valid, and fit', async () => {
  const structuredContent = { stations: all, total: 300 };
  const schema = z.object({ stations: z.array(station), total: z.number() });
  const { sent, first, notes, report } = await found(
    { content: asText(structuredContent), structuredContent },
    schema,
  );
  expect(JSON.parse(first)).toEqual(sent.structuredContent);
  expect(schema.parse(sent.structuredContent).stations).toContainEqual(answering);
  expect(sent.structuredContent?.total).toBe(300);
  expect(notes).toHaveLength(1);
  for (const view of Object.values(report?.tokens ?? {})) expect(view.sent).toBeLessThanOrEqual(1500);
  expect(report?.tokens.structured).toEqual({
    given: tokens(JSON.stringify(structuredContent)),
    sent: tokens(first),
  });
});

test('a schema that allows further fields gets the note in the structured content too', async () => {
  const structuredContent = { stations: all };
  const { sent, notes } = await found(
    { content: asText(structuredContent), structuredContent },
    z.looseObject({ stations: z.array(station) }),
  );
  expect(sent.structuredContent?.context_shaping_note).toBe(notes[0]);
});

test.each([
  ['a field as JSON', { content: asText(all), structuredContent: { result: all } }],
  ['a field, an element a text', { content: all.flatMap(asText), structuredContent: { result: all } }],
])('structured content repeats the texts in %s, as frameworks write it', async (_, result) => {
  const { sent, first } = await found(result, z.object({ result: z.array(station) }));
  const { result: kept } = sent.structuredContent as { result: unknown[] };
  expect(kept).toContainEqual(answering);
  expect(kept.length).toBeLessThan(100);
  const texts = sent.content.map(({ text }) => text).filter((text) => /^[[{]"?[^O]/.test(text));
  expect(texts.flatMap((text) => JSON.parse(text))).toEqual(kept);
  expect(first).not.toBe('');
});

test('a field that is the text itself is shaped as a text, and both agree', async () => {
  const text = all.map(({ name, level }) => `## ${name}\n\nThe level of ${name} is ${level}.`).join('\n\n');
  const { sent, report } = await found(
    { content: [{ type: 'text', text }], structuredContent: { result: text } },
    z.object({ result: z.string() }),
  );
  expect(sent.structuredContent).toEqual({ result: textOf(sent) });
  expect(textOf(sent)).toContain(`The level of Station 177 is ${answering?.level}.`);
  expect(report?.tokens.structured?.sent).toBeLessThanOrEqual(1500);
});

test('structured content that no text repeats is shaped on its own', async () => {
  const { sent } = await found(
    { content: [{ type: 'text', text: 'Found 300.' }], structuredContent: { stations: all } },
    z.object({ stations: z.array(station) }),
  );
  expect(sent.content[0]?.text).toBe('Found 300.');
  expect(sent.structuredContent?.stations).toContainEqual(answering);
  expect(tokens(JSON.stringify(sent.structuredContent))).toBeLessThanOrEqual(1500);
  expect(handleIn(textOf(sent))).toMatch(/^[\w-]{22}$/);
});

test('structured content that cannot shrink within its schema stays whole; the text is shaped', async () => {
  const structuredContent = { stations: all };
  const { sent, first } = await found(
    { content: asText(structuredContent), structuredContent },
    z.object({ stations: z.array(station).min(300) }),
  );
  expect(sent.structuredContent).toEqual(structuredContent);
  expect(tokens(first)).toBeLessThanOrEqual(1500);
});

const ask = (id: number) => call(id, 'find', { query: 'level of Station 177' });
const structured = { content: asText({ stations: all }), structuredContent: { stations: all } };

test('a client that never lists the tools: the proxy asks for the schemas itself, page by page', async () => {
  const { client, server } = lines({ maxTokens: 1500 });
  client.write(ask(1));
  await server.next();
  server.write(answer(1, structured));
  for (const page of [
    { tools: [], nextCursor: 'p' },
    {
      tools: [
        {
          name: 'find',
          outputSchema: { type: 'object', properties: { stations: { type: 'array', minItems: 300 } } },
        },
      ],
    },
  ]) {
    const asked = await server.next();
    expect(asked.method).toBe('tools/list');
    server.write(answer(asked.id, page));
  }
  expect((await client.next()).result).toMatchObject({ structuredContent: structured.structuredContent });
  expect(client.lines).toEqual([]);
});

test('a server that does not list its tools: structured content stays whole', async () => {
  const problems: unknown[] = [];
  const { client, server } = lines({
    maxTokens: 1500,
    onError: (error) => problems.push((error as Error).message),
  });
  client.write(ask(1));
  await server.next();
  server.write(answer(1, structured));
  const { id } = await server.next();
  server.write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  const { result } = await client.next();
  expect(result).toMatchObject({ structuredContent: structured.structuredContent });
  expect(tokens(textOf(result))).toBeLessThanOrEqual(1500);
  expect(problems).toEqual(['The server did not list its tools, so structured content of find stays whole.']);
});

/** Random records, as servers return them. */
const records = fc.array(
  fc.record({
    id: fc.integer(),
    text: fc.lorem({ maxCount: 12 }),
    tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    more: fc.option(fc.jsonValue(), { nil: undefined }),
  }),
  { minLength: 20, maxLength: 60 },
);

test('generated results: JSON parses, structured content is valid and agrees, and no record is of another', async () => {
  const schema = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', required: ['id', 'text', 'tags'] } } },
    required: ['items'],
  };
  const isValid = new Ajv2020({ strict: false }).compile(schema);
  await fc.assert(
    fc.asyncProperty(records, fc.boolean(), async (items, pretty) => {
      const value = JSON.parse(JSON.stringify({ items }));
      const { client, server } = lines({ maxTokens: 300 });
      client.write({ jsonrpc: '2.0', id: 0, method: 'tools/list' });
      await server.next();
      server.write(answer(0, { tools: [{ name: 'find', outputSchema: schema }] }));
      await client.next();
      client.write(ask(1));
      await server.next();
      server.write(
        answer(1, {
          content: [{ type: 'text', text: JSON.stringify(value, null, pretty ? 2 : 0) }],
          structuredContent: value,
        }),
      );
      const result = (await client.next()).result as Answer;
      expect(isValid(result.structuredContent)).toBe(true);
      const { context_shaping_note: _, ...kept } = result.structuredContent as {
        context_shaping_note?: string;
        items: { id: number; text: string }[];
      };
      expect(JSON.parse(result.content[0]?.text as string)).toEqual(kept);
      const known = value.items.map(({ id, text }: { id: number; text: string }) => `${id} ${text}`);
      for (const { id, text } of kept.items) expect(known).toContain(`${id} ${text}`);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});
