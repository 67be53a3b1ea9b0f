/**
 * The runs that LangSmith gets of a shaping, by the real tracer of LangChain: at the HTTP port, and in its collector
 * of runs.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { RunnableLambda } from '@langchain/core/runnables';
import { RunCollectorCallbackHandler } from '@langchain/core/tracers/run_collector';
import { LangChainTracer } from '@langchain/core/tracers/tracer_langchain';
import { ContextShapingCompressor, ShapedRetriever } from 'context-shaping/langchain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixedRetriever, harbour, QUERY } from '../../../adapters/langchain/support.js';

interface Run {
  id: string;
  name?: string;
  session_name?: string;
  extra?: { metadata?: Record<string, unknown> };
  outputs?: Record<string, unknown>;
}

/** The end of LangSmith that takes runs. Later parts of a run replace earlier ones. */
const received = new Map<string, Run>();
const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') {
    response.end(JSON.stringify({ batch_ingest_config: { use_multipart_endpoint: false } }));
    return;
  }
  const { post = [], patch = [] } = (await json(request)) as { post?: Run[]; patch?: Run[] };
  for (const run of [...post, ...patch]) received.set(run.id, { ...received.get(run.id), ...run });
  response.end('{}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.LANGSMITH_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.LANGSMITH_API_KEY = 'none';
});
afterAll(() => {
  delete process.env.LANGSMITH_ENDPOINT;
  delete process.env.LANGSMITH_API_KEY;
  server.close();
});

async function sent(tracer: LangChainTracer): Promise<void> {
  await awaitAllCallbacks();
  await (
    tracer.client as unknown as { awaitPendingTraceBatches(): Promise<void> }
  ).awaitPendingTraceBatches();
}

const tight = { k: 3, budget: { maxTokens: 60 } };

test('the report with every eviction is in the outputs of the run', async () => {
  const tracer = new LangChainTracer({ projectName: 'compressor' });
  const compressor = new ContextShapingCompressor(tight);
  const around = RunnableLambda.from((query: string) => compressor.compressDocuments(harbour(), query));
  await around.invoke(QUERY, { callbacks: [tracer], metadata: { mine: 1 }, runName: 'around' });
  await sent(tracer);
  const run = [...received.values()].find(
    ({ name, session_name }) => name === 'ContextShapingCompressor' && session_name === 'compressor',
  );
  expect(run?.extra?.metadata).toMatchObject({ mine: 1 });
  expect(run?.outputs).toMatchObject({
    documents: { length: 3 },
    report: { evicted: { length: 3, 0: { id: 'h2', reason: 'exact-duplicate', keptId: 'h0' } } },
  });
});

test('a retriever that nothing is around is traced as well', async () => {
  const tracer = new LangChainTracer({ projectName: 'retriever' });
  const compressor = new ContextShapingCompressor(tight);
  const retriever = new ShapedRetriever({ retriever: new FixedRetriever(harbour()), compressor });
  await retriever.invoke(QUERY, { callbacks: [tracer] });
  await sent(tracer);
  const runs = [...received.values()].filter((run) => run.session_name === 'retriever');
  expect(runs.map(({ name, outputs }) => [name, Object.keys(outputs ?? {})]).toSorted()).toEqual([
    ['ContextShapingCompressor', ['documents', 'report']],
    ['FixedRetriever', ['documents']],
    ['ShapedRetriever', ['documents']],
  ]);
});

test('a collector of runs has the report in the outputs of the run', async () => {
  const collector = new RunCollectorCallbackHandler();
  const { report } = await new ContextShapingCompressor(tight).shape(harbour(), QUERY, {
    callbacks: [collector],
  });
  expect(collector.tracedRuns.map(({ name, outputs }) => [name, outputs?.report])).toEqual([
    ['ContextShapingCompressor', report],
  ]);
});
