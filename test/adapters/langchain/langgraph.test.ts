import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import {
  Annotation,
  Command,
  END,
  interrupt,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import {
  ContextShapingCompressor,
  type ContextShapingCompressorFields,
  createShapedRetrieverTool,
  EVICTED_EVENT,
  ShapedRetriever,
} from 'context-shaping/langchain';
import { describe, expect, test } from 'vitest';
import { FixedRetriever, harbour, QUERY } from './support.js';

const State = Annotation.Root({ query: Annotation<string>, documents: Annotation<unknown[]> });
type Retrieve = (query: string) => Promise<unknown[]>;

const graphOf = (retrieve: Retrieve) =>
  new StateGraph(State)
    .addNode('retrieve', async ({ query }) => ({ documents: await retrieve(query) }))
    .addEdge(START, 'retrieve')
    .addEdge('retrieve', END);

/** The three ways in which a node comes to shape documents. */
const ways = (fields: ContextShapingCompressorFields): [string, Retrieve][] => {
  const base = () => new FixedRetriever(harbour());
  const compressor = new ContextShapingCompressor(fields);
  return [
    ['compressDocuments', async (query) => compressor.compressDocuments(harbour(), query)],
    [
      'ContextualCompressionRetriever',
      (query) =>
        new ContextualCompressionRetriever({ baseRetriever: base(), baseCompressor: compressor }).invoke(
          query,
        ),
    ],
    ['ShapedRetriever', (query) => new ShapedRetriever({ retriever: base(), compressor }).invoke(query)],
  ];
};

describe('the stream of the graph', () => {
  test.each(ways({ k: 3 }))('%s in a node writes one chunk', async (_, retrieve) => {
    const chunks = [];
    for await (const chunk of await graphOf(retrieve)
      .compile()
      .stream({ query: QUERY }, { streamMode: 'custom' }))
      chunks.push(chunk);
    expect(chunks).toEqual([
      {
        type: EVICTED_EVENT,
        kept: expect.any(Array),
        evicted: expect.any(Array),
        tokens: expect.any(Object),
        digest: expect.any(String),
      },
    ]);
    expect(chunks[0].kept).toHaveLength(3);
    expect(chunks[0].evicted).toHaveLength(3);
  });
  test.each(ways({ k: 3 }))('%s in a node is seen by streamEvents too', async (_, retrieve) => {
    const names = [];
    for await (const event of graphOf(retrieve).compile().streamEvents({ query: QUERY }, { version: 'v2' })) {
      if (event.event === 'on_custom_event') names.push(event.name);
    }
    expect(names).toEqual([EVICTED_EVENT]);
  });
  test('a chain within the node passes it on with its config', async () => {
    const [, [, retrieve]] = ways({ k: 3 }) as [unknown, [string, Retrieve]];
    const retriever = new ShapedRetriever({ retriever: new FixedRetriever(harbour()), compressor: { k: 3 } });
    const chain = RunnableLambda.from((query: string, config) => retriever.invoke(query, config));
    for (const [name, way] of [
      ['ccr', retrieve],
      ['chain', (query: string) => chain.invoke(query)],
    ] as const) {
      const chunks = [];
      for await (const chunk of await graphOf(way)
        .compile()
        .stream({ query: QUERY }, { streamMode: 'custom' }))
        chunks.push(chunk);
      expect(chunks, name).toHaveLength(1);
    }
  });
  test('a stream without a reader costs no document', async () => {
    const writer = () => {
      throw new Error('closed');
    };
    const compressor = new ContextShapingCompressor({ k: 3 });
    const chain = RunnableLambda.from((query: string) => compressor.compressDocuments(harbour(), query));
    expect(await chain.invoke(QUERY, { configurable: { writer } })).toHaveLength(3);
  });
});

describe('an interrupt from onEvict pauses the graph', () => {
  const reviewing: ContextShapingCompressorFields = {
    k: 3,
    onEvict: ({ id, reason }) => {
      if (reason === 'exact-duplicate' && interrupt({ evict: id }) !== 'yes') throw new Error('refused');
    },
  };
  test.each(ways(reviewing))('%s: and resumes', async (_, retrieve) => {
    const graph = graphOf(retrieve).compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: crypto.randomUUID() } };
    const paused = await graph.invoke({ query: QUERY }, thread);
    expect(isInterrupted(paused)).toBe(true);
    expect(paused).toMatchObject({ __interrupt__: [{ value: { evict: 'h2' } }] });
    expect(paused.documents).toBeUndefined();
    const done = await graph.invoke(new Command({ resume: 'yes' }), thread);
    expect(isInterrupted(done)).toBe(false);
    expect(done.documents).toHaveLength(3);
  });
});

test('the tool in a ToolNode: the model reads text, the documents stay', async () => {
  const documents = harbour();
  const search = createShapedRetrieverTool({
    retriever: new FixedRetriever(documents),
    compressor: { k: 2 },
    name: 'search',
    description: 'Searches the harbour archive.',
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode([search]))
    .addEdge(START, 'tools')
    .addEdge('tools', END)
    .compile();
  const call = new AIMessage({
    content: '',
    tool_calls: [{ id: 'call-1', name: 'search', args: { query: QUERY } }],
  });
  const chunks: { type: string }[] = [];
  let messages: BaseMessage[] = [];
  for await (const [mode, chunk] of await graph.stream(
    { messages: [call] },
    { streamMode: ['custom', 'values'] },
  )) {
    if (mode === 'custom') chunks.push(chunk);
    else messages = chunk.messages;
  }
  const message = messages.at(-1) as ToolMessage;
  expect(message).toMatchObject({ tool_call_id: 'call-1', name: 'search', status: 'success' });
  expect(message.content).toContain('[id: h0, source: harbour-0.md]\nThe harbour bridge');
  expect(message.artifact).toHaveLength(2);
  for (const each of message.artifact) expect(documents).toContain(each);
  expect(chunks.map(({ type }) => type)).toEqual([EVICTED_EVENT]);
});

test('an interrupt pauses through the tool as well', async () => {
  const search = createShapedRetrieverTool({
    retriever: new FixedRetriever(harbour()),
    compressor: { k: 2, onReport: () => void interrupt('look') },
    name: 'search',
    description: 'Searches.',
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode([search]))
    .addEdge(START, 'tools')
    .addEdge('tools', END)
    .compile({ checkpointer: new MemorySaver() });
  const call = new AIMessage({
    content: '',
    tool_calls: [{ id: 'call-1', name: 'search', args: { query: QUERY } }],
  });
  const thread = { configurable: { thread_id: '1' } };
  expect(isInterrupted(await graph.invoke({ messages: [call] }, thread))).toBe(true);
  const { messages } = await graph.invoke(new Command({ resume: true }), thread);
  expect((messages.at(-1) as ToolMessage).artifact).toHaveLength(2);
});
