import { DynamicStructuredTool, DynamicTool } from '@langchain/core/tools';
import { ContextShapingError } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toWebSearch } from '../../../adapters/langgraph/web-search.js';
import { cpuMilliseconds } from '../../time.js';
import { FixedRetriever, harbour } from '../langchain/support.js';

const QUERY = 'who built it';
const answers = (result: unknown) =>
  toWebSearch(function engine() {
    return result;
  })(QUERY, {});
const url = (place: number) => `https://b.example/${place}`;

describe('how a search is asked', () => {
  test('a function gets the query and the signal', async () => {
    const { signal } = new AbortController();
    const asked: unknown[][] = [];
    const search = toWebSearch((...given) => {
      asked.push(given);
      return [];
    });
    await search(QUERY, { signal });
    await search(QUERY, {});
    expect(asked).toEqual([
      [QUERY, { signal }],
      [QUERY, {}],
    ]);
  });

  test('a retriever: its documents as plain objects', async () => {
    const { signal } = new AbortController();
    const retriever = new FixedRetriever(harbour());
    const documents = await toWebSearch(retriever)(QUERY, { signal });
    expect(documents).toEqual(
      harbour().map(({ id, pageContent, metadata }) => ({ id, pageContent, metadata })),
    );
    expect(Object.getPrototypeOf(documents[0])).toBe(Object.prototype);
    expect(retriever.configs).toMatchObject([{ signal }]);
  });

  const given: unknown[] = [];
  const note = async (input: unknown) => {
    given.push(input);
    return '[]';
  };
  const structured = (schema: unknown) =>
    new DynamicStructuredTool({ name: 's', description: '', schema: schema as z.ZodObject, func: note });
  test.each([
    ['a tool of a text', new DynamicTool({ name: 't', description: '', func: note }), QUERY],
    ['query', structured(z.object({ language: z.string().optional(), query: z.string() })), { query: QUERY }],
    [
      'JSON Schema',
      structured({ type: 'object', properties: { q: { type: ['string', 'null'] }, n: { type: 'integer' } } }),
      { q: QUERY },
    ],
    [
      'a schema without a form in JSON',
      structured(z.object({ since: z.date().optional(), query: z.string() })),
      { query: QUERY },
    ],
  ])('by its schema: %s', async (_, search, expected) => {
    given.length = 0;
    expect(await toWebSearch(search)(QUERY, {})).toEqual([]);
    expect(given).toEqual([expected]);
  });

  test.each([undefined, null, 7, 'tavily', {}, { invoke() {} }, { schema: {} }, []])(
    '%j is no search',
    (search) => {
      expect(() => toWebSearch(search as never)).toThrow(
        expect.objectContaining({
          kind: 'invalid-options',
          field: 'webSearch',
          problem: 'must be a function, a LangChain tool or a LangChain retriever',
        }),
      );
    },
  );
});

