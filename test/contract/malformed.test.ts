/**
 * Malformed results of retrievers, at every way in: a typed error that names the fault, or a result; never a process
 * that hangs.
 */
import type { DocumentInterface } from '@langchain/core/documents';
import { ToolMessage } from '@langchain/core/messages';
import { ContextShapingError } from 'context-shaping';
import {
  ContextShapingCompressor,
  createShapedRetrieverTool,
  ShapedRetriever,
} from 'context-shaping/langchain';
import { createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { TextNode } from 'llamaindex';
import { describe, expect, test } from 'vitest';
import { shapedBy } from '../../packages/agents/test/langchain/support.js';
import { distinctIds } from '../../src/internal.js';

interface Given {
  text: unknown;
  id?: unknown;
  score?: unknown;
}

const QUERY = 'When was the bridge opened?';
const TEXTS = ['The bridge was opened in 1932.', 'Cats sleep all day.', 'Ferries leave at seven.'];

const toDocuments = (given: readonly Given[]) =>
  given.map(({ text, id, score }) => ({ pageContent: text, id, metadata: { score } })) as DocumentInterface[];

const retrieverOf = (documents: DocumentInterface[]) => ({ invoke: async () => documents });

/** Each gives the texts that stay. */
const documentFronts: Record<string, (documents: DocumentInterface[]) => Promise<DocumentInterface[]>> = {
  compressor: (documents) => new ContextShapingCompressor().compressDocuments(documents, QUERY),
  retriever: (documents) => new ShapedRetriever({ retriever: retrieverOf(documents) }).invoke(QUERY),
  'retriever tool': async (documents) => {
    const search = createShapedRetrieverTool({
      name: 'search',
      description: 'Searches.',
      retriever: retrieverOf(documents),
      compressor: {},
    });
    const call = { id: '1', name: 'search', args: { query: QUERY }, type: 'tool_call' as const };
    return ((await search.invoke(call)) as ToolMessage).artifact;
  },
  'corrective graph': async (documents) =>
    (await createCragGraph().invoke({ query: QUERY, documents })).context,
};

const fronts: Record<string, (given: readonly Given[]) => Promise<unknown[]>> = {
  ...Object.fromEntries(
    Object.entries(documentFronts).map(([name, front]) => [
      name,
      async (given: readonly Given[]) =>
        (await front(toDocuments(given))).map(({ pageContent }) => pageContent),
    ]),
  ),
  postprocessor: async (given) => {
    const nodes = given.map(({ text, id, score }) => {
      const node = new TextNode({ text: 'any' });
      // LlamaIndex's own classes make a string of everything; those of others need not.
      node.getContent = () => text as string;
      node.id_ = id as string;
      return { node, score: score as number };
    });
    const kept = await new ContextShapingPostprocessor().postprocessNodes(nodes, QUERY);
    return kept.map(({ node }) => node.getContent());
  },
};

const NOT_STRINGS = [Number.NaN, undefined, null, 7, {}, [], true];
const SURROGATES = ['\ud800', 'a\udc00b'];

const failing = (what: unknown[]) =>
  what.map((value) => [typeof value === 'string' ? JSON.stringify(value) : String(value), value] as const);
const others = TEXTS.map((text) => ({ text }));

describe.each(Object.entries(fronts))('%s', (name, front) => {
  // Corrective retrieval hands on only the documents that answer.
  const keepsAll = !/graph/.test(name);

  test.each(failing(NOT_STRINGS))('refuses the text %s', async (_, text) => {
    const failure = await front([...others, { text }, { text }]).catch((error: unknown) => error);
    if (!ContextShapingError.isInstance(failure)) throw failure;
    expect(failure).toMatchObject({ kind: 'invalid-input', value: text });
    expect(failure.field).toMatch(/^(documents\[3\]\.pageContent|nodes\[3\]\.node\.getContent\('NONE'\))$/);
    expect(failure.remedy).not.toBe('');
  });

  test.each(failing([...NOT_STRINGS, ...SURROGATES, Number.POSITIVE_INFINITY]))(
    'takes documents with the id, and with the score, %s',
    async (_, value) => {
      for (const field of ['id', 'score']) {
        const kept = await front(TEXTS.map((text) => ({ text, [field]: value })));
        expect(kept).toContain(TEXTS[0]);
        if (keepsAll) expect(kept).toHaveLength(TEXTS.length);
      }
    },
  );

  test.each(failing(SURROGATES))('hands on the text %s as it is', async (_, text) => {
    const kept = await front([{ text: `${TEXTS[0]} ${text}` }]);
    expect(kept).toEqual([`${TEXTS[0]} ${text}`]);
  });
});

test.each(failing(NOT_STRINGS))(
  'agents take an artifact with the text %s for no list of documents',
  async (_, text) => {
    const artifact = [...toDocuments(others), { pageContent: text, metadata: {} }];
    const message = new ToolMessage({ content: TEXTS.join('\n\n'), artifact, tool_call_id: '1' });
    expect(await shapedBy(contextShapingMiddleware(), message, QUERY)).toBe(message);
    const long = new ToolMessage({ content: TEXTS.join('\n\n').repeat(40), artifact, tool_call_id: '1' });
    const shaped = await shapedBy(contextShapingMiddleware({ maxToolTokens: 60 }), long, QUERY);
    expect(shaped.text).toContain('bridge');
    expect(shaped.text.length).toBeLessThan(long.text.length);
  },
);

describe('distinct ids', () => {
  test('end for any value, equal or not', () => {
    const distinctId = distinctIds() as (id: unknown, text: unknown) => unknown;
    for (const value of [Number.NaN, undefined, null, {}, 0, -0]) {
      const first = distinctId('a', value);
      expect(distinctId('a', value)).toBe(first);
    }
  });
  test('need no longer for many texts of one id', () => {
    const distinctId = distinctIds();
    const count = 60_000;
    const given = Array.from({ length: count }, (_, at) => distinctId('a', `text ${at}`));
    expect(new Set(given).size).toBe(count);
    expect(given.at(-1)).toBe(`a#${count}`);
  });
});
