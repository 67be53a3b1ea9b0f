/**
 * For all documents, grades, searches and answers: none is lost, no forbidden one is kept, and none depends on
 * chance.
 */
import { Command, MemorySaver } from '@langchain/langgraph';
import { estimateTokens, type ShapingOptions } from 'context-shaping';
import {
  type CragGraphFields,
  createCragGraph,
  type ReviewReason,
  type ReviewRequest,
} from 'context-shaping/langgraph';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ledgerOf, schemaErrors } from '../../../adapters/langgraph/support.js';
import { deepFreeze } from '../../../support.js';

const CASES = 150;
const LONG = 'The bridge is 12 miles long. It was painted red. Nobody knows why it was painted red.';
const TEXTS = [
  '',
  '  ',
  'The bridge was opened in 1901 by the mayor of the town.',
  'THE BRIDGE was opened in 1901 by the mayor of the town!',
  'The bridge was opened in 1910 by the mayor of the town.',
  LONG,
  'Ferries cross the bay every hour.',
  'x',
];
const QUERIES = ['How long is the bridge?', 'When was the bridge opened?', '', 'Ferries?'];

// Mostly what leads to a review.
const grade = fc.oneof(
  fc.constantFrom(0.4, 0.5, 0.6),
  fc.constantFrom(-1, 0, 0.29, 0.3, 0.7, 1, Number.NaN, 'fails', 'throws'),
);
const document = fc.record(
  {
    id: fc.constantFrom('a', 'a#2', 'b', 'answer-1', 'doc-1'),
    text: fc.oneof(
      fc.constantFrom('x', 'Ferries cross the bay every hour.', LONG),
      fc.constantFrom(...TEXTS),
    ),
    grade,
    source: fc.constantFrom('s1', 's2'),
  },
  { requiredKeys: ['text', 'grade'] },
);
const place = fc.nat(20);
// Mostly what does not end the run.
const action = fc.constantFrom('approve', 'approve', 'approve', 'answer', 'refuse');
const answer = fc.record({
  action,
  keep: fc.option(fc.array(place, { maxLength: 3 }), { nil: undefined }),
  text: fc.constantFrom(...TEXTS.slice(2)),
  search: fc.constantFrom(undefined, undefined, 'bridge', 'ferry', 'miles'),
  isFirstMalformed: fc.boolean(),
});
const scenario = fc.record({
  query: fc.constantFrom(...QUERIES),
  documents: fc.array(document, { maxLength: 6 }),
  /** The results of each search. */
  searches: fc.array(fc.oneof(fc.array(document, { maxLength: 3 }), fc.constantFrom('throws' as const)), {
    minLength: 1,
    maxLength: 4,
  }),
  rewrite: fc.constantFrom('words', '', 'throws'),
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  on: fc.oneof(
    fc.constant<ReviewReason[]>(['ambiguous', 'incorrect', 'conflict']),
    fc.subarray<ReviewReason>(['ambiguous', 'incorrect', 'conflict']),
  ),
  // Mostly what cuts a text.
  maxTokens: fc.constantFrom(undefined, 1, 7, 9, 11, 11, 14, 30),
  shaper: fc.record(
    { allowEmpty: fc.boolean(), k: fc.integer({ min: 1, max: 4 }), extract: fc.constant(false as const) },
    { requiredKeys: [] },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const toDocument = ({ id, text, grade: given, source }: Scenario['documents'][number]) => ({
  ...(id === undefined ? {} : { id }),
  pageContent: text,
  metadata: { grade: given, original: text, ...(source === undefined ? {} : { source }) },
});

/** Outside services that do the same each time, in any time, and a record of their calls. */
function fieldsOf(given: Scenario, wait: () => Promise<unknown>) {
  let searched = 0;
  const fields: CragGraphFields = {
    shaper: {
      ...given.shaper,
      ...(given.maxTokens === undefined ? {} : { budget: { maxTokens: given.maxTokens } }),
    } as ShapingOptions,
    grader: {
      name: 'generated',
      async grade(requests) {
        await wait();
        if (requests.some(({ metadata }) => metadata.grade === 'throws')) throw 'out of order';
        return requests.map(({ metadata }) =>
          metadata.grade === 'fails' ? { failure: 'busy' } : { grade: metadata.grade as number },
        );
      },
    },
    async rewrite() {
      if (given.rewrite === 'throws') throw new Error('no model');
      return given.rewrite;
    },
    async webSearch() {
      await wait();
      const found = given.searches[searched++ % given.searches.length];
      if (!Array.isArray(found)) throw new Error('offline');
      return found.map(toDocument);
    },
  };
  return fields;
}

/** The answers of the person of the scenario, by the round alone. */
function answerTo(request: ReviewRequest, { answers }: Scenario): unknown {
  const given = answers[(request.round - 1) % answers.length] as Scenario['answers'][number];
  if (given.isFirstMalformed && request.problem === undefined) return { action: 'whatever' };
  const all = [...request.chunks, ...request.evicted];
  const ids = given.keep?.flatMap((at) => (all.length === 0 ? [] : (all[at % all.length]?.id as string)));
  const keep = ids === undefined ? {} : { keep: ids };
  if (given.action === 'refuse') return { action: 'refuse' };
  if (given.action === 'answer') return { action: 'answer', answer: given.text, ...keep };
  if (given.search !== undefined) return { action: 'approve', search: given.search };
  return { action: 'approve', ...keep };
}

/** Runs with answers, kept as JSON in between. */
async function ran(given: Scenario, wait: () => Promise<unknown>) {
  const graph = createCragGraph({
    ...fieldsOf(given, wait),
    review: { on: given.on },
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: 't' } };
  const documents = deepFreeze(given.documents.map(toDocument));
  let result = await graph.invoke({ query: given.query, documents }, config);
  while ('__interrupt__' in result) {
    const [{ value }] = result.__interrupt__ as [{ value: ReviewRequest }];
    result = await graph.invoke(new Command({ resume: answerTo(value, given) }), config);
  }
  return result;
}

test(`${CASES} generated runs`, async () => {
  const seen = { choices: 0, answers: 0, searches: 0, found: 0, cut: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, fc.infiniteStream(fc.nat(3)), async (given, waits) => {
      const { context, report } = await ran(given, async () => {});

      expect([...report.kept, ...report.evicted].map(({ index }) => index).sort((a, b) => a - b)).toEqual(
        report.input.map((_, index) => index),
      );
      expect(ledgerOf(report)).toEqual(report.input);
      expect(schemaErrors(report)).toEqual([]);
      const record = report.crag as NonNullable<typeof report.crag>;
      const found = record.searches.reduce((sum, each) => sum + each.found, 0);
      expect(report.input.length).toBe(
        given.documents.length + found + (record.answer === undefined ? 0 : 1),
      );

      expect(context).toHaveLength(report.kept.length);
      const spent = context.reduce((sum, { pageContent }) => sum + estimateTokens(pageContent), 0);
      expect(spent).toBe(report.tokens.output);
      expect(spent).toBeLessThanOrEqual(given.maxTokens ?? Number.POSITIVE_INFINITY);

      const { keep } = record.reviews.at(-1) ?? {};
      const named = new Set([...(keep ?? []), ...(record.answer === undefined ? [] : [report.input.at(-1)])]);
      if (keep !== undefined) expect(report.kept.filter(({ id }) => !named.has(id))).toEqual([]);
      if (record.outcome === 'refused') expect(context).toEqual([]);

      const slow = () => new Promise((resolve) => setTimeout(resolve, waits.next().value));
      const again = await ran(given, slow);
      expect(again.report.digest).toBe(report.digest);
      expect(JSON.parse(JSON.stringify(again.context))).toEqual(JSON.parse(JSON.stringify(context)));

      seen.choices += keep?.length ?? 0;
      seen.answers += record.answer === undefined ? 0 : 1;
      seen.searches += record.reviews.filter(({ search }) => search !== undefined).length;
      seen.found += found;
      seen.cut += report.kept.filter(({ excerpts }) => excerpts).length;
    }),
    { numRuns: CASES },
  );
  // Were there any of these? Otherwise little was shown.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(CASES / 30);
});
