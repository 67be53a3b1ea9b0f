/** Spans of corrective retrieval. */
import { Command, MemorySaver } from '@langchain/langgraph';
import { SpanStatusCode } from '@opentelemetry/api';
import { createShaper, type Telemetry } from 'context-shaping';
import { createCragGraph } from 'context-shaping/langgraph';
import { expect, test } from 'vitest';
import { documents, fixedGrader, query, web } from '../langgraph/support.js';
import { sdk, treeOf } from './sdk.js';

const input = { query, documents: documents(0.5) };
const thread = { configurable: { thread_id: 't' } };

test('each shaping, grade, rewrite, search and review of a run is a span', async () => {
  const kit = sdk({ texts: true });
  const graph = createCragGraph({
    shaper: { telemetry: kit.telemetry },
    // One batch, so that the order of the spans is always the same.
    grader: { ...fixedGrader(), batchSize: Number.POSITIVE_INFINITY },
    webSearch: async () => [web('found', 0.6)],
    review: true,
    checkpointer: new MemorySaver(),
  });
  await graph.invoke(input, thread);
  const paused = kit.span('context_shaping.review');
  expect([paused.attributes['context_shaping.interrupted'], paused.status.code]).toEqual([
    true,
    SpanStatusCode.UNSET,
  ]);
  expect(treeOf(kit.spans())).toEqual(
    ['shape', 'grade', 'rewrite', 'search', 'shape', 'grade', 'review'].map(
      (name) => `context_shaping.${name}`,
    ),
  );
  const attributesOf = (name: string) => kit.span(`context_shaping.${name}`).attributes;
  expect(attributesOf('grade')).toMatchObject({
    'openinference.span.kind': 'EVALUATOR',
    'context_shaping.crag.grader': 'fixed',
    'context_shaping.crag.grades': JSON.stringify([
      { id: 'cats', grade: 0.5 },
      { id: 'dogs', grade: 0.49 },
    ]),
  });
  const { report } = await graph.invoke(new Command({ resume: { action: 'approve' } }), thread);
  expect(report.degradations).toEqual([]);
  const searched = report.crag?.searches[0]?.query;
  expect(attributesOf('rewrite')).toMatchObject({ 'gen_ai.retrieval.query.text': searched });
  expect(attributesOf('search')).toMatchObject({
    'openinference.span.kind': 'RETRIEVER',
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.retrieval.query.text': searched,
    'retrieval.documents.0.document.id': 'found',
    'retrieval.documents.0.document.content': web('found', 0).pageContent,
  });
  const reviews = kit.spans().filter(({ name }) => name === 'context_shaping.review');
  expect(reviews.at(-1)?.attributes).toMatchObject({
    'context_shaping.crag.review.reasons': ['ambiguous'],
    'context_shaping.crag.review.action': 'approve',
  });
});

test('has no texts unless they are wanted', async () => {
  const kit = sdk();
  const shaper = createShaper({ telemetry: kit.telemetry });
  const webSearch = async () => [web('found', 0.9)];
  await createCragGraph({ shaper, grader: fixedGrader(), webSearch }).invoke(input);
  const said = JSON.stringify(kit.spans().map(({ attributes, events }) => [attributes, events]));
  for (const text of [query, ...input.documents.map(({ pageContent }) => pageContent), 'animals sleep'])
    expect(said).not.toContain(text);
});

test('a service that fails is a span with the error', async () => {
  const kit = sdk();
  await createCragGraph({
    shaper: { telemetry: kit.telemetry },
    grader: fixedGrader(),
    webSearch: () => Promise.reject(new TypeError('no network')),
  }).invoke(input);
  const message = 'TypeError. The option errorMessages shows its message.';
  expect(kit.span('context_shaping.search').status).toEqual({ code: SpanStatusCode.ERROR, message });
});

test('a telemetry that fails changes nothing, and the report says so', async () => {
  const kinds: string[] = [];
  const broken: Telemetry = {
    begin({ kind }) {
      kinds.push(kind);
      throw new Error('out of order');
    },
  };
  const fields = { grader: fixedGrader(), webSearch: async () => [web('found', 0.9)] };
  const plain = await createCragGraph(fields).invoke(input);
  const { context, report } = await createCragGraph({
    ...fields,
    shaper: { telemetry: broken, errorMessages: true },
  }).invoke(input);
  expect(context).toEqual(plain.context);
  expect(kinds).toEqual(expect.arrayContaining(['shape', 'grade', 'rewrite', 'search']));
  const codes = new Set(report.degradations.map(({ code, message }) => `${code}: ${message}`));
  expect(codes).toEqual(new Set(['observer-failed: telemetry threw: out of order']));
});
