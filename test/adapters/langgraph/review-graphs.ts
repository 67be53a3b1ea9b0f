/** Small graphs that ask as the real one does, and documents for their requests. */
import {
  Annotation,
  type BaseCheckpointSaver,
  interrupt,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { REVIEW_KIND, type ReviewRequest } from '../../../adapters/langgraph/types.js';

export const request = (query: string, fields: Partial<ReviewRequest> = {}): ReviewRequest => ({
  kind: REVIEW_KIND,
  version: 4,
  round: 1,
  query,
  reasons: ['ambiguous'],
  verdict: 'ambiguous',
  chunks: [
    { id: 'price', text: 'It costs 300 euros.', origin: 'retrieved', source: 'prices.md', grade: 0.9 },
    { id: 'rain', text: 'It rained.', origin: 'web', grade: 0.1, reason: 'About the weather.' },
  ],
  evicted: [{ id: 'old', reason: 'outranked', stage: 'select', preview: 'It cost 200 euros.' }],
  conflicts: [
    {
      level: 'sure',
      kinds: ['number'],
      about: 'It costs',
      sides: [
        {
          ...{ ids: ['price'], indices: [0], says: '300 euros', excerpt: 'It costs 300 euros.' },
          ...{ source: 'prices.md', date: '2024', support: 2 },
        },
        {
          ...{ ids: ['old'], indices: [2], says: '200 euros', excerpt: 'It cost 200 euros.' },
          ...{ source: 'prices.md', date: '2020', support: 1 },
        },
      ],
    },
  ],
  searches: [],
  degradations: [],
  ...fields,
});

export const State = Annotation.Root({
  query: Annotation<string>,
  /** The answers, in order. */
  log: Annotation<unknown[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
type Values = typeof State.State;

interface Setting {
  checkpointer: BaseCheckpointSaver;
}

/** The node's use of the answer; every error that it throws fails the run. */
type Act = (answer: unknown, state: Values) => unknown;

const ask = (state: Values): unknown => interrupt(request(state.query));

export const asking = ({ checkpointer }: Setting, act: Act = (answer) => answer) =>
  new StateGraph(State)
    .addNode('review', async (state) => ({ log: [await act(ask(state), state)] }))
    .addEdge(START, 'review')
    .compile({ checkpointer });

/** The update of the review node is saved before `generate` begins, in which `act` does its work. */
export const askingFirst = (
  { checkpointer }: Setting,
  act: Act = () => 'generated',
  onAnswer: (state: Values, answer: unknown) => unknown = () => {},
) =>
  new StateGraph(State)
    .addNode('review', async (state) => {
      const answer = ask(state);
      await onAnswer(state, answer);
      return { log: [answer] };
    })
    .addNode('generate', async (state) => ({ log: [await act(state.log.at(-1), state)] }))
    .addEdge(START, 'review')
    .addEdge('review', 'generate')
    .compile({ checkpointer });

/** Asks about each of three questions at the same time, and something else of its user. */
export const askingSideBySide = ({ checkpointer }: Setting) =>
  new StateGraph(State)
    .addNode('review', (state: Values) => ({
      log: [`${state.query}: ${(ask(state) as { action: string }).action}`],
    }))
    .addNode('other', () => ({ log: [interrupt({ question: 'What is your name?' })] }))
    .addConditionalEdges(
      START,
      () => [...['a', 'b', 'c'].map((query) => new Send('review', { query })), new Send('other', {})],
      ['review', 'other'],
    )
    .compile({ checkpointer });

/** Two of them one after the other in one node: both interrupts have the same id. */
export const askingTwice = ({ checkpointer }: Setting, act: Act) =>
  new StateGraph(State)
    .addNode('review', async (state) => {
      const first = interrupt(request(state.query));
      await act(first, state);
      const second = interrupt(request(state.query, { problem: 'Say more.' }));
      return { log: [first, second] };
    })
    .addEdge(START, 'review')
    .compile({ checkpointer });

/** In a graph within a graph within a graph. */
export function askingWithin({ checkpointer }: Setting) {
  const inner = new StateGraph(State)
    .addNode('review', (state) => ({ log: [ask(state)] }))
    .addEdge(START, 'review')
    .compile();
  const middle = new StateGraph(State)
    .addNode('inner', async ({ query }) => ({ log: (await inner.invoke({ query })).log }))
    .addEdge(START, 'inner')
    .compile();
  return new StateGraph(State).addNode('middle', middle).addEdge(START, 'middle').compile({ checkpointer });
}

export const thread = (thread_id: string) => ({ configurable: { thread_id } });
