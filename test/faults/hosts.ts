/** Every host of the shaper, called once with the values that a port gives it. */
import type { DocumentInterface } from '@langchain/core/documents';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { TextNode } from '@llamaindex/core/schema';
import { type Chunk, createShaper, type ShapingReport } from 'context-shaping';
import { ContextShapingCompressor, ShapedRetriever } from 'context-shaping/langchain';
import { createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { fakeEmbedder } from 'context-shaping/testing';
import { contextShapingMiddleware, type EvictedEvent } from 'context-shaping-agents/langchain';
import { createService } from 'context-shaping-server';
import { documents, QUESTION, type Wiring } from './ports.js';

/** The outcome of a call: the report, and how many documents went in; or a status of HTTP. */
export interface Came {
  report?: Record<'kept' | 'evicted', readonly { index: number }[]> &
    Partial<Pick<ShapingReport, 'degradations'>>;
  given?: number;
  status?: number;
}

export interface Host {
  name: string;
  /** Names of the ports that can be reached through it. */
  ports: readonly string[];
  call(wiring: Wiring, signal: AbortSignal): Promise<Came>;
}

const OF_SHAPING = [
  'embedder, all texts',
  'embedder, the question',
  'cached embedder, reading',
  'cached embedder, writing',
  'model, score',
  'model, next tokens',
  'judge',
  'token counter',
  'onEvict',
  'onStage',
  'onReport',
];
const OF_CRAG = ['grader', 'rewrite', 'web search'];

/** So little that there is something to choose and to evict. */
const K = 3;

const vectorOf = async (text: string): Promise<number[]> =>
  Array.from(((await fakeEmbedder().embed([text], {}))[0] ?? []) as number[]);
async function chunksOf({ withVectors }: Wiring): Promise<Chunk[]> {
  return Promise.all(
    documents().map(async ({ id, pageContent: text, metadata }) => ({
      id: id as string,
      text,
      metadata,
      ...(withVectors ? { embedding: await vectorOf(text) } : {}),
    })),
  );
}
/** The place at which LangChain's documents have their vectors. */
async function documentOptions({ withVectors }: Wiring) {
  if (!withVectors) return {};
  const vectors = new Map(
    await Promise.all(
      documents().map(async ({ pageContent }) => [pageContent, await vectorOf(pageContent)] as const),
    ),
  );
  return { getEmbedding: ({ pageContent }: DocumentInterface) => vectors.get(pageContent) };
}

const indexOf = (id: string, all: readonly DocumentInterface[]) => all.findIndex((each) => each.id === id);

export const HOSTS: readonly Host[] = [
  {
    name: 'core',
    ports: OF_SHAPING,
    async call(wiring, signal) {
      const chunks = await chunksOf(wiring);
      const shaper = createShaper({ k: K, ...wiring.shaper });
      const { report } = await shaper.shape({ query: QUESTION, chunks, signal });
      return { report, given: chunks.length };
    },
  },
  {
    name: 'compressor',
    ports: OF_SHAPING,
    async call(wiring, signal) {
      const fields = { k: K, ...wiring.shaper, ...(await documentOptions(wiring)) };
      const given = documents();
      const { report } = await new ContextShapingCompressor(fields).shape(given, QUESTION, { signal });
      return { report, given: given.length };
    },
  },
  {
    name: 'ShapedRetriever',
    ports: [...OF_SHAPING, 'retriever'],
    async call(wiring, signal) {
      const fields = { k: K, ...wiring.shaper, ...(await documentOptions(wiring)) };
      const shaping = new ContextShapingCompressor(fields);
      let came: Came = {};
      const compressor = {
        async compressDocuments(...[found, query, callbacks]: Parameters<typeof shaping.compressDocuments>) {
          const shaped = await shaping.shape(found, query, { callbacks });
          came = { report: shaped.report, given: found.length };
          return shaped.documents;
        },
      };
      const retriever = { invoke: wiring.retrieve ?? (async () => documents()) };
      await new ShapedRetriever({ retriever, compressor }).invoke(QUESTION, { signal });
      return came;
    },
  },
  {
    name: 'CRAG graph',
    ports: [...OF_SHAPING, ...OF_CRAG],
    async call(wiring, signal) {
      const fields = {
        ...wiring.crag,
        ...(await documentOptions(wiring)),
        shaper: { k: K, ...wiring.shaper },
      };
      const given = documents();
      const { report } = await createCragGraph(fields).invoke(
        { query: QUESTION, documents: given },
        { signal },
      );
      return { report, given: given.length };
    },
  },
  {
    name: 'LlamaIndex',
    ports: OF_SHAPING,
    async call({ withVectors, shaper }, signal) {
      const nodes = await Promise.all(
        documents().map(async ({ id, pageContent: text }) => {
          const vector = withVectors ? { embedding: await vectorOf(text) } : {};
          return { node: new TextNode({ id_: id as string, text, ...vector }), score: 0.5 };
        }),
      );
      const postprocessor = new ContextShapingPostprocessor({ k: K, ...shaper });
      const { report } = await postprocessor.shape(nodes, QUESTION, { signal });
      return { report, given: nodes.length };
    },
  },
  {
    name: 'agents',
    // Results are shaped on trial, so that no stage is reported. They fit maxToolTokens, so that nothing is cut.
    ports: OF_SHAPING.filter((name) => name !== 'onStage'),
    async call(wiring, signal) {
      const artifact = documents();
      let report: ShapingReport | undefined;
      const onReport = (final: ShapingReport) => {
        report = final;
      };
      const middleware = contextShapingMiddleware({
        k: K,
        maxToolTokens: 4000,
        onReport,
        ...wiring.shaper,
        ...(await documentOptions(wiring)),
      });
      // The host hands on a message; there is an event, and the report for its observer.
      let event: EvictedEvent | undefined;
      const writer = (each: EvictedEvent) => {
        event = each;
      };
      const content = artifact.map(({ pageContent }) => pageContent).join('\n\n');
      const request = {
        toolCall: { id: 'call', name: 'search', args: { query: QUESTION } },
        state: { messages: [new HumanMessage(QUESTION)] },
        runtime: { signal, writer, configurable: { thread_id: 'one' } },
      };
      const result = new ToolMessage({ content, artifact, tool_call_id: 'call' });
      await middleware.wrapToolCall?.(request as never, async () => result);
      const { kept = [], evicted = [] } = event ?? {};
      const told = { kept: kept.map((id) => ({ index: indexOf(id, artifact) })), evicted };
      return { report: report ?? told, given: artifact.length };
    },
  },
  {
    name: 'HTTP service',
    ports: OF_SHAPING,
    async call({ withVectors = false, shaper: { embedder, ...options } = {} }, signal) {
      const setup = { ...(embedder === undefined ? {} : { embedder }), options: { k: K, ...options } };
      const service = await createService({ workers: 0, logger: false, timeLimitMs: 5000, setup });
      try {
        const chunks = await chunksOf({ withVectors });
        const payload = { query: QUESTION, chunks };
        const answer = await Promise.race([
          service.app.inject({ url: '/v1/shape', method: 'POST', payload }),
          // A disconnected client hears nothing.
          new Promise<never>((_, reject) => {
            if (signal.aborted) reject(signal.reason);
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          }),
        ]);
        if (answer.statusCode !== 200) return { status: answer.statusCode };
        return { report: answer.json().report, given: chunks.length };
      } finally {
        // Closing waits for running work; this test does not wait for it.
        void service.close();
      }
    },
  },
];
