/** The way of a run: each verdict, with every outcome of the search, with people and without. */
import { Command, MemorySaver } from '@langchain/langgraph';
import { createCragGraph } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { documents, fixedGrader, idsOf, query, schemaErrors, web } from './support.js';

const RETRIEVED = { correct: 0.9, ambiguous: 0.5, incorrect: 0.1 } as const;
type Retrieved = keyof typeof RETRIEVED;

/** The outcome of the search, and the grade of its results. */
const SEARCHES = {
  'finds the answer': async () => [web('found', 0.8)],
  'finds no help': async () => [web('found', 0.05)],
  'finds nothing': async () => [],
  throws: async () => {
    throw new Error('503 from the search');
  },
} as const;
type Search = keyof typeof SEARCHES;

/** The steps after a decision to search, and after documents were found. */
const SEARCH = 'rewrite, search';
const ANEW = `${SEARCH}, shape, grade`;

/** [retrieved, the search, path from the first decision on without review, verdict, ids that are handed on] */
const ROUTES: [Retrieved, Search, string, Retrieved, string][] = [
  ['correct', 'finds the answer', 'decide: correct', 'correct', 'cats dogs'],
  ['correct', 'finds no help', 'decide: correct', 'correct', 'cats dogs'],
  ['correct', 'finds nothing', 'decide: correct', 'correct', 'cats dogs'],
  ['correct', 'throws', 'decide: correct', 'correct', 'cats dogs'],
  [
    'ambiguous',
    'finds the answer',
    `decide: ambiguous, ${ANEW}, decide: correct`,
    'correct',
    'cats dogs found',
  ],
  ['ambiguous', 'finds no help', `decide: ambiguous, ${ANEW}, decide: ambiguous`, 'ambiguous', 'cats dogs'],
  ['ambiguous', 'finds nothing', `decide: ambiguous, ${SEARCH}, decide: ambiguous`, 'ambiguous', 'cats dogs'],
  ['ambiguous', 'throws', `decide: ambiguous, ${SEARCH}, decide: ambiguous`, 'ambiguous', 'cats dogs'],
  ['incorrect', 'finds the answer', `decide: incorrect, ${ANEW}, decide: correct`, 'correct', 'found'],
  ['incorrect', 'finds no help', `decide: incorrect, ${ANEW}, decide: incorrect`, 'incorrect', 'cats'],
  ['incorrect', 'finds nothing', `decide: incorrect, ${SEARCH}, decide: incorrect`, 'incorrect', 'cats'],
  ['incorrect', 'throws', `decide: incorrect, ${SEARCH}, decide: incorrect`, 'incorrect', 'cats dogs'],
];

describe.each(ROUTES)('%s, the search %s', (as, search, path, verdict, ids) => {
  test.each(['alone', 'with review'])('%s', async (way) => {
    const review = way === 'alone' ? {} : { review: true, checkpointer: new MemorySaver() };
    const graph = createCragGraph({ grader: fixedGrader(), webSearch: SEARCHES[search], ...review });
    const config = { configurable: { thread_id: 't' } };
    const begun = await graph.invoke({ query, documents: documents(RETRIEVED[as]) }, config);
    const isAsked = way !== 'alone' && verdict !== 'correct';
    expect('__interrupt__' in begun).toBe(isAsked);
    const result = isAsked
      ? await graph.invoke(new Command({ resume: { action: 'approve', by: 'Ada' } }), config)
      : begun;
    const asked = isAsked ? ['review: approve'] : [];
    const steps = ['shape', 'grade', path, ...asked, 'refine'].join(', ');
    expect(result.report.crag?.path.join(', ')).toBe(steps);
    expect(result.verdict).toBe(isAsked ? 'approved' : verdict);
    expect(schemaErrors(result.report)).toEqual([]);
    expect(idsOf(result.context).join(' ')).toBe(ids);
    expect(result.report.degradations.map(({ code }) => code)).toEqual([
      ...(search === 'throws' && as !== 'correct' ? ['search-failed'] : []),
      ...(verdict === 'incorrect' && search !== 'throws' ? ['grade-gate-lifted'] : []),
    ]);
  });
});
