import { ContextShapingError } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingDocuments } from '../../../adapters/langgraph/web-search.js';

const answers = (result: unknown) =>
  findingDocuments(function engine() {
    return result;
  })('builder of the bridge', {});
const url = (place: number) => `https://b.example/${place}`;

test('the function gets the query and the signal', async () => {
  const { signal } = new AbortController();
  const asked: unknown[][] = [];
  const search = findingDocuments((...given) => {
    asked.push(given);
    return [];
  });
  await search('who?', { signal });
  expect(asked).toEqual([['who?', { signal }]]);
});

describe('the reading of the result', () => {
  const bare = (pageContent: string) => ({ pageContent, metadata: {} });
  test.each([
    ['nothing', [], []],
    ['results', { answer: 'Bob', images: ['x.png'], results: [{ content: 'Ann', score: 1 }] }, [bare('Ann')]],
    ['items', { kind: 'x', items: [{ snippet: 'A <b>B</b>' }] }, [bare('A <b>B</b>')]],
    ['JSON', '{"results":[{"text":"Ann"}]}', [bare('Ann')]],
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

  test('an error is a failure', async () => {
    await expect(answers({ error: 'quota exceeded' })).rejects.toMatchObject({
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
    '',
    'It was Ann.',
    {},
    { results: 'none' },
    [null],
    [{ url: url(1) }],
  ])('%j is not understood', async (result) => {
    await expect(answers(result)).rejects.toMatchObject({
      kind: 'service',
      field: 'engine',
      value: result,
      problem: 'returned a result in an unknown form',
      remedy: expect.stringContaining('pageContent'),
    });
  });

  test('documents stay as they are, and only a web address is a source', async () => {
    const document = { pageContent: 'a', id: 'own', metadata: { url: url(1) } };
    expect(await answers([document])).toEqual([document]);
    expect(await answers([{ snippet: 'a', url: 'javascript:alert(1)', link: url(2) }])).toEqual([
      { pageContent: 'a', id: url(2), metadata: { source: url(2) } },
    ]);
    for (const wrong of ['javascript:alert(1)', 'https://b.example\n](x)', url(0).padEnd(3000, 'x')])
      expect(await answers([{ snippet: 'a', url: wrong, source: wrong }])).toEqual([bare('a')]);
  });

  test('no more than a checkpoint can bear', async () => {
    const many = Array.from({ length: 150 }, (_, place) => ({ snippet: 'a', url: url(place) }));
    expect((await answers(many)).map(({ id }) => id)).toEqual(many.slice(0, 100).map(({ url }) => url));
    const long = `${'x'.repeat(99_999)}🙂`;
    for (const item of [{ content: long }, { pageContent: long, metadata: {} }])
      expect(await answers([item])).toEqual([bare('x'.repeat(99_999))]);
  });

  test('every response gives documents or a typed error', async () => {
    const value = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true });
    const key = fc.constantFrom(
      'results',
      'content',
      'snippet',
      'url',
      'pageContent',
      'metadata',
      'error',
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
