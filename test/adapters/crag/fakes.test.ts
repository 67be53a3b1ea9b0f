/** The fakes of `context-shaping/testing`, as a grader and a web search. */
import { fakeGrader, fakeWebSearch } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { type Grader, toWebSearch, type WebSearch } from '../../../adapters/crag/index.js';
import { REQUESTS } from './grader-contract.js';

const DOCUMENT = { id: 'w', pageContent: 'Ann Lee built it.', metadata: { source: 'https://b.example/' } };
const [one, two] = REQUESTS as [(typeof REQUESTS)[0], (typeof REQUESTS)[0]];

describe('fakeGrader', () => {
  test('grades by id, and fails for any other', async () => {
    const grader: Grader = fakeGrader({ grades: { c0: 0.75 } });
    expect(await grader.grade([one, two, { ...one, id: 'toString' }], {})).toEqual([
      { grade: 0.75 },
      { failure: 'The fake has no grade for "c1".' },
      { failure: 'The fake has no grade for "toString".' },
    ]);
  });

  test('grades by a function, and records its requests', async () => {
    const grader = fakeGrader({
      grades: ({ id, support }) => (id === 'c0' ? { grade: support, reason: 'It is.' } : { failure: 'no' }),
      batchSize: 2,
    });
    const requests = [{ ...one }, { ...two }];
    expect(await grader.grade(requests, {})).toEqual([{ grade: 1, reason: 'It is.' }, { failure: 'no' }]);
    (requests[0] as { id: string }).id = 'other';
    expect(grader.calls).toEqual([[one, two]]);
    expect(grader.batchSize).toBe(2);
  });
});

describe('fakeWebSearch', () => {
  test('finds by query, records the queries, and its documents are copies', async () => {
    const search = fakeWebSearch({ bridge: [DOCUMENT] });
    const typed: WebSearch = search;
    const found = await typed('bridge', {});
    expect([found, await typed('toString', {})]).toEqual([[DOCUMENT], []]);
    (found[0] as { pageContent: string }).pageContent = 'other';
    expect(await toWebSearch(search)('bridge', {})).toEqual([DOCUMENT]);
    expect(search.calls).toEqual(['bridge', 'toString', 'bridge']);
  });

  test('finds by a function', async () => {
    const search = fakeWebSearch((query) => [{ ...DOCUMENT, id: query }]);
    expect(await search('bridge')).toEqual([{ ...DOCUMENT, id: 'bridge' }]);
  });

  test('an abort ends it', async () => {
    const reason = new Error('not wanted any more');
    const search = fakeWebSearch({});
    await expect(search('again', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(search.calls).toEqual([]);
  });
});
