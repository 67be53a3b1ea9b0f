/** Lists of tools within a budget. */
import { Ajv } from 'ajv';
import { estimateTokens as count } from 'context-shaping';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listWithin } from '../src/tools-budget.js';
import { answer, call, handleIn, lines, manual, textOf } from './support.js';

type Json = Record<string, unknown>;

/** A tool with a description of three sentences, and two arguments that are described as long. */
const tool = (name: string, does: string, more: Json = {}) => ({
  name,
  description: `${does}. It takes the name of a thing, e.g. of a pump. It was measured in hall 3.`,
  inputSchema: {
    type: 'object',
    properties: {
      description: {
        type: 'string',
        description: 'The text of the thing. It may be long, and have several lines.',
      },
      kind: { enum: ['pump', 'valve'], description: 'Its kind. A pump moves water, and a valve holds it.' },
    },
    required: ['description'],
  },
  ...more,
});
const tools = [
  tool('create_thing', 'Creates a thing'),
  tool('delete_thing', 'Deletes a thing'),
  tool('open_valve', 'Opens a valve in a hall'),
  tool('read_pressure', 'Reads the pressure of a pump in bar', { annotations: { readOnlyHint: true } }),
  tool('list_halls', 'Lists all halls of the works'),
];
const own = [{ name: 'recall_passage', description: 'Reads. The rest.', inputSchema: { type: 'object' } }];
const tokensOf = (list: readonly Json[]) =>
  list.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + count(JSON.stringify({ name, description, inputSchema })),
    0,
  );
const within = (most: number, given: readonly Json[] = tools) => listWithin(given, own, most, count);

test('a list that fits stays as it is', () => {
  expect(within(tokensOf([...tools, ...own]))).toEqual({ tools: [...tools, ...own], hidden: [] });
});

test('then descriptions of tools have one sentence, and then those of arguments; ours stay', () => {
  const first = within(tokensOf([...tools, ...own]) - 1);
  const [thing] = first.tools;
  expect(thing).toEqual({ ...tools[0], description: 'Creates a thing.' });
  expect(first.tools.at(-1)).toBe(own[0]);
  const second = within(tokensOf(first.tools) - 1);
  expect(second.hidden).toEqual([]);
  expect(second.tools[0]).toEqual({
    ...thing,
    inputSchema: {
      ...tools[0]?.inputSchema,
      properties: {
        description: { type: 'string', description: 'The text of the thing.' },
        kind: { enum: ['pump', 'valve'], description: 'Its kind.' },
      },
    },
  });
});

test('then the last tools are behind find_tools, whose hints are those of the most dangerous one', () => {
  const most = 200;
  const { tools: listed, hidden } = within(most);
  expect(tokensOf(listed)).toBeLessThanOrEqual(most);
  const names = listed.map(({ name }) => name);
  expect(names.slice(-2)).toEqual(['find_tools', 'recall_passage']);
  expect([...names.slice(0, -2), ...hidden.map(({ name }) => name)].sort()).toEqual(
    tools.map(({ name }) => name).sort(),
  );
  expect(hidden).toContain(tools[4]);
  expect(listed.at(-2)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  const safe = tools.map((each) => ({
    ...each,
    annotations: { readOnlyHint: true, destructiveHint: false },
  }));
  expect(within(most, safe).tools.at(-2)?.annotations).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
    openWorldHint: true,
  });
});

test('a server with a tool named find_tools keeps all of its tools in the list', () => {
  const { tools: listed, hidden } = within(1, [...tools, tool('find_tools', 'Finds tools')]);
  expect(listed).toHaveLength(tools.length + 2);
  expect(hidden).toEqual([]);
});

/** Schemas with descriptions everywhere, also as the names of properties. */
const schemas = fc.letrec<{ schema: Json }>((tie) => {
  const description = fc.constant('One sentence. A second sentence that goes.');
  const leaf = fc.record({ description, type: fc.constantFrom('string', 'number', 'boolean') });
  const inner = tie('schema');
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ description, enum: fc.constant(['One sentence. A second sentence that goes.', 'b']) }),
      fc.record({ description, type: fc.constant('array'), items: inner }),
      fc.record({ description, anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }) }),
      fc.record({
        description,
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('description', 'a', 'items', 'anyOf'), inner),
        required: fc.constantFrom([], ['description']),
      }),
    ),
  };
}).schema;

