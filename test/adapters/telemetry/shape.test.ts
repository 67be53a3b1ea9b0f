/** Spans of shapings, as the real SDK exports them. */
import { OpenInferenceSpanKind, SemanticConventions } from '@arizeai/openinference-semantic-conventions';
import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api';
import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import { type Chunk, createShaper, type Embedder } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { GEN_AI, OPENINFERENCE } from '../../../adapters/telemetry/names.js';
import { sdk, treeOf } from './sdk.js';

const query = 'When was the harbour bridge opened?';
const chunks: Chunk[] = [
  { id: 'first', text: 'The harbour bridge was opened in May 1932.', score: 0.5 },
  { id: 'copy', text: 'THE HARBOUR BRIDGE was opened in May 1932!', score: 0.4 },
  { id: 'ferry', text: 'Ferries cross the bay every twenty minutes from the old wooden pier.' },
  { id: 'paint', text: 'Painting the steel arch takes a crew of forty.' },
];
const tight = { k: 2, budget: { maxTokens: 40 } };

/** The documents of a list, put together again. */
function documentsOf(attributes: Attributes, list: string): Record<string, unknown>[] {
  const documents: Record<string, unknown>[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const [, place, field] = /^(\d+)\.(.+)$/.exec(name.slice(list.length + 1)) ?? [];
    if (!name.startsWith(`${list}.`) || place === undefined || field === undefined) continue;
    documents[Number(place)] = { ...documents[Number(place)], [field]: value };
  }
  return documents;
}
const metadataOf = (document: Record<string, unknown> | undefined) =>
  JSON.parse(String(document?.[SemanticConventions.DOCUMENT_METADATA]));

