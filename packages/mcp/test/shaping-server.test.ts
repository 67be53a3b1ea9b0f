import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createShaper } from 'context-shaping';
import { createShapingServer } from 'context-shaping-mcp';
import { expect, onTestFinished, test } from 'vitest';
import { handleIn, textOf } from './support.js';

const chunks = [
  {
    id: 'terms',
    text: 'The warranty lasts three years from delivery.',
    score: 0.83,
    metadata: { source: 'terms.md' },
  },
  { id: 'faq', text: 'The warranty lasts three years, from delivery!', score: 0.82 },
  { id: 'old', text: 'The warranty lasts two years from delivery.', score: 0.7 },
  { id: 'returns', text: 'Returns are free within thirty days.', score: 0.55 },
  { id: 'jobs', text: 'We are hiring engineers in Lisbon and Oslo.', score: 0.31 },
  { id: 'canteen', text: `The canteen has soup. ${'It is warm and good. '.repeat(40)}`, score: 0.2 },
];
const request = {
  query: 'How long does the warranty last?',
  chunks,
  options: { budget: { maxTokens: 120 } },
};

async function open(options = {}): Promise<Client> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const server = createShapingServer(options);
  await server.connect(serverEnd as never);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(clientEnd);
  onTestFinished(() => client.close());
  return client;
}

test('the tools are read-only and have schemas', async () => {
  const { tools } = await (await open()).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['shape_context', 'explain', 'recall_passage']);
  for (const { annotations, inputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(inputSchema.type).toBe('object');
  }
  expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([true, true, false]);
});

test('shape_context keeps the passages that answer, and recall_passage reads the rest', async () => {
  const client = await open();
  // The client validates the structured content.
  await client.listTools();
  const result = await client.callTool({ name: 'shape_context', arguments: request });
  const { context, kept, evicted } = result.structuredContent as {
    context: string;
    kept: string[];
    evicted: object[];
  };
  expect(textOf(result)).toBe(context);

  expect(context).toContain('[terms] The warranty lasts three years from delivery.');
  expect(kept).toContain('terms');
  expect(kept).not.toContain('faq');
  expect(evicted).toContainEqual({ id: 'faq', stage: 'exact-dedup', reason: 'exact-duplicate' });
  const recalled = await client.callTool({
    name: 'recall_passage',
    arguments: { handle: handleIn(context) },
  });
  expect(textOf(recalled)).toContain('The canteen has soup.');
});

test('a context that fits stays, and the budget of the request comes before that of the server', async () => {
  const client = await open({ maxTokens: 40 });
  const few = { ...request, chunks: chunks.slice(3, 5) };
  const { structuredContent } = await client.callTool({ name: 'shape_context', arguments: few });
  expect(structuredContent).toMatchObject({ kept: ['returns', 'jobs'], evicted: [] });
});

test('explain says why a chunk is left out', async () => {
  const client = await open();
  await client.listTools();
  const one = await client.callTool({ name: 'explain', arguments: { ...request, ids: ['faq'] } });
  expect(textOf(one)).toContain('faq');
  expect(one.structuredContent).toMatchObject({ explanations: [{ id: 'faq' }] });
  const all = await client.callTool({ name: 'explain', arguments: request });
  const { report } = await createShaper(request.options).shape(request);
  const { explanations } = all.structuredContent as { explanations: { id: string }[] };
  expect(explanations.map(({ id }) => id)).toEqual(report.evicted.map(({ id }) => id));
});

test.each([
  ['shape_context', { ...request, options: { budget: { maxTokens: -1 } } }, '$.options.budget.maxTokens'],
  ['shape_context', { ...request, chunks: [{ id: 'a', text: 'x', score: 'high' }] }, 'score'],
  ['shape_context', { ...request, options: { unknown: 1 } }, '$.options.unknown'],
  ['explain', { ...request, ids: ['no such id'] }, 'no such id'],
  ['recall_passage', { handle: 'x' }, 'handle'],
])('wrong arguments of %s are an error with the place: %#', async (name, args, place) => {
  const result = await (await open()).callTool({ name, arguments: args as Record<string, unknown> });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(place);
});
