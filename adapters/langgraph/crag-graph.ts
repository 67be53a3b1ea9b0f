import {
  type BaseCheckpointSaver,
  type BaseStore,
  type CachePolicy,
  END,
  type RetryPolicy,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createShaper, type Shaper, type ShapingOptions } from '../../src/index.js';
import { type CragOptions, resolveCragOptions } from '../crag/index.js';
import { checkDocumentOptions, type DocumentOptions } from '../documents/index.js';
import { asSubgraph } from './as-subgraph.js';
import { begin } from './nodes/begin.js';
import { DECISIONS, decide } from './nodes/decide.js';
import { grade, gradeFailed, gradeKey } from './nodes/grade.js';
import { refine } from './nodes/refine.js';
import { REVIEWS, review } from './nodes/review/review.js';
import { rewrite, rewriteFailed, rewriteKey } from './nodes/rewrite.js';
import { search, searchFailed } from './nodes/search.js';
import { shape, toGrade } from './nodes/shape.js';
import { conversionOfCall } from './run-documents.js';
import type { Settings } from './settings.js';
import { CragInput, CragOutput, CragState, contextSchema } from './state.js';

type CompileOptions = NonNullable<Parameters<StateGraph<unknown>['compile']>[0]>;

export interface CragGraphFields extends CragOptions, DocumentOptions {
  /**
   * Options of a shaper, or a ready one. It shapes what was retrieved, and what is found. Its `onEvict` and
   * `onReport` are told of the report of the whole; its `onStage` of every shaping while it runs, with indices of that
   * shaping, and what is evicted there may come back.
   */
  shaper?: Shaper | ShapingOptions | undefined;
  /** Absent: the parent graph's, if there is one. */
  checkpointer?: BaseCheckpointSaver | boolean | undefined;
  /** Where reviews are indexed for a queue. Absent: the parent graph's, if there is one. */
  store?: BaseStore | undefined;
  /**
   * For `cachePolicy`; LangGraph does not hand down that of a parent. It does not tell searches or rewrites apart:
   * graphs that have others need another cache.
   */
  cache?: CompileOptions['cache'];
}

/**
 * Corrective retrieval (Yan et al., 2024, arXiv 2401.15884) as a compiled graph: checks shaped context before it
 * reaches the model, repairs it from the web, or stops and asks a person.
 *
 * In: `query` and `documents`. Out: `context` (the documents that the model should see), `verdict` (`correct`,
 * `ambiguous` or `incorrect`), and `report`, the ledger of every document. Use it as a node of any graph that
 * has these keys, or call it inside a node. It inherits the parent's checkpointer, and saves every step before
 * the next begins: whenever the process dies, no step that was done is done again.
 *
 * What goes through checkpoints comes back as plain JSON: vectors in metadata have to be plain arrays.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong; when it runs
 *   `invalid-input`, naming what is wrong with the query or a document.
 */
export function createCragGraph(fields: CragGraphFields = {}) {
  const settings = servicesOf(fields);
  const { retryPolicy, timeoutMs, cachePolicy } = settings;
  // Absent and undefined mean the same to LangGraph, if not to its types.
  const outside = {
    ...(retryPolicy === undefined
      ? {}
      : { retryPolicy: { logWarning: false, ...retryPolicy } as RetryPolicy }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  };
  const cached = (keyFunc?: CachePolicy['keyFunc']) =>
    cachePolicy === undefined
      ? {}
      : { cachePolicy: { ...cachePolicy, ...(keyFunc && { keyFunc }) } as CachePolicy };
  const graph = new StateGraph({
    state: CragState,
    input: CragInput,
    output: CragOutput,
    context: contextSchema,
  })
    .addNode('begin', begin(settings))
    .addNode('shape', shape(settings))
    .addNode('grade', grade(settings), {
      ...outside,
      ...cached(gradeKey(settings)),
      errorHandler: gradeFailed(settings),
    })
    .addNode('decide', decide(settings), { ends: [...DECISIONS] })
    .addNode('rewrite', rewrite(settings), {
      ...outside,
      ...cached(rewriteKey(settings)),
      errorHandler: rewriteFailed(settings),
      ends: ['review', 'search'],
    })
    .addNode('search', search(settings), { ...outside, ...cached(), errorHandler: searchFailed() })
    .addNode('review', review(settings), { ends: [...REVIEWS] })
    .addNode('refine', refine(settings))
    .addEdge(START, 'begin')
    .addEdge('begin', 'shape')
    .addConditionalEdges('shape', toGrade(settings), ['grade', 'decide'])
    .addEdge('grade', 'decide')
    .addEdge('search', 'shape')
    .addEdge('refine', END);
  const { checkpointer, store, cache } = fields;
  const compiled = graph.compile({
    name: 'crag',
    ...(checkpointer === undefined ? {} : { checkpointer }),
    ...(store === undefined ? {} : { store }),
    ...(cache === undefined ? {} : { cache }),
  });
  const recursionLimit = STEPS * (settings.review.maxReviews + 1);
  const { maxConcurrency } = settings;
  const configured = compiled.withConfig({ durability: 'sync', recursionLimit, maxConcurrency });
  return asSubgraph(configured, () => conversionOfCall(settings.documentOptions));
}

/**
 * No question takes more: it is asked, and up to ten times rewritten, put to a person, searched for, shaped, graded
 * and decided on. After a review it may be another.
 */
const STEPS = 80;

export type CragGraph = ReturnType<typeof createCragGraph>;

function servicesOf(fields: CragGraphFields): Settings {
  const { shaper, getEmbedding, render, scoreField, citeSources, checkpointer, store, cache, ...options } =
    fields;
  const documentOptions = { getEmbedding, render, scoreField, citeSources };
  checkDocumentOptions(documentOptions);
  const made = isShaper(shaper) ? shaper : createShaper(shaper);
  const comparing = comparingShaper(made);
  return { ...resolveCragOptions(options, made), documentOptions, comparing, ...observed(made) };
}

/** Observers hear only of the merged report: what one shaping evicts, another may bring back. */
function observed(shaper: Shaper): Pick<Settings, 'shaper' | 'observers'> {
  const { onEvict, onReport, deadlineMs } = shaper.options;
  const isObserved = onEvict !== undefined || onReport !== undefined;
  return {
    shaper: isObserved ? shaper.with({ onEvict: null, onReport: null }) : shaper,
    observers: { onEvict, onReport, deadlineMs },
  };
}

/** A shaper that only looks for contradictions, by words. */
function comparingShaper({ options: { semanticDedup, namespace, fields } }: Shaper): Shaper | undefined {
  if (semanticDedup === false) return undefined;
  return createShaper({
    semanticDedup,
    namespace,
    fields,
    exactDedup: false,
    relevance: false,
    cluster: false,
    select: false,
    extract: false,
    order: false,
  });
}

function isShaper(value: Shaper | ShapingOptions | undefined): value is Shaper {
  return typeof (value as Partial<Shaper> | undefined)?.shape === 'function';
}