test('a shortened schema admits the same values', () => {
  const ajv = new Ajv({ strict: false });
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(schemas, fc.array(value, { minLength: 1, maxLength: 5 }), (inputSchema, values) => {
      const { tools: listed } = within(1, [{ name: 'find_tools', inputSchema }]);
      const short = listed[0]?.inputSchema as Json;
      expect(JSON.stringify(short)).not.toContain('"description":"One sentence. A');
      const [before, after] = [ajv.compile(inputSchema), ajv.compile(short)];
      for (const each of [...values, { description: 'b' }, ['b'], 'b'])
        expect(after(each)).toBe(before(each));
    }),
    { numRuns: 200 },
  );
});

const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

/** A proxy whose client has asked for the list of a server with two pages of tools. */
async function listed(toolsBudget: number, options = {}) {
  const { client, server } = lines({ toolsBudget, maxTokens: 300, ...options });
  client.write(list(1));
  server.write(answer((await server.next()).id, { tools: tools.slice(0, 2), nextCursor: 'p', ttlMs: 5 }));
  const second = await server.next();
  expect(second.params).toEqual({ cursor: 'p' });
  server.write(answer(second.id, { tools: tools.slice(2) }));
  return { client, server, result: (await client.next()).result as { tools: Json[] } };
}

test('all pages are one list within the budget', async () => {
  const { result } = await listed(350);
  expect(result).toMatchObject({ ttlMs: 5 });
  expect(result).not.toHaveProperty('nextCursor');
  expect(tokensOf(result.tools)).toBeLessThanOrEqual(350);
  expect(result.tools.map(({ name }) => name)).toContain('find_tools');
});

test('find_tools names hidden tools, returns the definitions that a query asks for, and calls them', async () => {
  const { client, server, result } = await listed(250);
  const shown = result.tools.map(({ name }) => name);
  const ask = async (id: number, args: Json) => {
    client.write(call(id, 'find_tools', args));
    const { result: found } = await client.next();
    return found as Json;
  };
  const all = textOf(await ask(2, {}));
  for (const { name } of tools) expect(all.includes(`${name}: `)).toBe(!shown.includes(name));

  expect(shown).not.toContain('read_pressure');
  const [best] = textOf(await ask(3, { query: 'how many bar does a pump have?' })).split('\n');
  const { name, description, inputSchema } = tools[3] as Json;
  expect(JSON.parse(best as string)).toEqual({ name, description, inputSchema });

  const args = { name: 'read_pressure', arguments: { query: 'pressure of pump 311' } };
  client.write(call(4, 'find_tools', args));
  const reached = await server.next();
  expect(reached).toMatchObject({ id: 4, method: 'tools/call', params: { ...args } });
  server.write(answer(4, { content: [{ type: 'text', text: manual(330) }] }));
  const shaped = (await client.next()).result;
  expect(textOf(shaped)).toContain('The pump 311 in hall 3 has a pressure of 9641 bar.');
  expect(count(textOf(shaped))).toBeLessThanOrEqual(300);
  expect(handleIn(textOf(shaped))).toMatch(/^[\w-]{22}$/);

  const wrong = await ask(5, { name: 'no_such_tool', arguments: {} });
  expect(wrong).toMatchObject({ isError: true });
  expect(textOf(wrong)).toContain('no_such_tool');
});

test('without hidden tools, find_tools is a tool of the server like any other', async () => {
  const { client, server } = await listed(10_000);
  client.write(call(2, 'find_tools', { query: 'x' }));
  expect(await server.next()).toMatchObject({ id: 2, params: { name: 'find_tools' } });
  server.write(answer(2, { content: [] }));
  await client.next();
});
