/** The inputs and outputs of the graph: verdicts, ledger, options, threads. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createShaper, type ShapingReport, type StageEvent } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { type CragGraphFields, createCragGraph } from 'context-shaping/langgraph';
import { fakeLogprobModel } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import {
  documents,
  fixedGrader,
  idsOf,
  ledgerOf,
  query,
  recorded,
  reviewed,
  schemaErrors,
  web,
} from './support.js';

const crag = (fields: CragGraphFields = {}) => createCragGraph({ grader: fixedGrader(), ...fields });
const run = (fields: CragGraphFields, retrieved: DocumentInterface[] = documents(0.5)) =>
  crag(fields).invoke({ query, documents: retrieved });

describe('verdicts', () => {
  test('without any option words alone grade, and nothing is searched', async () => {
    const retrieved = [
      { pageContent: 'Cats sleep 13 hours and dogs sleep 11 hours a day.', metadata: {} },
      { pageContent: 'The harbour was dredged in 1901.', metadata: {} },
    ];
    const question = 'How many hours a day do cats and dogs sleep?';
    const { context, verdict, report } = await createCragGraph().invoke({
      query: question,
      documents: retrieved,
    });
    expect(verdict).toBe('correct');
    expect(context).toEqual([retrieved[0]]);
    expect(report.crag).toMatchObject({ grader: 'relevance', outcome: 'context', searches: [], reviews: [] });
    expect(report.evicted).toMatchObject([{ index: 1, stage: 'grade', reason: 'low-grade' }]);
  });

  test('formatReport prints the record, also of a report that was read from a log', async () => {
    const { report } = await run({ webSearch: async () => [web('found', 0.9)] }, documents(0.1));
    const table = formatReport(JSON.parse(JSON.stringify(report)));
    const relevance = report.evicted.find(({ id }) => id === 'cats')?.relevance?.toFixed(2);
    expect(table).toMatch(
      new RegExp(String.raw`grade +\d+ +${relevance} +cats +low-grade: grade 0\.1, minGrade 0\.3\n`),
    );
    expect(table).toContain(
      [
        'crag',
        '  verdict: correct',
        '  outcome: context',
        '  path: shape, grade, decide: incorrect, rewrite, search, shape, grade, decide: correct, refine',
        '  grader: fixed',
        '  thresholds: lower 0.3, upper 0.7',
      ].join('\n'),
    );
    expect(table).toMatch(
      /crag, grades\n +id +index +grade +reason\n[─ ]+\n +cats +0 +0\.1 +as it says\n +dogs +1 +0\.09 +as it says\n/,
    );
    expect(table).toMatch(/crag, searches\n +query +found\n[─ ]+\n +.*cats.* +1\n/);
    expect(table).not.toContain('crag, reviews');
  });

  test('the report keeps the evidence of the shapings, and previews of all documents', async () => {
    const shaper = { preview: 20, budget: { maxTokens: 12 } };
    const good = await run({ shaper, webSearch: async () => [web('found', 0.9)] }, documents(0.9));
    const [crowded] = good.report.evicted.filter((each) => each.reason === 'over-budget');
    expect(crowded?.lastKept).toEqual({ id: good.report.kept[0]?.id, relevance: expect.any(Number) });
    expect(crowded?.margin).toEqual(expect.any(Number));
    const poor = await run({ shaper, webSearch: async () => [web('found', 0.9)] }, documents(0.1));
    expect(poor.report.evicted.map(({ reason }) => reason)).toContain('low-grade');
    for (const { report } of [good, poor]) {
      expect(schemaErrors(report)).toEqual([]);
      for (const { preview } of [...report.kept, ...report.evicted]) expect(preview).toMatch(/^\w.{5,}/);
    }
  });

  test('grades that reach a bound are on its upper side', async () => {
    const graded = async (grade: number) => (await run({}, documents(grade).slice(0, 1))).verdict;
    expect([await graded(0.7), await graded(0.6999), await graded(0.3), await graded(0.2999)]).toEqual([
      'correct',
      'ambiguous',
      'ambiguous',
      'incorrect',
    ]);
  });

  const slept = (id: string, hours: number, grade: number): DocumentInterface => ({
    id,
    pageContent: `The dogs of the harbour sleep for ${hours} hours on each day of the year.`,
    metadata: { grade, source: `${id}.md` },
  });

  test('a search result may differ from a retrieved document: a person sees both statements', async () => {
    const webSearch = async () => [web('other', 0.4), slept('page', 14, 0.9)];
    const { requests, report, verdict } = await reviewed(
      [{ action: 'approve', keep: ['book'] }],
      { webSearch },
      [slept('book', 11, 0.5)],
    );
    const sides = [
      { ids: ['book'], indices: [0], source: 'book.md' },
      { ids: ['page'], indices: [2], source: 'page.md' },
    ];
    const [request] = requests;
    expect(request).toMatchObject({ reasons: ['conflict'], conflicts: [{ level: 'sure', sides }] });
    const [conflict] = request?.conflicts ?? [];
    expect(conflict?.about).toMatch(/\w/);
    expect(conflict?.sides.map(({ says }) => says)).toEqual([
      expect.stringContaining('11'),
      expect.stringContaining('14'),
    ]);
    expect(conflict?.sides[1]?.excerpt).toContain('sleep for 14 hours');
    expect(verdict).toBe('approved');
    // The report has no texts, as the shaper has no previews. The chunk in the result is first.
    expect(report.conflicts).toEqual([{ level: 'sure', kinds: conflict?.kinds, sides: expect.any(Array) }]);
    expect(report.conflicts[0]?.sides).toMatchObject(sides);
    expect(JSON.stringify(report.conflicts)).not.toContain('sleep');
    const apart = await run({ webSearch, shaper: { semanticDedup: false } }, [slept('book', 11, 0.5)]);
    expect(apart.verdict).toBe('correct');
  });

  test('a sure conflict about the question makes a correct verdict ambiguous, and causes one search', async () => {
    const retrieved = [slept('one', 11, 0.9), slept('two', 14, 0.8)];
    const { searches, webSearch } = recorded(() => [web('other', 0.8)]);
    const fields = { webSearch, shaper: { preview: 100 } };
    const { verdict, report, context } = await run(fields, retrieved);
    expect(verdict).toBe('ambiguous');
    // Once, though the retrieved documents were compared in two shapings.
    expect(report.conflicts).toMatchObject([
      { sides: [{ excerpt: expect.stringContaining('sleep') }, { ids: ['two'] }] },
    ]);
    expect(searches).toHaveLength(1);
    expect(idsOf(context)).toEqual(['one', 'other', 'two']);
  });

  test('a conflict about something else is reported, and the verdict stays', async () => {
    const opened = ['1901', '1910'].map((year) => ({
      id: year,
      pageContent: `The harbour of Aberdeen was opened in the year ${year} by the mayor.`,
      metadata: { grade: 0.9 },
    }));
    const { verdict, report } = await run({}, opened);
    expect(verdict).toBe('correct');
    expect(report.conflicts).toMatchObject([{ sides: [{ ids: ['1901'] }, { ids: ['1910'] }] }]);
  });

  test('a conflict with an evicted chunk does not change the verdict', async () => {
    const retrieved = [slept('one', 11, 0.9), slept('two', 14, 0.8)];
    const { verdict, report } = await run({ shaper: { k: 1 } }, retrieved);
    expect(verdict).toBe('correct');
    expect(report.conflicts).toMatchObject([{ sides: [{ ids: ['one'] }, { ids: ['two'] }] }]);
  });
});

describe('searching', () => {
  test('a search result that was found before is not added again', async () => {
    const grader = fixedGrader();
    const retrieved = [...documents(0.5), web('known', 0.5)];
    const { report } = await run(
      {
        grader,
        webSearch: async () => [web('known', 0.5), web('new', 0.5), web('new', 0.5)],
      },
      retrieved,
    );
    expect(report.crag?.searches.map(({ found }) => found)).toEqual([1]);
    expect(grader.graded.toSorted()).toEqual(['cats', 'dogs', 'known', 'new']);
    expect(ledgerOf(report)).toEqual(['cats', 'dogs', 'known', 'new']);
  });

  test('the first retrieved copy keeps the citations of its copies, also from the web', async () => {
    const [cats, dogs] = documents(0.5) as [DocumentInterface, DocumentInterface];
    const copy = { ...cats, id: 'copy', metadata: { ...cats.metadata, source: 'b.md' } };
    const found = { ...cats, id: 'page', metadata: { ...cats.metadata, source: 'https://c.org' } };
    const { context, report } = await run({ citeSources: 'sources', webSearch: async () => [found] }, [
      { ...cats, metadata: { ...cats.metadata, source: 'a.md' } },
      copy,
      dogs,
    ]);
    expect(idsOf(context)).toEqual(['cats', 'dogs']);
    const sources = [
      { id: 'cats', source: 'a.md' },
      { id: 'copy', source: 'b.md' },
      { id: 'page', source: 'https://c.org' },
    ];
    expect(context.find(({ id }) => id === 'cats')?.metadata.sources).toEqual(sources);
    expect(report.kept.find(({ id }) => id === 'cats')?.sources).toEqual(sources);
    expect(report.evicted).toMatchObject([
      { id: 'copy', index: 1, reason: 'exact-duplicate' },
      { id: 'page', index: 3, reason: 'exact-duplicate' },
    ]);
  });
});

describe('the context', () => {
  test('if no document survives, the best stays, or none if the shaper may return none', async () => {
    const best = await run({}, documents(0.2));
    expect(idsOf(best.context)).toEqual(['cats']);
    expect(best.report.degradations).toMatchObject([{ code: 'grade-gate-lifted' }]);
    const nothing = await run({ shaper: { allowEmpty: true } }, documents(0.2));
    expect(nothing.context).toEqual([]);
    expect(nothing.report.evicted.map(({ reason }) => reason)).toEqual(['low-grade', 'low-grade']);
    expect(nothing.report.degradations).toEqual([]);
  });

  test('no documents, and none found', async () => {
    const { context, verdict, report } = await run({ webSearch: async () => [] }, []);
    expect([context, verdict, report.input]).toEqual([[], 'incorrect', []]);
    const found = await run({ webSearch: async () => [web('found', 0.9)] }, []);
    expect([idsOf(found.context), found.verdict]).toEqual([['found'], 'correct']);
  });

  test('a shaper that is given whole is used as it is', async () => {
    const { report } = await run({ shaper: createShaper({ k: 1 }) });
    expect(report.kept).toHaveLength(1);
    expect(report.options).toMatchObject({ k: 1 });
  });
});

describe('the ledger', () => {
  const retrieved = documents(0.5).map((document) => ({
    ...document,
    metadata: { ...document.metadata, source: `${document.id}.md`, position: 3 },
  }));

  test('gives the origin and the measurements of documents that were graded too low or vetoed', async () => {
    const known = {
      source: 'dogs.md',
      position: 3,
      relevance: expect.any(Number),
      features: expect.anything(),
    };
    const graded = await run({ thresholds: { lower: 0.495 } }, retrieved);
    expect(graded.report.evicted).toMatchObject([{ id: 'dogs', reason: 'low-grade', ...known }]);
    for (const answer of [{ action: 'approve', keep: ['cats'] }, { action: 'refuse' }]) {
      const { report } = await reviewed([answer], {}, retrieved);
      expect(report.evicted.find(({ id }) => id === 'dogs')).toMatchObject({ reason: 'vetoed', ...known });
      expect(schemaErrors(report)).toEqual([]);
    }
  });

  test('keeps the measured utility, also of documents that are shaped again', async () => {
    const answering = {
      ...web('found', 0),
      pageContent: 'Cats sleep sixteen hours a day; dogs sleep twelve.',
    };
    const { report } = await createCragGraph({
      grader: 'ecs',
      webSearch: async () => [answering],
      shaper: { ecs: { model: fakeLogprobModel(), trust: 'always' } },
    }).invoke({ query: { text: query, answer: 'sixteen hours' }, documents: retrieved });
    expect(idsOf(report.kept)).toEqual(['found']);
    const grades = [...report.kept, ...report.evicted]
      .toSorted((one, other) => one.index - other.index)
      .map(({ utility = Number.NaN }) => 1 / (1 + Math.exp(-utility)));
    expect(report.crag?.grades.map(({ grade }) => grade)).toEqual(
      grades.map((grade) => expect.closeTo(grade, 9)),
    );
    expect(schemaErrors(report)).toEqual([]);
  });

  test('is the report that observers of the shaper get, once', async () => {
    for (const shaperOf of [createShaper, <T>(options: T) => options]) {
      const reports: ShapingReport[] = [];
      const evicted: string[] = [];
      const shaper = shaperOf({
        onReport: (report: ShapingReport) => void reports.push(report),
        onEvict: ({ id }: { id: string }) => void evicted.push(id),
      });
      const { report } = await run({ shaper, webSearch: async () => [web('found', 0.9)] }, documents(0.1));
      expect(reports).toEqual([report]);
      expect(evicted).toEqual(['cats', 'dogs']);
    }
  });

  test('has the stages of all shapings, each told while it ran', async () => {
    const stages: string[] = [];
    const shaper = { onStage: ({ name }: StageEvent) => void stages.push(name) };
    const { report } = await run({ shaper, webSearch: async () => [web('found', 0.9)] }, documents(0.1));
    expect(stages.filter((name) => name === 'annotate').length).toBeGreaterThan(1);
    expect(stages).toEqual(report.stages.map(({ name }) => name));
  });

  test('says that an observer failed', async () => {
    const onReport = () => {
      throw new Error('disk full');
    };
    const { report, context } = await run({ shaper: { onReport } });
    expect(context).toHaveLength(2);
    expect(report.degradations).toMatchObject([{ code: 'observer-failed' }]);
  });
});

describe('an option without effect', () => {
  const codes = async (shaper: CragGraphFields['shaper']) => {
    const cats = { ...(documents(0.1)[0] as DocumentInterface), metadata: { grade: 0.1, file: 'cats.md' } };
    const { report } = await run({ shaper, webSearch: async () => [web('found', 0.9)] }, [cats]);
    expect(report.crag?.searches).toHaveLength(1);
    return report.degradations.map(({ code }) => code);
  };

  test('in one shaping has one in another: a pin, and a path that only the retrieved documents have', async () => {
    expect(await codes({ pin: ['cats'] })).toEqual([]);
    expect(await codes({ fields: { source: 'file' } })).toEqual([]);
  });

  test('is reported once: a pin and a path that no document has', async () => {
    expect(await codes({ pin: ['dogs'], fields: { title: 'headline' } })).toEqual([
      'pin-not-found',
      'option-without-effect',
    ]);
  });
});

describe('the input', () => {
  test('is not changed, and comes out whole', async () => {
    const retrieved = documents(0.8).map((document) => Object.freeze(new Document(document)));
    for (const { metadata } of retrieved) Object.freeze(metadata);
    const { context } = await run({}, retrieved);
    expect(context).toEqual(retrieved);
  });

  test('lies in the state as plain JSON', async () => {
    const graph = crag({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 'plain' } };
    await graph.invoke({ query, documents: documents(0.8).map((each) => new Document(each)) }, config);
    const { values } = await graph.getState(config);
    expect(JSON.parse(JSON.stringify(values.documents))).toStrictEqual(values.documents);
    expect(JSON.parse(JSON.stringify(values.context))).toStrictEqual(values.context);
  });

  test('a query with its vector goes on after a pause, for every kind of array', async () => {
    const embedding = new Float32Array([1, 0.5]);
    const graph = crag({ review: true, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 'vector' } };
    await graph.invoke({ query: { text: query, embedding }, documents: documents(0.5) }, config);
    const { context } = await graph.invoke(
      new Command({ resume: { action: 'approve', keep: ['cats'] } }),
      config,
    );
    expect(idsOf(context)).toEqual(['cats']);
  });

  test('a query with the conversation before it keeps that', async () => {
    const document = (id: string, pageContent: string) => ({ id, pageContent, metadata: { grade: 0.5 } });
    const retrieved = [
      document('museum', 'A ticket to the museum costs four pounds.'),
      document('ferry', 'The ferry to Inverkeith costs nine pounds.'),
    ];
    const history = [{ role: 'user' as const, text: 'Is there a ferry to Inverkeith?' }];
    const asked = { query: { text: 'How much does it cost?', history }, documents: retrieved };
    const fields = { shaper: { k: 1, ranked: false } } satisfies CragGraphFields;
    expect(idsOf((await crag(fields).invoke(asked)).context)).toEqual(['ferry']);
  });

  test.each([{ question: query, docs: [] }, { query }])('%j: it says what a parent can do', async (input) => {
    await expect(crag().invoke(input as never)).rejects.toThrow('call the graph inside a node');
  });

  test.each([
    [{ query: 7, documents: [] }, 'query'],
    [{ query: {}, documents: [] }, 'query'],
    [{ query }, 'documents'],
    [{ query, documents: 'text' }, 'documents'],
    [{ query, documents: [null] }, 'documents[0]'],
    [{ query, documents: [{ id: 'a', metadata: {} }] }, 'documents[0].pageContent'],
  ])('%j is refused', async (input, field) => {
    const error = await crag()
      .invoke(input as never)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'invalid-input', field });
  });

  test.each([
    [{ shapr: {} }, 'shapr'],
    [{ shaper: { budgt: 5 } }, 'shaper.budgt'],
    [{ grader: 'ecs' }, 'grader'],
    [{ scoreField: '' }, 'scoreField'],
    [{ thresholds: { lower: 0.9 } }, 'thresholds.lower'],
  ])('the option %j is refused', (fields, field) => {
    expect(() => createCragGraph(fields as never)).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field }),
    );
  });
});

describe('a thread', () => {
  test('starts afresh with its second question', async () => {
    const config = { configurable: { thread_id: 't' } };
    const fields = { webSearch: async () => [web('found', 0.4)] };
    const used = crag({ ...fields, checkpointer: new MemorySaver() });
    await used.invoke({ query: 'Something else?', documents: documents(0.1) }, config);
    const again = await used.invoke({ query, documents: documents(0.5) }, config);
    const first = await run(fields);
    expect(again.report.digest).toBe(first.report.digest);
    expect(again.context).toEqual(first.context);
  });
});
