/** The way of a run: each verdict, with every outcome of the search, with people and without. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Command, MemorySaver } from '@langchain/langgraph';
import { type CragGraphFields, createCragGraph } from 'context-shaping/langgraph';
import { expect, test } from 'vitest';
import { documents, fixedGrader, query, schemaErrors, web } from './support.js';

const RETRIEVED = { correct: 0.9, ambiguous: 0.5, incorrect: 0.1 } as const;
type Retrieved = keyof typeof RETRIEVED;

/** The outcome of the search, and the grade of its results. */
const SEARCHES = {
  'finds the answer': async () => [web('found', 0.8)],
  'finds what does not help': async () => [web('found', 0.05)],
  'finds nothing': async () => [],
  throws: async () => {
    throw new Error('503 from the search');
  },
} as const;
type Search = keyof typeof SEARCHES;

const searched = ['decide: ambiguous', 'rewrite', 'search'];
const START = ['shape', 'grade'];

/** [retrieved, the search, path from the first decision on without review, verdict, ids that are handed on] */
const ROUTES: [Retrieved, Search, string[], Retrieved, string[]][] = [
  ['correct', 'finds the answer', ['decide: correct'], 'correct', ['cats', 'dogs']],
  ['correct', 'finds what does not help', ['decide: correct'], 'correct', ['cats', 'dogs']],
  ['correct', 'finds nothing', ['decide: correct'], 'correct', ['cats', 'dogs']],
  ['correct', 'throws', ['decide: correct'], 'correct', ['cats', 'dogs']],
  [
    'ambiguous',
    'finds the answer',
    [...searched, 'shape', 'grade', 'decide: correct'],
    'correct',
    ['cats', 'dogs', 'found'],
  ],
  [
    'ambiguous',
    'finds what does not help',
    [...searched, 'shape', 'grade', 'decide: ambiguous'],
    'ambiguous',
    ['cats', 'dogs'],
  ],
  ['ambiguous', 'finds nothing', [...searched, 'decide: ambiguous'], 'ambiguous', ['cats', 'dogs']],
  ['ambiguous', 'throws', [...searched, 'decide: ambiguous'], 'ambiguous', ['cats', 'dogs']],
  [
    'incorrect',
    'finds the answer',
    ['decide: incorrect', 'rewrite', 'search', 'shape', 'grade', 'decide: correct'],
    'correct',
    ['found'],
  ],
  [
    'incorrect',
    'finds what does not help',
    ['decide: incorrect', 'rewrite', 'search', 'shape', 'grade', 'decide: incorrect'],
    'incorrect',
    ['cats'],
  ],
  [
    'incorrect',
    'finds nothing',
    ['decide: incorrect', 'rewrite', 'search', 'decide: incorrect'],
    'incorrect',
    ['cats'],
  ],
  [
    'incorrect',
    'throws',
    ['decide: incorrect', 'rewrite', 'search', 'decide: incorrect'],
    'incorrect',
    ['cats', 'dogs'],
  ],
];

const fields = (search: Search): CragGraphFields => ({ grader: fixedGrader(), webSearch: SEARCHES[search] });
const retrieved = (as: Retrieved): DocumentInterface[] => documents(RETRIEVED[as]);
const idsOf = (context: DocumentInterface[]) => context.map(({ id }) => id).sort();

test.each(ROUTES)('%s, the search %s', async (as, search, path, verdict, ids) => {
  const result = await createCragGraph(fields(search)).invoke({ query, documents: retrieved(as) });
  expect(result.report.crag?.path).toEqual([...START, ...path, 'refine']);
  expect(result.verdict).toBe(verdict);
  expect(schemaErrors(result.report)).toEqual([]);
  expect(idsOf(result.context)).toEqual(ids);
  expect(result.report.degradations.map(({ code }) => code)).toEqual([
    ...(search === 'throws' && as !== 'correct' ? ['search-failed'] : []),
    ...(verdict === 'incorrect' && search !== 'throws' ? ['grade-gate-lifted'] : []),
  ]);
});

test.each(ROUTES)('%s, the search %s, with review', async (as, search, path, verdict, ids) => {
  const graph = createCragGraph({ ...fields(search), review: true, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: `${as} ${search}` } };
  const paused = await graph.invoke({ query, documents: retrieved(as) }, config);
  const isAsked = verdict !== 'correct';
  expect('__interrupt__' in paused).toBe(isAsked);
  const result = isAsked
    ? await graph.invoke(new Command({ resume: { action: 'approve', by: 'Ada' } }), config)
    : paused;
  const asked = isAsked ? ['review: approve'] : [];
  expect(result.report.crag?.path).toEqual([...START, ...path, ...asked, 'refine']);
  expect(result.verdict).toBe(isAsked ? 'approved' : verdict);
  expect(schemaErrors(result.report)).toEqual([]);
  expect(idsOf(result.context)).toEqual(ids);
});