describe('the reading of the result', () => {
  const bare = (pageContent: string) => ({ pageContent, metadata: {} });
  test.each([
    ['nothing', [], []],
    ['an empty text', ' \n', []],
    ['prose', 'It was Ann Lee.', [bare('It was Ann Lee.')]],
    ['texts', ['Ann', ' ', 'Lee'], [bare('Ann'), bare('Lee')]],
    [
      'MCP: a block for each result',
      [1, 2].map((place) => ({ type: 'text', text: JSON.stringify({ snippet: `Ann ${place}` }) })),
      [bare('Ann 1'), bare('Ann 2')],
    ],
    [
      'MCP: a picture beside the text',
      [
        { type: 'text', text: '[{"snippet":"Ann"}]' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      [bare('Ann')],
    ],
    [
      'results',
      { answer: 'Bob', images: ['x.png'], results: [{ content: 'Ann', score: 1 }] },
      [{ pageContent: 'Ann', metadata: { score: 1 } }],
    ],
    ['items', { kind: 'x', items: [{ snippet: 'A <b>B</b>' }] }, [bare('A <b>B</b>')]],
    [
      'organic',
      { searchParameters: {}, organic: [{ title: 'T', snippet: 'Ann' }] },
      [{ pageContent: 'Ann', metadata: { title: 'T' } }],
    ],
    [
      'what is not understood beside what is',
      [null, 7, {}, { snippet: 8 }, [], { snippet: 'Ann' }],
      [bare('Ann')],
    ],
  ])('%s', async (_, result, expected) => {
    expect(await answers(result)).toEqual(expected);
  });

  test.each([
    ['an error', { error: 'quota exceeded' }],
    ['MCP', { isError: true, content: [{ type: 'text', text: 'quota exceeded' }] }],
  ])('%s is a failure', async (_, result) => {
    await expect(answers(result)).rejects.toMatchObject({
      kind: 'service',
      field: 'engine',
      problem: 'returned an error',
      message: expect.stringContaining('quota exceeded'),
    });
  });

  test.each([undefined, null, 7, true, {}, { results: 'none' }, [null], [{ url: url(1) }], '[{"a":1}]'])(
    '%j is not understood',
    async (result) => {
      await expect(answers(result)).rejects.toMatchObject({
        kind: 'service',
        field: 'engine',
        value: result,
        problem: 'returned a result in an unknown form',
        remedy: expect.stringContaining('pageContent'),
      });
    },
  );

  test('the first of an address stays; texts of one page all do', async () => {
    const hits = [1, 2, 1].map((place, at) => ({ url: url(place), content: `text ${at}` }));
    expect((await answers(hits)).map(({ pageContent }) => pageContent)).toEqual(['text 0', 'text 1']);
    const pages = ['a', 'b', 'a'].map((pageContent) => ({ pageContent, metadata: { source: url(1) } }));
    expect((await answers(pages)).map(({ pageContent }) => pageContent)).toEqual(['a', 'b']);
  });

  test('an id of its own is kept, and what leads nowhere is no source', async () => {
    expect(await answers([{ pageContent: 'a', id: 'own', metadata: { url: url(1) } }])).toEqual([
      { id: 'own', pageContent: 'a', metadata: { url: url(1), source: url(1) } },
    ]);
    expect(await answers([{ snippet: 'a', url: 'javascript:alert(1)', link: url(2) }])).toMatchObject([
      { id: url(2), metadata: { source: url(2) } },
    ]);
    for (const url of [
      'javascript:alert(1)',
      'https://b.example\n](x)',
      `https://b.example/${'x'.repeat(2000)}`,
    ])
      expect(await answers([{ snippet: 'a', url, source: url }])).toEqual([bare('a')]);
    const file = { pageContent: 'a', metadata: { source: 'notes/data.md' } };
    expect(await answers([file])).toEqual([{ ...file, id: 'notes/data.md' }]);
  });

  test('no more than a checkpoint can bear', async () => {
    const many = Array.from({ length: 150 }, (_, place) => ({ snippet: 'a', url: url(place) }));
    expect((await answers(many)).map(({ id }) => id)).toEqual(many.slice(0, 100).map(({ url }) => url));
    const long = `${'x'.repeat(99_999)}🙂`;
    for (const item of [
      { content: long, title: long },
      { pageContent: long, metadata: {} },
    ])
      expect(await answers([item])).toEqual([bare('x'.repeat(99_999))]);
  });

  test('huge results take no more than their share of time', async () => {
    const size = 200_000;
    const searching = async () => {
      for (const part of ['<', '<b', '&#', '&amp', '<b ', ' ', '{"', '[', 'no ', 'No a ']) {
        const text = part.repeat(size);
        await Promise.allSettled([answers([{ snippet: text }]), answers(text)]);
      }
    };
    expect(await cpuMilliseconds(searching)).toBeLessThan(5000);
  });

  test('every response gives documents or a typed error', async () => {
    const value = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true });
    const key = fc.constantFrom(
      'results',
      'content',
      'snippet',
      'url',
      'title',
      'pageContent',
      'metadata',
      'error',
      'artifact',
      'tool_call_id',
      'type',
      'text',
      'id',
    );
    const nested = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, value, fc.json(), fc.array(tie('any')), fc.dictionary(key, tie('any'))),
    })).any;
    await fc.assert(
      fc.asyncProperty(nested, async (result) => {
        try {
          const documents = await answers(result);
          for (const { pageContent } of documents) expect(pageContent.trim()).not.toBe('');
        } catch (error) {
          if (!ContextShapingError.isInstance(error)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});
