/** Every port, with a working service behind it, and the expected outcome of each of its faults. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { ShapingOptions } from 'context-shaping';
import type { CragOptions, Grader } from 'context-shaping/langgraph';
import { fakeEmbedder, fakeJudge, fakeLogprobModel } from 'context-shaping/testing';
import { type Break, FAULTS, type Fault } from './faults.js';

export const QUESTION = 'When was the harbour bridge opened to traffic?';
const TEXTS = [
  'The harbour bridge was opened to traffic in 1932, after seven years of work.',
  'THE HARBOUR BRIDGE WAS OPENED TO TRAFFIC in 1932, after seven years of work.',
  'The tunnel below the harbour was opened in 1992, and takes a third of the traffic.',
  'Ferries leave the old pier every ten minutes, and carry bicycles and dogs.',
  'Cats sleep for most of the day, and hunt at dusk.',
  'The bridge is painted grey; one coat takes 80,000 litres and ten years.',
];
export const documents = (): DocumentInterface[] =>
  TEXTS.map((pageContent, at) => ({ pageContent, id: `d${at}`, metadata: { source: `${at}.md` } }));

/** The extra options of a host. */
export interface Wiring {
  shaper?: ShapingOptions;
  crag?: CragOptions;
  /** Do the chunks bring vectors, so that the question alone is embedded? */
  withVectors?: boolean;
  retrieve?: () => Promise<DocumentInterface[]>;
}

/**
 * The outcome of a call. `unharmed`: a result whose report has no degradation; `handed on`: a result of a host that
 * hands on no report; `degraded: CODES`; `typed error: KIND`; `the error itself`: the one that was thrown; `abort`;
 * `status N`.
 */
export type Outcome = string;

export interface Port {
  name: string;
  faults: readonly Fault[];
  /** @param deadline what a service may take, in milliseconds. */
  wire(broken: Break, deadline: number): Wiring;
  /** The outcome of a fault; a working port leaves all unharmed. */
  expected(fault: Fault): Outcome[];
  /** Also what works leaves a degradation: the wiring lacks something else. */
  isDegraded?: boolean;
  /** Nothing ends the waiting but the caller: there is no deadline for people and retrievers. */
  isPatient?: boolean;
}

/** The faults of a port that answers in its own time, in lists. */
const ALL = FAULTS;
/** The faults of a port that is called and answers nothing. */
const OF_OBSERVERS = [
  'works',
  'throws',
  'rejects',
  'hangs',
  'late answer',
  'late rejection',
  'abort during the call',
] as const;
/** The faults of a port that answers at once, with a number. */
const AT_ONCE = ['works', 'throws', 'rejects', 'NaN', 'Infinity', 'wrong type', 'null'] as const;
const without = (...faults: Fault[]) => ALL.filter((fault) => !faults.includes(fault));

const degraded = (...codes: string[]) =>
  ((fault) =>
    fault === 'abort during the call'
      ? ['abort']
      : codes.map((code) => `degraded: ${code}`)) as Port['expected'];

const TRUSTED = { trust: 'always' } as const;
const grades: Grader = { name: 'fake', grade: async (requests) => requests.map(() => ({ grade: 0.4 })) };
const found: DocumentInterface[] = [
  {
    pageContent: 'The bridge has been open since 19 March 1932.',
    id: 'web',
    metadata: { source: 'https://example.org' },
  },
];
const webSearch = async () => structuredClone(found);

export const PORTS: readonly Port[] = [
  {
    name: 'embedder, all texts',
    faults: ALL,
    wire: (broken) => ({ shaper: { embedder: { embed: broken(fakeEmbedder().embed) } } }),
    expected: degraded('embedder-failed'),
  },
  {
    name: 'embedder, the question',
    faults: ALL,
    wire: (broken) => ({ withVectors: true, shaper: { embedder: { embed: broken(fakeEmbedder().embed) } } }),
    expected: degraded('query-not-embedded'),
  },
  {
    name: 'model, score',
    faults: ALL,
    wire: (broken) => {
      const model = fakeLogprobModel();
      return { shaper: { ecs: { ...TRUSTED, model: { ...model, score: broken(model.score) } } } };
    },
    expected: degraded('ecs-failed', 'ecs-incomplete'),
  },
  {
    name: 'model, next tokens',
    faults: ALL,
    wire: (broken) => {
      const model = fakeLogprobModel();
      const asked = { ...model, nextTokens: broken(model.nextTokens) };
      return { shaper: { ecs: { ...TRUSTED, withoutAnswer: 'judge', model: asked } } };
    },
    // A service may list fewer tokens.
    expected: (fault) =>
      fault === 'half an answer' ? ['unharmed'] : degraded('ecs-failed', 'ecs-incomplete')(fault),
  },
  {
    name: 'judge',
    faults: ALL,
    wire: (broken) => {
      const judge = fakeJudge();
      const ecs = {
        ...TRUSTED,
        withoutAnswer: 'judge',
        judge: { ...judge, judge: broken(judge.judge) },
      } as const;
      return { shaper: { ecs } };
    },
    expected: degraded('ecs-failed', 'ecs-incomplete'),
  },
  {
    name: 'token counter',
    faults: AT_ONCE,
    wire: (broken) => ({ shaper: { tokenizer: broken((text: string) => text.length) } }),
    expected: (fault) => [
      fault === 'throws' ? 'the error itself' : 'typed error: invalid-options',
      'status 500',
    ],
  },
  ...(['onEvict', 'onStage', 'onReport'] as const).map(
    (name): Port => ({
      name,
      faults: OF_OBSERVERS,
      wire: (broken) => ({ shaper: { [name]: broken(async () => {}) } }),
      expected: (fault) =>
        fault === 'abort during the call' ? ['abort'] : ['degraded: observer-failed', 'handed on'],
    }),
  ),
  {
    name: 'retriever',
    faults: without('wrong count', 'Infinity'),
    wire: (broken) => ({ retrieve: broken(async () => documents()) }),
    expected: (fault) => {
      if (fault === 'hangs' || fault === 'abort during the call') return ['abort'];
      if (fault === 'late answer') return ['unharmed'];
      return ['throws', 'rejects', 'late rejection'].includes(fault)
        ? ['the error itself']
        : ['typed error: invalid-input'];
    },
    isPatient: true,
  },
  {
    name: 'grader',
    faults: ALL,
    wire: (broken, deadline) => ({
      crag: { grader: { ...grades, grade: broken(grades.grade) }, timeoutMs: deadline },
    }),
    expected: degraded('grader-failed'),
  },
  {
    name: 'rewrite',
    faults: without('wrong count', 'NaN', 'Infinity'),
    wire: (broken, deadline) => ({
      crag: { grader: grades, webSearch, rewrite: broken(async () => 'harbour bridge'), timeoutMs: deadline },
    }),
    expected: (fault) => (fault === 'half an answer' ? ['unharmed'] : degraded('rewrite-failed')(fault)),
  },
  {
    name: 'web search',
    faults: without('wrong count', 'Infinity'),
    wire: (broken, deadline) => ({
      crag: { grader: grades, webSearch: broken(webSearch), timeoutMs: deadline },
    }),
    expected: degraded('search-failed'),
  },
];
