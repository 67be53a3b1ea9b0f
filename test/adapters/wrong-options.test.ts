/** Options in the wrong place or with a wrong name, in every constructor of an adapter; inputs of another framework. */
import { Document } from '@langchain/core/documents';
import { TextNode } from '@llamaindex/core/schema';
import { ContextShapingError, createShaper } from 'context-shaping';
import {
  ContextShapingCompressor,
  createShapedRetrieverTool,
  ShapedRetriever,
} from 'context-shaping/langchain';
import { createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { describe, expect, test } from 'vitest';

const documents = [
  new Document({ pageContent: 'The bridge opened in 1932.', metadata: { similarity: 0.9, page: 3 } }),
  new Document({ pageContent: 'Cats sleep for most of the day.', metadata: { similarity: 0.2 } }),
];
const retriever = { invoke: async () => documents };
const tool = { name: 'search', description: 'Finds documents.', retriever };

/** `as never`: what a program in JavaScript gives. */
const makers: Record<string, (options: object) => unknown> = {
  ShapedRetriever: (options) => new ShapedRetriever({ retriever, ...options } as never),
  createShapedRetrieverTool: (options) => createShapedRetrieverTool({ ...tool, ...options } as never),
  ContextShapingCompressor: (options) => new ContextShapingCompressor(options as never),
  ContextShapingPostprocessor: (options) => new ContextShapingPostprocessor(options as never),
  createCragGraph: (options) => createCragGraph(options as never),
  contextShapingMiddleware: (options) => contextShapingMiddleware(options as never),
};

const errorOf = (make: () => unknown): ContextShapingError => {
  try {
    make();
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
};

describe('an option in the wrong place, or with a wrong name', () => {
  test.each([
    ['ShapedRetriever', { k: 1 }, 'k', 'Did you mean compressor.k?'],
    ['ShapedRetriever', { budget: {} }, 'budget', 'Did you mean compressor.budget?'],
    ['ShapedRetriever', { scoreField: 's' }, 'scoreField', 'Did you mean compressor.scoreField?'],
    ['ShapedRetriever', { retreiver: 1 }, 'retreiver', 'Did you mean retriever?'],
    ['ShapedRetriever', { compressor: { k: 0 } }, 'compressor.k', 'Correct compressor.k, or leave it out.'],
    ['createShapedRetrieverTool', { maxTokens: 1 }, 'maxTokens', 'Did you mean compressor.budget.maxTokens?'],
    ['ContextShapingCompressor', { scorefield: 's' }, 'scorefield', 'Did you mean scoreField?'],
    ['createCragGraph', { k: 8 }, 'k', 'Did you mean shaper.k?'],
    ['createCragGraph', { websearch: 1 }, 'websearch', 'Did you mean webSearch?'],
    [
      'createCragGraph',
      { shaper: { maxToken: 8 } },
      'shaper.maxToken',
      'Did you mean shaper.budget.maxTokens?',
    ],
    ['createCragGraph', { threshold: {} }, 'threshold', 'Did you mean thresholds?'],
    ['contextShapingMiddleware', { maxToken: 8 }, 'maxToken', 'Did you mean maxTokens?'],
    ['contextShapingMiddleware', { max_tool_tokens: 8 }, 'max_tool_tokens', 'Did you mean maxToolTokens?'],
    ['contextShapingMiddleware', { shapper: {} }, 'shapper', 'Did you mean shaper?'],
  ])('%s %j', (maker, options, field, remedy) => {
    const make = makers[maker] as (options: object) => unknown;
    expect(errorOf(() => make(options))).toMatchObject({ kind: 'invalid-options', field, remedy });
  });

  test.each([
    ['ContextShapingCompressor', ['k', 'shaper', 'render']],
    ['ContextShapingPostprocessor', ['k', 'shaper', 'embedder']],
    ['ShapedRetriever', ['retriever', 'compressor', 'callbacks', 'tags', 'metadata', 'verbose']],
    ['createCragGraph', ['grader', 'webSearch', 'shaper', 'checkpointer', 'scoreField']],
    ['contextShapingMiddleware', ['k', 'shaper', 'mode', 'maxTokens', 'maxToolTokens', 'flag', 'handleKey']],
  ])('%s lists all that it takes', (maker, names) => {
    const make = makers[maker] as (options: object) => unknown;
    const { remedy } = errorOf(() => make({ colour: 'red' }));
    expect(remedy.replace(/^.*known here: |\.$/g, '').split(', ')).toEqual(expect.arrayContaining(names));
  });

  test('no option that is known is refused for its name', () => {
    expect(
      () =>
        new ShapedRetriever({ retriever, tags: ['a'], metadata: {}, verbose: false, compressor: { k: 3 } }),
    ).not.toThrow();
  });
});

describe('missing options, and options of the wrong kind', () => {
  test('a tool without a retriever, name or description', () => {
    for (const missing of ['retriever', 'name', 'description'])
      expect(errorOf(() => createShapedRetrieverTool({ ...tool, [missing]: undefined } as never)).field).toBe(
        missing,
      );
    expect(errorOf(() => createShapedRetrieverTool(undefined as never)).message).toMatch('must be an object');
  });
  test('options in place of a shaper', () => {
    const shaper = { k: 3 } as never;
    for (const make of [
      () => new ContextShapingCompressor({ shaper }),
      () => new ContextShapingPostprocessor({ shaper }),
    ])
      expect(errorOf(make)).toMatchObject({
        field: 'shaper',
        remedy: 'Give the result of createShaper, or give its options themselves in place of shaper.',
      });
  });
  test('no object at all', () => {
    for (const nothing of [null, [], 'k'])
      expect(errorOf(() => new ContextShapingCompressor(nothing as never)).field).toBe('options');
  });
});

describe('documents', () => {
  const shape = (given: unknown, options: object = {}) =>
    new ContextShapingCompressor(options).shape(given as Document[], 'When did the bridge open?');
  const document = documents[0] as Document;

  test.each([
    ['a null pageContent', [document, { pageContent: null, metadata: {} }], {}, 'documents[1].pageContent'],
    ['a pair with a score', [document, [document, 0.3]], {}, 'documents[1]'],
    ['metadata that is a list', [{ pageContent: 'x', metadata: [] }], {}, 'documents[0].metadata'],
    ['a rendering that is none', [document], { render: () => null }, 'render(documents[0])'],
    ['a vector that is none', [document], { getEmbedding: () => ['x'] }, 'getEmbedding(documents[0])[0]'],
    [
      'vectors of two lengths',
      documents,
      { getEmbedding: (of: unknown) => (of === document ? [1] : [1, 0]) },
      'getEmbedding(documents[1])',
    ],
  ])('%s is blamed on the document', async (_, given, options, field) => {
    await expect(shape(given, options)).rejects.toMatchObject({ kind: 'invalid-input', field });
  });

  test('the remedy for pairs makes documents of them', async () => {
    const results: [Document, number][] = documents.map((each, at) => [each, 1 - at]);
    await expect(shape(results)).rejects.toThrow(
      'results.map(([document, score]) => ({ ...document, metadata: { ...document.metadata, score } }))',
    );
    const corrected = results.map(([document, score]) => ({
      ...document,
      metadata: { ...document.metadata, score },
    }));
    const { report } = await shape(corrected);
    expect(report.kept.map(({ score }) => score).toSorted()).toEqual([0, 1]);
  });

  test('a scoreField that no document has is in the report', async () => {
    const heard: unknown[] = [];
    const onReport = ({ degradations }: { degradations: unknown }) => void heard.push(degradations);
    const { report } = await shape(documents, {
      scoreField: 'similarty',
      onReport,
    });
    expect(report.degradations).toEqual([
      {
        stage: 'input',
        code: 'option-without-effect',
        message:
          'No document has a number at scoreField, "similarty"; chunks have no score. Give the metadata key of the score.',
      },
    ]);
    expect(heard).toEqual([report.degradations]);
    expect((await shape(documents, { scoreField: 'similarity' })).report.degradations).toEqual([]);
    expect((await shape([], { scoreField: 'x' })).report.degradations).toEqual([]);
  });
});

describe('nodes', () => {
  const nodes = ['The bridge opened in 1932.', 'Cats sleep for most of the day.'].map((text, at) => ({
    node: new TextNode({ id_: `n${at}`, text }),
    score: 1 - at / 10,
  }));
  const shape = (given: unknown, options: object = {}) =>
    new ContextShapingPostprocessor(options).shape(given as typeof nodes, 'When did the bridge open?');

  test('a LangChain document is no node', async () => {
    await expect(shape(documents)).rejects.toMatchObject({ kind: 'invalid-input', field: 'nodes[0]' });
  });

  test('an error names the node', async () => {
    const embedded = nodes.map(({ node }, at) => ({
      node: new TextNode({ ...node, embedding: at === 0 ? [1, 0] : [1] }),
    }));
    await expect(shape(embedded)).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'nodes[1].node.embedding',
    });
  });
});

test('a ready shaper keeps its errors', async () => {
  const compressor = new ContextShapingCompressor({ shaper: createShaper({ k: 1 }) });
  expect((await compressor.shape(documents, 'bridge')).documents).toHaveLength(1);
});