describe('a span', () => {
  test('has the names that the conventions give', () => {
    const { id, score, content, documentMetadata, ...names } = OPENINFERENCE;
    expect(names).toEqual({
      kind: SemanticConventions.OPENINFERENCE_SPAN_KIND,
      query: SemanticConventions.RERANKER_QUERY,
      model: SemanticConventions.RERANKER_MODEL_NAME,
      topK: SemanticConventions.RERANKER_TOP_K,
      given: SemanticConventions.RERANKER_INPUT_DOCUMENTS,
      kept: SemanticConventions.RERANKER_OUTPUT_DOCUMENTS,
      input: SemanticConventions.INPUT_VALUE,
    });
    expect([id, score, content, documentMetadata]).toEqual([
      SemanticConventions.DOCUMENT_ID,
      SemanticConventions.DOCUMENT_SCORE,
      SemanticConventions.DOCUMENT_CONTENT,
      SemanticConventions.DOCUMENT_METADATA,
    ]);
    // The package has the former name of `gen_ai.retrieval.top_k`.
    const { topK: _, ...known } = GEN_AI;
    expect(known).toEqual({
      operation: incubating.ATTR_GEN_AI_OPERATION_NAME,
      query: incubating.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT,
      documents: incubating.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS,
      errorType: incubating.ATTR_ERROR_TYPE,
    });
  });

  test('has the result, the input with why documents went, the totals and the digest', async () => {
    const kit = sdk({ attributes: { 'langfuse.observation.type': 'RETRIEVER' } });
    const { report } = await createShaper({ ...tight, telemetry: kit.telemetry }).shape({ query, chunks });
    const { attributes, status } = kit.span('context_shaping.shape');
    expect(kit.spans()).toHaveLength(1);
    expect(status.code).toBe(SpanStatusCode.UNSET);
    expect(attributes).toMatchObject({
      'langfuse.observation.type': 'RETRIEVER',
      [SemanticConventions.OPENINFERENCE_SPAN_KIND]: OpenInferenceSpanKind.RERANKER,
      [SemanticConventions.RERANKER_TOP_K]: 2,
      [incubating.ATTR_GEN_AI_OPERATION_NAME]: incubating.GEN_AI_OPERATION_NAME_VALUE_RETRIEVAL,
      'gen_ai.retrieval.top_k': 2,
      'context_shaping.digest': report.digest,
      'context_shaping.tokens.input': report.tokens.input,
      'context_shaping.tokens.output': report.tokens.output,
      'context_shaping.tokens.budget': 40,
      'context_shaping.chunks.input': 4,
      'context_shaping.chunks.kept': report.kept.length,
      'context_shaping.chunks.evicted': report.evicted.length,
    });
    const kept = documentsOf(attributes, SemanticConventions.RERANKER_OUTPUT_DOCUMENTS);
    expect(kept.map((document) => document[SemanticConventions.DOCUMENT_ID])).toEqual(
      report.kept.map(({ id }) => id),
    );
    expect(kept.map((document) => document[SemanticConventions.DOCUMENT_SCORE])).toEqual(
      report.kept.map(({ relevance }) => relevance),
    );
    expect(JSON.parse(String(attributes[incubating.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS]))).toEqual(
      report.kept.map(({ id, relevance }) => ({ id, score: relevance })),
    );
    const given = documentsOf(attributes, SemanticConventions.RERANKER_INPUT_DOCUMENTS);
    expect(given.map((document) => document[SemanticConventions.DOCUMENT_ID])).toEqual(report.input);
    expect(given[0]).toEqual({ 'document.id': 'first', 'document.score': 0.5 });
    expect(metadataOf(given[1])).toMatchObject({
      stage: 'exact-dedup',
      reason: 'exact-duplicate',
      keptId: 'first',
    });
    const outranked = report.evicted.find(({ reason }) => reason === 'outranked');
    expect(metadataOf(given[outranked?.index ?? -1])).toMatchObject({
      stage: 'select',
      reason: 'outranked',
      margin: (outranked as { margin?: number }).margin,
      relevance: outranked?.relevance,
    });
  });

  test('has texts only on request', async () => {
    const texts = [query, ...chunks.map(({ text }) => text)];
    const told = async (wanted: boolean) => {
      const kit = sdk({ texts: wanted });
      await createShaper({ ...tight, telemetry: kit.telemetry }).shape({ query, chunks });
      const { attributes, events } = kit.span('context_shaping.shape');
      return { attributes, said: JSON.stringify([attributes, events]) };
    };
    const without = await told(false);
    expect(texts.filter((text) => without.said.includes(text))).toEqual([]);
    const { attributes } = await told(true);
    expect(attributes).toMatchObject({
      [SemanticConventions.RERANKER_QUERY]: query,
      [SemanticConventions.INPUT_VALUE]: query,
      [incubating.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT]: query,
    });
    const given = documentsOf(attributes, SemanticConventions.RERANKER_INPUT_DOCUMENTS);
    expect(given.map((document) => document[SemanticConventions.DOCUMENT_CONTENT])).toEqual(
      chunks.map(({ text }) => text),
    );
  });

  test('has an event for each stage, and for each degradation', async () => {
    const embedder: Embedder = { embed: () => Promise.reject(new Error('no network')) };
    const kit = sdk();
    const shaper = createShaper({ telemetry: kit.telemetry, embedder });
    const { report } = await shaper.shape({ query, chunks });
    const { events } = kit.span('context_shaping.shape');
    const stages = events.filter(({ name }) => name === 'context_shaping.stage');
    expect(stages.map(({ attributes }) => attributes?.['context_shaping.stage.name'])).toEqual(shaper.stages);
    expect(stages[2]?.attributes).toEqual({
      'context_shaping.stage.name': 'exact-dedup',
      'context_shaping.chunks.input': 4,
      'context_shaping.chunks.kept': 3,
      'context_shaping.chunks.evicted': 1,
      'context_shaping.stage.duration': (report.stages[2]?.milliseconds ?? 0) / 1000,
    });
    const degraded = events.filter(({ name }) => name === 'context_shaping.degradation');
    expect(degraded.map(({ attributes }) => attributes)).toEqual(
      report.degradations.map(({ stage, code, message }) => ({
        'context_shaping.stage.name': stage,
        'context_shaping.degradation.code': code,
        'context_shaping.degradation.message': message,
      })),
    );
    expect(report.degradations.map(({ code }) => code)).toEqual(['embedder-failed']);
  });

  test('is the parent of the spans of services, and the child of the span around the call', async () => {
    const kit = sdk();
    const embedder: Embedder = {
      embed: (texts, options) =>
        kit.tracer.startActiveSpan('embedding', async (span) => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          const vectors = await fakeEmbedder().embed(texts, options);
          span.end();
          return vectors;
        }),
    };
    const shaper = createShaper({ telemetry: kit.telemetry, embedder });
    const outer = kit.tracer.startSpan('request');
    await context.with(trace.setSpan(context.active(), outer), async () => {
      await Promise.all([shaper.shape({ query, chunks }), shaper.shape({ query, chunks })]);
      expect(trace.getActiveSpan()).toBe(outer);
    });
    outer.end();
    expect(treeOf(kit.spans())).toEqual([
      'request',
      '  context_shaping.shape',
      '    embedding',
      '  context_shaping.shape',
      '    embedding',
    ]);
  });
});

