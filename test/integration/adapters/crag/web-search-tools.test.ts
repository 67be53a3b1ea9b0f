/**
 * The classes that people have, against a server on this machine that answers as their services do. Brave's address
 * is written into its class: its `fetch` is led here. DuckDuckGo's goes through a proxy, which is this server.
 */
import { BraveSearch } from '@langchain/community/tools/brave_search';
import { DuckDuckGoSearch } from '@langchain/community/tools/duckduckgo_search';
import { SearxngSearch } from '@langchain/community/tools/searxng_search';
import { ExaRetriever, ExaSearchResults } from '@langchain/exa';
import { TavilySearch } from '@langchain/tavily';
import { createShapedRetrieverTool } from 'context-shaping/langchain';
import { Exa } from 'exa-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toWebSearch } from '../../../../adapters/crag/index.js';
import { type Answer, type Asked, type Server, serve } from '../../../adapters/crag/server.js';
import { FixedRetriever, harbour } from '../../../adapters/langchain/support.js';

let server: Server;
const answering = async (answer: unknown | ((asked: Asked) => Answer)) => {
  server = await serve(typeof answer === 'function' ? (answer as () => Answer) : () => ({ body: answer }));
  return server.url;
};
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server?.close();
});

const QUERY = 'harbour bridge opened';

describe('TavilySearch', () => {
  const tool = (apiBaseUrl: string, more = {}) =>
    toWebSearch(new TavilySearch({ tavilyApiKey: 'tvly-none', apiBaseUrl, ...more }));
  const result = (number: number) => ({
    title: `Bridge ${number}`,
    url: `https://bridge.example/${number}`,
    content: `It was opened in ${number}.`,
    score: number / 10_000,
    raw_content: null,
  });
  const found = {
    query: QUERY,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: [result(1932), result(1933), { ...result(1932), content: 'again' }],
    response_time: 0.7,
    request_id: 'r1',
  };

  test('results become documents, the first of an address', async () => {
    expect(await tool(await answering(found))(QUERY, {})).toEqual(
      [1932, 1933].map((number) => ({
        id: `https://bridge.example/${number}`,
        pageContent: `It was opened in ${number}.`,
        metadata: {
          source: `https://bridge.example/${number}`,
          title: `Bridge ${number}`,
          score: number / 10_000,
        },
      })),
    );
    expect(server.asked).toMatchObject([{ method: 'POST', url: '/search', body: { query: QUERY } }]);
  });

  test('the whole page, where it was asked for', async () => {
    const results = [{ ...result(1932), raw_content: '# Bridge\n\nAll of it.' }];
    const search = tool(await answering({ ...found, results }), { includeRawContent: 'markdown' });
    expect(await search(QUERY, {})).toMatchObject([{ pageContent: '# Bridge\n\nAll of it.' }]);
  });

  test('no results are none, though the class calls it an error', async () => {
    expect(
      await tool(await answering({ ...found, results: [] }))('what "no" one knows.\nReally?', {}),
    ).toEqual([]);
  });

  test('a wrong key is an error, though the class returns it', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const search = tool(
      await answering(() => ({ status: 401, body: { detail: { error: 'Unauthorized: no such key.' } } })),
    );
    await expect(search(QUERY, {})).rejects.toMatchObject({
      kind: 'service',
      field: 'tavily_search',
      value: 'Error 401: Unauthorized: no such key.',
      problem: 'returned an error',
    });
  });
});

describe('BraveSearch', () => {
  const leadHere = (url: string) => {
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (address: URL, options: RequestInit) =>
      fetch(address.href.replace('https://api.search.brave.com', url), options),
    );
    return toWebSearch(new BraveSearch({ apiKey: 'none' }));
  };
  const results = [
    {
      title: 'Bridges &amp; tunnels',
      url: 'https://bridge.example/1',
      description: 'The <strong>harbour bridge</strong> was opened &#x27;in 1932&#39; &lt;officially&gt;.',
    },
    { title: 'Without a text', url: 'https://bridge.example/2' },
  ];

  test('snippets lose their markup', async () => {
    const search = leadHere(await answering({ type: 'search', web: { type: 'search', results } }));
    expect(await search(QUERY, {})).toEqual([
      {
        id: 'https://bridge.example/1',
        pageContent: "The harbour bridge was opened 'in 1932' <officially>.",
        metadata: { source: 'https://bridge.example/1', title: 'Bridges & tunnels' },
      },
      {
        id: 'https://bridge.example/2',
        pageContent: 'Without a text',
        metadata: { source: 'https://bridge.example/2', title: 'Without a text' },
      },
    ]);
    expect(server.asked[0]?.url).toBe(`/res/v1/web/search?q=${encodeURIComponent(QUERY)}`);
  });

  test('no results', async () => {
    expect(await leadHere(await answering({ type: 'search' }))(QUERY, {})).toEqual([]);
  });

  test('what the class throws is thrown on', async () => {
    const search = leadHere(await answering(() => ({ status: 429, body: {} })));
    await expect(search(QUERY, {})).rejects.toThrow('HTTP error 429');
  });
});

