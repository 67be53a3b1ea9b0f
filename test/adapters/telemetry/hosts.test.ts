/** The same spans, whichever way leads to the shaper. */
import { Document } from '@langchain/core/documents';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { createShaper, type ShapingOptions } from 'context-shaping';
import { ContextShapingCompressor } from 'context-shaping/langchain';
import { createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { createService } from 'context-shaping-server';
import { createAgent } from 'langchain';
import { TextNode } from 'llamaindex';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ScriptedModel, searching } from '../../../packages/agents/test/langchain/support.js';
import { harbour, QUERY } from '../langchain/support.js';
import { sdk, treeOf } from './sdk.js';

const tight: ShapingOptions = { k: 3, budget: { maxTokens: 60 } };
const documents = () => harbour().map(({ id, pageContent }) => new Document({ id: String(id), pageContent }));
const chunks = documents().map(({ id, pageContent }) => ({
  id: String(id),
  text: pageContent,
  metadata: {},
}));

const hosts: [name: string, run: (options: ShapingOptions) => Promise<unknown>][] = [
  ['a compressor', (options) => new ContextShapingCompressor(options).compressDocuments(documents(), QUERY)],
  [
    'the graph of corrective retrieval',
    (options) => createCragGraph({ shaper: options }).invoke({ query: QUERY, documents: documents() }),
  ],
  [
    'a node postprocessor',
    (options) => {
      const nodes = chunks.map(({ id, text }) => ({ node: new TextNode({ id_: id, text }) }));
      return new ContextShapingPostprocessor(options).postprocessNodes(nodes as never, QUERY);
    },
  ],
  [
    'the service',
    async (options) => {
      const { app, close } = await createService({ workers: 0, setup: { options }, logger: false });
      const reply = await app.inject({
        method: 'POST',
        url: '/v1/shape',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ query: QUERY, chunks, options: { ranked: true } }),
      });
      await close();
      expect(reply.statusCode).toBe(200);
    },
  ],
];

/** Attributes that differ between two equal calls, or because the caller writes an option in another place. */
const comparable = ({ attributes }: ReadableSpan) => {
  const { 'context_shaping.digest': digest, ...rest } = attributes;
  expect(typeof digest).toBe('string');
  return rest;
};

test.each(hosts)('%s', async (_, run) => {
  const direct = sdk({ texts: true });
  await createShaper({ ...tight, telemetry: direct.telemetry }).shape({ query: QUERY, chunks, ranked: true });
  const kit = sdk({ texts: true });
  const outer = kit.tracer.startSpan('request');
  await context.with(trace.setSpan(context.active(), outer), () =>
    run({ ...tight, telemetry: kit.telemetry }),
  );
  outer.end();
  const shaped = kit.span('context_shaping.shape');
  expect(comparable(shaped)).toEqual(comparable(direct.span('context_shaping.shape')));
  expect(shaped.events.map(({ name }) => name)).toEqual(
    direct.span('context_shaping.shape').events.map(({ name }) => name),
  );
  // Everything is in the trace of the request.
  expect(treeOf(kit.spans())[0]).toBe('request');
  expect(treeOf(kit.spans())).toHaveLength(kit.spans().length);
});

test('an agent', async () => {
  const kit = sdk({ texts: true });
  const search = tool(
    async () => [
      documents()
        .map(({ pageContent }) => pageContent)
        .join('\n\n'),
      documents(),
    ],
    {
      name: 'search',
      description: 'Searches.',
      schema: z.object({ query: z.string() }),
      responseFormat: 'content_and_artifact',
    },
  );
  const agent = createAgent({
    model: new ScriptedModel(searching),
    tools: [search],
    middleware: [contextShapingMiddleware({ maxToolTokens: 120, telemetry: kit.telemetry, maxTokens: 4000 })],
  });
  await agent.invoke({ messages: [new HumanMessage(QUERY)] });
  const spans = kit.spans().filter(({ name }) => name === 'context_shaping.shape');
  expect(spans.length).toBeGreaterThan(0);
  expect(spans[0]?.attributes).toMatchObject({
    'openinference.span.kind': 'RERANKER',
    'reranker.query': QUERY,
    'context_shaping.chunks.input': 6,
  });
});

test('a degradation that an adapter adds is in the span, and the digest is that of the report', async () => {
  const kit = sdk();
  const compressor = new ContextShapingCompressor({ telemetry: kit.telemetry, scoreField: 'absent' });
  const { report } = await compressor.shape(documents(), QUERY);
  expect(report.degradations.map(({ code }) => code)).toEqual(['option-without-effect']);
  const { attributes, events } = kit.span('context_shaping.shape');
  expect(attributes['context_shaping.digest']).toBe(report.digest);
  expect(events.filter(({ name }) => name === 'context_shaping.degradation')).toHaveLength(1);
});

test('a request to the service has its shaping in the trace that its headers name', async () => {
  const kit = sdk();
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  try {
    const setup = { options: { telemetry: kit.telemetry } };
    const { app, close } = await createService({ workers: 0, setup, logger: false });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    for (const traceparent of [`00-${trace}-b7ad6b7169203331-01`, 'nonsense'])
      await app.inject({
        method: 'POST',
        url: '/v1/shape',
        headers: { 'content-type': 'application/json', traceparent },
        payload: JSON.stringify({ query: QUERY, chunks }),
      });
    await close();
    const [named, unnamed] = kit.spans();
    expect(named?.spanContext().traceId).toBe(trace);
    expect(named?.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
    expect(unnamed?.parentSpanContext).toBeUndefined();
  } finally {
    propagation.disable();
  }
});
