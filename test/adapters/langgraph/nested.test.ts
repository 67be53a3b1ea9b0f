/** The graph as a node of others, and called inside their nodes. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, Command, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
import type { ShapingReport } from 'context-shaping';
import {
  type CragGraph,
  type CragGraphFields,
  createCragGraph,
  type ReviewRequest,
} from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { EVICTED_EVENT } from '../../../adapters/langchain/documents/index.js';
import { documents, fixedGrader, idsOf, query, web } from './support.js';

const list = <T>() => Annotation<T[]>({ reducer: (known, more) => known.concat(more), default: () => [] });
const Parent = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  verdict: Annotation<string>,
  report: Annotation<ShapingReport>,
});
const input = { query, documents: documents(0.5) };
const crag = (fields: CragGraphFields = {}) => createCragGraph({ grader: fixedGrader(), ...fields });
const parentOf = (inner: CragGraph) =>
  new StateGraph(Parent).addNode('crag', inner).addEdge(START, 'crag').addEdge('crag', END);
const thread = (id: string) => ({ configurable: { thread_id: id } });
const asked = (result: object) =>
  (result as { __interrupt__?: { id: string; value: ReviewRequest }[] }).__interrupt__ ?? [];

describe('a parent', () => {
  test('gets the same as a caller of the graph itself', async () => {
    const alone = await crag({ webSearch: async () => [web('found', 0.8)] }).invoke(input);
    const inner = crag({ webSearch: async () => [web('found', 0.8)] });
    const once = await parentOf(inner).compile().invoke(input);
    const twice = await parentOf(parentOf(inner).compile() as never)
      .compile({ checkpointer: new MemorySaver() })
      .invoke(input, thread('t'));
    for (const { context, verdict, report } of [once, twice]) {
      expect([context, verdict, report.digest]).toEqual([alone.context, alone.verdict, alone.report.digest]);
    }
  });

  test('may lack keys of the output', async () => {
    const { report: _, verdict: __, ...spec } = Parent.spec;
    const Small = Annotation.Root(spec);
    const graph = new StateGraph(Small).addNode('crag', crag()).addEdge(START, 'crag').addEdge('crag', END);
    expect(Object.keys(await graph.compile().invoke(input)).sort()).toEqual([
      'context',
      'documents',
      'query',
    ]);
  });

  test('that concatenates gets every document once', async () => {
    const Lists = Annotation.Root({
      query: Annotation<string>,
      documents: list<DocumentInterface>(),
      context: list<DocumentInterface>(),
      report: Annotation<ShapingReport>,
    });
    const graph = new StateGraph(Lists)
      .addNode('retrieve', () => ({ documents: documents(0.5) }))
      .addNode('crag', crag({ webSearch: async () => [web('found', 0.8)] }))
      .addEdge(START, 'retrieve')
      .addEdge('retrieve', 'crag')
      .addEdge('crag', END)
      .compile();
    const { documents: retrieved, context, report } = await graph.invoke({ query });
    expect(idsOf(retrieved)).toEqual(['cats', 'dogs']);
    expect(idsOf(context)).toEqual(['cats', 'dogs', 'found']);
    expect(report.input).toEqual(['cats', 'dogs', 'found']);
  });

  test('may call it inside a node: a person is asked once, and no paid call is repeated', async () => {
    const grader = fixedGrader();
    const inner = crag({ grader, review: true });
    const calling = new StateGraph(Parent)
      .addNode('call', async ({ query: text, documents: retrieved }) =>
        inner.invoke({ query: text, documents: retrieved }),
      )
      .addEdge(START, 'call')
      .addEdge('call', END)
      .compile({ checkpointer: new MemorySaver() });
    expect(asked(await calling.invoke(input, thread('t')))).toMatchObject([{ value: { round: 1 } }]);
    const { context } = await calling.invoke(
      new Command({ resume: { action: 'approve', keep: ['cats'] } }),
      thread('t'),
    );
    expect(idsOf(context)).toEqual(['cats']);
    expect(grader.graded).toEqual(['cats', 'dogs']);
  });
});

describe('what can be seen from outside', () => {
  const inner = () => crag({ webSearch: async () => [web('found', 0.8)] });
  const steps = [
    'begin',
    'shape',
    'grade',
    'decide',
    'rewrite',
    'search',
    'shape',
    'grade',
    'decide',
    'refine',
  ];

  test('the stream of the parent has the steps, and the evictions without texts', async () => {
    const streamMode: ('custom' | 'updates')[] = ['custom', 'updates'];
    const graph = parentOf(inner()).compile();
    const [taken, events]: [string[], Record<string, unknown>[]] = [[], []];
    for await (const [path, mode, event] of await graph.stream(input, { streamMode, subgraphs: true })) {
      if (mode === 'custom') events.push(event);
      else if (path.length > 0) taken.push(...Object.keys(event));
    }
    expect(taken).toEqual(steps);
    expect(events.map(({ type }) => type)).toEqual([EVICTED_EVENT, EVICTED_EVENT]);
    expect(JSON.stringify(events)).not.toContain('sleep for most');
  });

  test('callbacks hear of the evictions', async () => {
    const names: string[] = [];
    for await (const { event, name } of parentOf(inner()).compile().streamEvents(input, { version: 'v2' }))
      if (event === 'on_custom_event') names.push(name);
    expect(names).toEqual([EVICTED_EVENT, EVICTED_EVENT]);
  });

  test('it can be drawn, also inside two others', async () => {
    const alone = inner().getGraph().drawMermaid();
    for (const edge of ['begin --> shape', 'search --> shape', 'refine --> __end__'])
      expect(alone).toContain(edge);
    expect(alone).not.toContain('error_handler');
    const outer = parentOf(parentOf(inner()).compile() as never).compile();
    const drawn = (await outer.getGraphAsync({ xray: true })).drawMermaid();
    expect(drawn).toMatch(/crag.*refine/);
    expect(outer.getGraph({ xray: true }).drawMermaid()).toBe(drawn);
  });
});

describe('two runs at once in one thread', () => {
  const Both = Annotation.Root({
    questions: Annotation<string[]>,
    contexts: list<string>(),
  });
  type Task = { query: string; documents: DocumentInterface[] };
  const build = () => {
    const paid: string[] = [];
    const inner = crag({
      review: true,
      grader: {
        name: 'paid',
        async grade(requests) {
          paid.push(...requests.map(({ id, query: text }) => `grade ${id} ${text}`));
          return requests.map(({ metadata }) => ({ grade: metadata.grade as number }));
        },
      },
      rewrite: async ({ query: text }) => text,
      async webSearch(words) {
        paid.push(`search ${words}`);
        return [web(words, 0.4)];
      },
    });
    const graph = new StateGraph(Both)
      .addNode('one', async (task: Task) => {
        const { context } = await inner.invoke({ query: task.query, documents: task.documents });
        return { contexts: [idsOf(context).join()] };
      })
      .addConditionalEdges(START, ({ questions }) =>
        questions.map((question) => new Send('one', { query: question, documents: documents(0.5) })),
      )
      .addEdge('one', END)
      .compile({ checkpointer: new MemorySaver() });
    return { graph, paid };
  };
  const answerTo = ({ value }: { value: ReviewRequest }) => ({
    action: 'approve',
    keep: value.chunks.map(({ id }) => id).filter((id) => id !== value.query),
  });

  test.each(['together', 'first the first', 'first the last'])(
    'are answered %s, and nothing is paid twice',
    async (order) => {
      const { graph, paid } = build();
      const questions = ['A', 'B'];
      let result: object = await graph.invoke({ questions }, thread(order));
      expect(asked(result)).toHaveLength(2);
      while (asked(result).length > 0) {
        const waiting = asked(result).toSorted((one, other) =>
          one.value.query.localeCompare(other.value.query),
        );
        const now =
          order === 'together'
            ? waiting
            : [(order === 'first the first' ? waiting[0] : waiting.at(-1)) as (typeof waiting)[0]];
        const resume = Object.fromEntries(now.map((interrupt) => [interrupt.id, answerTo(interrupt)]));
        result = await graph.invoke(new Command({ resume }), thread(order));
        expect(asked(result)).toHaveLength(waiting.length - now.length);
      }
      expect((result as { contexts: string[] }).contexts).toEqual(['cats,dogs', 'cats,dogs']);
      expect(paid.toSorted()).toEqual(
        questions
          .flatMap((text) => [
            `grade cats ${text}`,
            `grade dogs ${text}`,
            `grade ${text} ${text}`,
            `search ${text}`,
          ])
          .sort(),
      );
    },
  );
});