test('DuckDuckGoSearch', async () => {
  const found = [
    {
      a: 'The <b>harbour</b> bridge was opened in 1932 &amp; painted.',
      t: 'Bridge',
      u: 'https://b.example/1',
    },
    { a: 'A <b>ferry</b>.', t: 'Ferry', u: 'https://b.example/2' },
    { n: '/d.js?s=10' },
  ];
  const url = await answering(({ url: asked }: Asked) => ({
    body: asked.startsWith('https://links.duckduckgo.com/d.js?')
      ? `DDG.pageLayout.load('d',${JSON.stringify(found)});DDG.duckbar.load('images', {});`
      : '<script>vqd="4-123"</script>',
  }));
  vi.stubEnv('HTTP_PROXY', url);
  expect(await toWebSearch(new DuckDuckGoSearch({ maxResults: 5 }))(QUERY, {})).toEqual([
    {
      id: 'https://b.example/1',
      pageContent: 'The harbour bridge was opened in 1932 & painted.',
      metadata: { source: 'https://b.example/1', title: 'Bridge' },
    },
    {
      id: 'https://b.example/2',
      pageContent: 'A ferry.',
      metadata: { source: 'https://b.example/2', title: 'Ferry' },
    },
  ]);
  expect(server.asked.map(({ url: asked }) => new URL(asked).searchParams.get('q'))).toEqual([QUERY, QUERY]);
});

describe('SearxngSearch', () => {
  const search = (apiBase: string) => toWebSearch(new SearxngSearch({ apiBase }));
  const nothing = { results: [], answers: [], infoboxes: [], suggestions: [] };
  const result = (number: number) => ({
    title: `"Bridge", ${number}`,
    url: `https://b.example/${number}`,
    content: `{It}, was [opened] in ${number}.`,
  });

  test.each([[[result(1)]], [[result(1), result(2), result(3)]]])(
    'objects joined by commas: %#',
    async (results) => {
      expect(await search(await answering({ ...nothing, results }))(QUERY, {})).toEqual(
        results.map(({ title, url, content }) => ({
          id: url,
          pageContent: content,
          metadata: { source: url, title },
        })),
      );
      expect(new URL(server.asked[0]?.url as string, server.url).searchParams.get('q')).toBe(QUERY);
    },
  );

  test.each([
    ['nothing', {}, []],
    ['other words to try', { suggestions: ['bridge', 'harbour'] }, []],
    ['an answer', { answers: ['May 1932'] }, [{ pageContent: 'May 1932', metadata: {} }]],
    [
      'an answer with its source',
      { answers: [{ answer: 'May 1932', url: 'https://b.example/' }] },
      [{ id: 'https://b.example/', pageContent: 'May 1932', metadata: { source: 'https://b.example/' } }],
    ],
    ['a box', { infoboxes: [{ content: 'A <i>bridge</i>.' }] }, [{ pageContent: 'A bridge.', metadata: {} }]],
  ])('%s', async (_, more, expected) => {
    expect(await search(await answering({ ...nothing, ...more }))(QUERY, {})).toEqual(expected);
  });
});

describe('Exa', () => {
  const results = [
    {
      id: 'https://b.example/1',
      title: 'Bridge',
      url: 'https://b.example/1',
      publishedDate: '1932-05-04T00:00:00.000Z',
      author: 'Ann Lee',
      score: 0.3,
      text: 'It was opened in May 1932.',
    },
  ];
  const expected = {
    id: 'https://b.example/1',
    pageContent: 'It was opened in May 1932.',
    metadata: {
      source: 'https://b.example/1',
      title: 'Bridge',
      publishedDate: '1932-05-04T00:00:00.000Z',
      author: 'Ann Lee',
      score: 0.3,
    },
  };
  const client = (url: string) => new Exa('none', url);

  test('ExaRetriever', async () => {
    const search = toWebSearch(new ExaRetriever({ client: client(await answering({ results })) }));
    expect(await search(QUERY, {})).toMatchObject([expected]);
    expect(server.asked).toMatchObject([{ url: '/search', body: { query: QUERY } }]);
  });

  test('ExaSearchResults', async () => {
    const search = toWebSearch(
      new ExaSearchResults({ client: client(await answering({ results })) as never }),
    );
    expect(await search(QUERY, {})).toEqual([expected]);
  });

  test('ExaSearchResults with passages instead of the text', async () => {
    const { text: _, ...rest } = results[0] as (typeof results)[0];
    const url = await answering({ results: [{ ...rest, highlights: ['It was opened', 'in May'] }] });
    const search = toWebSearch(
      new ExaSearchResults({ client: client(url) as never, searchArgs: { highlights: true } as never }),
    );
    expect(await search(QUERY, {})).toMatchObject([{ pageContent: 'It was opened\n\nin May' }]);
  });

  test('no results', async () => {
    const search = toWebSearch(new ExaRetriever({ client: client(await answering({ results: [] })) }));
    expect(await search(QUERY, {})).toEqual([]);
  });
});

describe('the retriever tool of this package', () => {
  const search = (documents: ReturnType<typeof harbour>) =>
    toWebSearch(
      createShapedRetrieverTool({
        retriever: new FixedRetriever(documents),
        name: 'harbour',
        description: 'Finds what is known of the harbour.',
      }),
    );

  test('the documents, not the text that a model would read', async () => {
    const documents = harbour();
    expect(await search(documents)(QUERY, {})).toEqual(
      documents.map(({ id, pageContent, metadata }) => ({ id, pageContent, metadata })),
    );
  });

  test('none', async () => {
    expect(await search([])(QUERY, {})).toEqual([]);
  });
});
