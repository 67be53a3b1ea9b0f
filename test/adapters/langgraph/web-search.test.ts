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
      structured({ type: 'object', properties: { n: { type: 'integer' }, q: { type: ['string', 'null'] } } }),
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
    ['items', { kind: 'x', items: [{ snippet: 'A&nbsp;B' }] }, [bare('A B')]],
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

  test.each([
    undefined,
    null,
    7,
    true,
    {},
    { results: 'none' },
    [null],
    [{ url: url(1) }],
    '{"title": "cut o',
    '[{"a":1}]',
    [{ type: 'text', text: '{"title": "cut o' }],
  ])('%j is not understood', async (result) => {
    await expect(answers(result)).rejects.toMatchObject({
      kind: 'service',
      field: 'engine',
      value: result,
      problem: 'returned a result in an unknown form',
      remedy: expect.stringContaining('pageContent'),
    });
  });

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
    const malicious = [
      'javascript:alert(1)',
      'https://b.example\n](javascript:x)',
      `https://b.example/${'x'.repeat(2000)}`,
    ];
    for (const url of malicious) expect(await answers([{ snippet: 'a', url }])).toEqual([bare('a')]);
    for (const source of [' JavaScript:alert(1)', 'data:text/html,x']) {
      expect(await answers([{ pageContent: 'a', metadata: { source } }])).toEqual([bare('a')]);
    }
    expect(await answers([{ snippet: 'a', source: 'javascript:alert(1)' }])).toEqual([bare('a')]);
    const file = { pageContent: 'a', metadata: { source: 'notes/data.md' } };
    expect(await answers([file])).toEqual([{ ...file, id: 'notes/data.md' }]);
  });

  test('no more than a checkpoint can bear', async () => {
    const many = Array.from({ length: 150 }, (_, place) => ({ snippet: 'a', url: url(place) }));
    expect((await answers(many)).map(({ id }) => id)).toEqual(many.slice(0, 100).map(({ url }) => url));
    const long = `${'x'.repeat(99_999)}🙂`;
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field ${at}`, at]));
    const found = await answers([
      { content: long, title: long, ...fields },
      { pageContent: long, metadata: { long, ...fields } },
    ]);
    for (const { pageContent, metadata } of found) {
      expect(pageContent).toBe('x'.repeat(99_999));
      expect(JSON.stringify(metadata).length).toBeLessThan(2000);
    }
  });

  test.each([
    ['a <b>bold</b> <i class="x">word</i><br/>here', 'a bold word here'],
    ['List<String> and a < b > c', 'List<String> and a < b > c'],
    ['&lt;b&gt; makes &quot;bold&quot; &amp;amp; more', '<b> makes "bold" &amp; more'],
    ['&#8217;&#x2019;&hellip;', '’’…'],
    ['AT&T; &unknown; &#0; &#xD800; &#9999999; &', 'AT&T; &unknown; &#0; &#xD800; &#9999999; &'],
    ['<strong', '<strong'],
  ])('the snippet %j', async (snippet, text) => {
    expect(await answers([{ snippet }])).toEqual([bare(text)]);
  });

  test('texts that are not snippets stay as they are', async () => {
    const text = 'Write <b>x</b> &amp; y.';
    expect(await answers([{ content: text, title: text }])).toEqual([
      { pageContent: text, metadata: { title: text } },
    ]);
  });

  test('metadata is what a checkpoint keeps of it, and the given is not changed', async () => {
    const metadata = { at: new Date(0), big: 1n, deep: { list: [1] } };
    const [document] = await answers([
      { pageContent: 'a', metadata: { at: new Date(0), deep: metadata.deep } },
    ]);
    expect(document?.metadata).toEqual({ at: '1970-01-01T00:00:00.000Z', deep: { list: [1] } });
    expect(document?.metadata.deep).not.toBe(metadata.deep);
    expect((await answers([{ pageContent: 'a', metadata: { ...metadata, page: 3 } }]))[0]?.metadata).toEqual({
      page: 3,
    });
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
          expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
          for (const { pageContent } of documents) expect(pageContent.trim()).not.toBe('');
        } catch (error) {
          if (!ContextShapingError.isInstance(error)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('an abort', () => {
  const reason = new Error('not wanted any more');
  test('before: the search is not asked', async () => {
    let asked = 0;
    const search = toWebSearch(() => ++asked);
    await expect(search(QUERY, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toBe(0);
  });

  test.each([
    ['a function that ignores it', () => new Promise(() => {})],
    [
      'a tool that ignores it',
      new DynamicTool({ name: 't', description: '', func: () => new Promise(() => {}) }),
    ],
  ])('during: %s', async (_, given) => {
    const controller = new AbortController();
    const found = toWebSearch(given)(QUERY, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(found).rejects.toBe(reason);
  });

  test('the interrupt of a graph goes up', async () => {
    const interrupt = Object.assign(new Error('ask a person'), { is_bubble_up: true });
    const search = toWebSearch(() => {
      throw interrupt;
    });
    await expect(search(QUERY, {})).rejects.toBe(interrupt);
  });
});