describe('many documents', () => {
  const many = (count: number): Chunk[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `chunk ${at}`,
      text: `The harbour bridge carries goods of the kind ${'abcdefgh'[at % 8]}${at}.`,
      score: 1 / (at + 1),
    }));

  test.each([
    [10, 128],
    [250, 2000],
  ])('%i fit into %i attributes', async (count, limit) => {
    const kit = sdk({}, { spanLimits: { attributeCountLimit: limit } });
    const shaper = createShaper({ k: 8, flag: false, telemetry: kit.telemetry });
    const { report } = await shaper.shape({ query, chunks: many(count) });
    const { attributes, droppedAttributesCount } = kit.span('context_shaping.shape');
    expect(droppedAttributesCount).toBe(0);
    const kept = documentsOf(attributes, SemanticConventions.RERANKER_OUTPUT_DOCUMENTS);
    expect(kept.map((document) => document['document.id'])).toEqual(report.kept.map(({ id }) => id));
    const given = documentsOf(attributes, SemanticConventions.RERANKER_INPUT_DOCUMENTS);
    expect(given).toHaveLength(count);
  });

  test('the limit of the provider drops documents of the input, and counts them', async () => {
    const kit = sdk({}, { spanLimits: { attributeCountLimit: 128 } });
    const shaper = createShaper({ k: 8, flag: false, telemetry: kit.telemetry });
    const { report } = await shaper.shape({ query, chunks: many(250) });
    const { attributes, droppedAttributesCount } = kit.span('context_shaping.shape');
    expect(droppedAttributesCount).toBeGreaterThan(0);
    expect(attributes['context_shaping.chunks.input']).toBe(250);
    const kept = documentsOf(attributes, SemanticConventions.RERANKER_OUTPUT_DOCUMENTS);
    expect(kept.map((document) => document['document.id'])).toEqual(report.kept.map(({ id }) => id));
  });
});

describe('a call that fails', () => {
  test('ends its span with the error, which quotes a value only if texts are wanted', async () => {
    const wrong = {
      query,
      chunks: [
        { id: 'a', text: 'x' },
        { id: 'a', text: 'secret words' },
      ],
    };
    for (const texts of [false, true]) {
      const kit = sdk({ texts });
      const failed = await createShaper({ telemetry: kit.telemetry })
        .shape(wrong)
        .catch((error) => error);
      const { status, attributes, events } = kit.span('context_shaping.shape');
      expect(status.code).toBe(SpanStatusCode.ERROR);
      expect(attributes[incubating.ATTR_ERROR_TYPE]).toBe('invalid-input');
      const exception = events.find(({ name }) => name === 'exception')?.attributes;
      expect(exception?.[incubating.ATTR_EXCEPTION_TYPE]).toBe('invalid-input');
      const said = JSON.stringify([status, events]);
      expect(said).toContain(failed.remedy);
      expect(status.message === failed.message).toBe(texts);
    }
  });

  test('and an abort ends it with the name of the reason', async () => {
    const kit = sdk();
    const controller = new AbortController();
    const embedder: Embedder = {
      embed: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const shaping = createShaper({ telemetry: kit.telemetry, embedder }).shape({
      query,
      chunks,
      signal: controller.signal,
    });
    const failed = await shaping.catch((error) => error);
    expect(failed).toBe(controller.signal.reason);
    const { status, attributes } = kit.span('context_shaping.shape');
    expect([status.code, attributes[incubating.ATTR_ERROR_TYPE]]).toEqual([
      SpanStatusCode.ERROR,
      'AbortError',
    ]);
  });
});
