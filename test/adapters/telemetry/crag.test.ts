/** Spans of corrective retrieval. */
import { Command, MemorySaver } from '@langchain/langgraph';
import { SpanStatusCode } from '@opentelemetry/api';
import { createShaper, type Telemetry } from 'context-shaping';
import { createCragGraph } from 'context-shaping/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { documents, fixedGrader, query, web } from '../langgraph/support.js';
import { sdk, treeOf } from './sdk.js';

const input = { query, documents: documents(0.5) };

test('a run is a span, with its shapings, grades, rewrites, searches and reviews inside', async () => {
  const kit = sdk({ texts: true });
  const graph = createCragGraph({
    shaper: { telemetry: kit.telemetry },
    // One batch, so that the order of the spans is always the same.
    grader: { ...fixedGrader(), batchSize: Number.POSITIVE_INFINITY },
    webSearch: async () => [web('found', 0.6)],
    review: { onReview: async () => ({ action: 'approve' }) },
  });
  const { report } = await graph.invoke(input);
  expect(report.degradations).toEqual([]);
  expect(treeOf(kit.spans())).toEqual([
    'context_shaping.correct',
    '  context_shaping.shape',
    '  context_shaping.grade',
    '  context_shaping.rewrite',
    '  context_shaping.search',
    '  context_shaping.shape',
    '  context_shaping.grade',
    '  context_shaping.review',
    '  context_shaping.shape',
  ]);
  const attributesOf = (name: string) => kit.span(`context_shaping.${name}`).attributes;
  expect(attributesOf('correct')).toMatchObject({
    'openinference.span.kind': 'CHAIN',
    'context_shaping.digest': report.digest,
    'context_shaping.crag.verdict': 'approved',
    'context_shaping.crag.path': report.crag?.path,
    'context_shaping.chunks.input': 3,
  });
  expect(attributesOf('grade')).toMatchObject({
    'openinference.span.kind': 'EVALUATOR',
    'context_shaping.crag.grader': 'fixed',
    'context_shaping.crag.grades': JSON.stringify([
      { id: 'cats', grade: 0.5 },
      { id: 'dogs', grade: 0.49 },
    ]),
  });
  const searched = report.crag?.searches[0]?.query;
  expect(attributesOf('rewrite')).toMatchObject({
    'context_shaping.crag.attempt': 1,
    'gen_ai.retrieval.query.text': searched,
  });
  expect(attributesOf('search')).toMatchObject({
    'openinference.span.kind': 'RETRIEVER',
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.retrieval.query.text': searched,
    'retrieval.documents.0.document.id': 'found',
    'retrieval.documents.0.document.content': web('found', 0).pageContent,
  });
  expect(attributesOf('review')).toMatchObject({
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

test('a review by interrupt ends the spans as interrupted, and the next call has spans of its own', async () => {
  const kit = sdk();
  const graph = createCragGraph({
    shaper: { telemetry: kit.telemetry },
    grader: fixedGrader(),
    review: true,
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: 't' } };
  await graph.invoke(input, thread);
  for (const name of ['context_shaping.correct', 'context_shaping.review']) {
    const { attributes, status } = kit.span(name);
    expect([attributes['context_shaping.interrupted'], status.code]).toEqual([true, SpanStatusCode.UNSET]);
  }
  kit.exporter.reset();
  const { verdict } = await graph.invoke(new Command({ resume: { action: 'approve' } }), thread);
  expect(verdict).toBe('approved');
  expect(treeOf(kit.spans())).toEqual(['context_shaping.correct', '  context_shaping.review']);
  expect(kit.span('context_shaping.review').attributes).toMatchObject({
    'context_shaping.crag.review.action': 'approve',
  });
});

test('every attempt of a service is a span; the last failure is in the report', async () => {
  const kit = sdk();
  const { report } = await createCragGraph({
    shaper: { telemetry: kit.telemetry },
    grader: fixedGrader(),
    webSearch: () => Promise.reject(new TypeError('no network')),
    retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false },
  }).invoke(input);
  expect(report.degradations.map(({ code }) => code)).toEqual(['search-failed']);
  const searches = kit.spans().filter(({ name }) => name === 'context_shaping.search');
  const message = 'TypeError. The option errorMessages shows its message.';
  expect(searches.map(({ status }) => status)).toEqual([
    { code: SpanStatusCode.ERROR, message },
    { code: SpanStatusCode.ERROR, message },
  ]);
  expect(kit.span('context_shaping.correct').status.code).toBe(SpanStatusCode.UNSET);
});

describe('calls of the graph', () => {
  test.each(['stream', 'streamEvents', 'pipe', 'withConfig'] as const)('by %s', async (way) => {
    const kit = sdk();
    const graph = createCragGraph({ shaper: { telemetry: kit.telemetry }, grader: fixedGrader() });
    if (way === 'stream') for await (const _ of await graph.stream(input));
    if (way === 'streamEvents') for await (const _ of graph.streamEvents(input, { version: 'v2' }));
    if (way === 'pipe') await graph.pipe((output: object) => output).invoke(input as never);
    if (way === 'withConfig') await graph.withConfig({ tags: ['mine'] }).invoke(input);
    expect(treeOf(kit.spans())).toEqual([
      'context_shaping.correct',
      '  context_shaping.shape',
      '  context_shaping.grade',
      '  context_shaping.grade',
    ]);
    expect(kit.span('context_shaping.correct').attributes['context_shaping.crag.verdict']).toBe('ambiguous');
  });

  test('an error of the graph ends its span with it', async () => {
    const kit = sdk();
    const graph = createCragGraph({ shaper: { telemetry: kit.telemetry } });
    await expect(graph.invoke({ query: 5 as never, documents: [] })).rejects.toThrow(
      /query must be a string/,
    );
    expect(kit.span('context_shaping.correct').status.code).toBe(SpanStatusCode.ERROR);
  });

  test('a reader that leaves ends the span', async () => {
    const kit = sdk();
    const graph = createCragGraph({ shaper: { telemetry: kit.telemetry }, grader: fixedGrader() });
    for await (const _ of await graph.stream(input, { streamMode: 'updates' })) break;
    await vi.waitFor(() => expect(kit.span('context_shaping.correct').ended).toBe(true));
  });
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
  expect(kinds).toEqual(expect.arrayContaining(['correct', 'shape', 'grade', 'rewrite', 'search']));
  const codes = new Set(report.degradations.map(({ code, message }) => `${code}: ${message}`));
  expect(codes).toEqual(new Set(['observer-failed: telemetry threw: out of order']));
});
