import {
  type BaseCheckpointSaver,
  type CachePolicy,
  type CompiledStateGraph,
  END,
  type NodeError,
  type RetryPolicy,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createShaper, type Shaper, type ShapingOptions } from '../../src/index.js';
import { checkNames, defined, inGroup, optionsSchema } from '../../src/internal.js';
import {
  type CragOptions,
  checkCragOptions,
  cragOptionsSchema,
  keywords,
  toWebSearch,
} from '../crag/index.js';
import {
  checkDocumentOptions,
  type DocumentOptions,
  documentOptionNames,
} from '../langchain/documents/index.js';
import { asSubgraph } from './as-subgraph.js';
import { DECISIONS, decide, grade, gradeFailed, gradeKey } from './nodes/grade.js';
import { refine } from './nodes/refine.js';
import { REVIEWS, review } from './nodes/review.js';
import { rewrite, rewriteFailed, rewriteKey, search, searchFailed } from './nodes/search.js';
import { begin, shape, toGrade } from './nodes/shape.js';
import { type Config, conversionOfCall, type Run, runOf, type Settings } from './run.js';
import { CragInput, CragOutput, CragState, contextSchema, type State, type Update } from './state.js';

type CompileOptions = NonNullable<Parameters<StateGraph<unknown>['compile']>[0]>;

export interface CragGraphFields extends CragOptions, DocumentOptions {
  /**
   * Options of a shaper, or a ready one. It shapes the retrieved documents, and those that a search finds. Its
   * `onEvict` and `onReport` get the merged report. Its `onStage` is called during every shaping, with indices of that
   * shaping; a chunk that is evicted there may come back.
   */
  shaper?: Shaper | ShapingOptions | undefined;
  /** Absent: that of the parent graph, if there is one. */
  checkpointer?: BaseCheckpointSaver | boolean | undefined;
  /**
   * For `cachePolicy`. LangGraph does not pass on the cache of a parent. The keys do not name the search or the
   * rewrite, so graphs with different ones need different caches.
   */
  cache?: CompileOptions['cache'];
}

/**
 * Corrective retrieval (Yan et al., 2024, arXiv 2401.15884) as a compiled graph. It checks the shaped context before
 * the model sees it, repairs the context from the web, or stops and asks a person.
 *
 * Input: `query` and `documents`. Output: `context` (the documents that the model should see), `verdict` (`correct`,
 * `ambiguous` or `incorrect`; after a review also `approved`, `answered` or `refused`), and `report`, the ledger of
 * every document. Use it as a node of any graph that has these keys, or call it inside a node of any other graph.
 * It inherits the parent's checkpointer, and saves every step before the next begins. If the process dies, no finished
 * step is repeated.
 *
 * Checkpoints store plain JSON, so vectors in metadata have to be plain arrays. `render` and `getEmbedding` run once
 * per document and call. After a resume they run once more, because checkpoints do not store their results.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong. A run throws `invalid-input`,
 *   naming the malformed part of the query or of a document.
 */
export function createCragGraph(fields: CragGraphFields = {}): CragGraph {
  const settings = servicesOf(fields);
  const { retryPolicy, timeoutMs, cachePolicy } = settings;
  const node =
    <Input, Result>(step: (input: Input, run: Run) => Result) =>
    (input: Input, config: Config) =>
      step(input, runOf(settings, config));
  const handler =
    <Input, Result>(handle: (input: Input, error: unknown, run: Run) => Result) =>
    (input: Input, { error }: NodeError, config?: Config) => {
      config?.signal?.throwIfAborted();
      return handle(input, error, runOf(settings, config));
    };
  // LangGraph's types, unlike its code, distinguish an absent field from an undefined one.
  const outside = defined({
    retryPolicy: retryPolicy && ({ logWarning: false, ...retryPolicy } as RetryPolicy),
    timeout: timeoutMs,
  });
  const cached = (keyFunc?: CachePolicy['keyFunc']) =>
    cachePolicy && { cachePolicy: { ...cachePolicy, ...defined({ keyFunc }) } as CachePolicy };
  const graph = new StateGraph({
    state: CragState,
    input: CragInput,
    output: CragOutput,
    context: contextSchema,
  })
    .addNode('begin', node(begin))
    .addNode('shape', node(shape))
    .addNode('grade', node(grade), {
      ...outside,
      ...cached(gradeKey(settings)),
      errorHandler: handler(gradeFailed),
    })
    .addNode('decide', node(decide), { ends: [...DECISIONS] })
    .addNode('rewrite', node(rewrite), {
      ...outside,
      ...cached(([given]) => rewriteKey(settings)(given as State)),
      errorHandler: handler(rewriteFailed),
      ends: ['review', 'search'],
    })
    .addNode('search', node(search), {
      ...outside,
      ...cached(),
      errorHandler: handler(searchFailed),
    })
    .addNode('review', node(review), { ends: [...REVIEWS] })
    .addNode('refine', node(refine))
    .addEdge(START, 'begin')
    .addEdge('begin', 'shape')
    .addConditionalEdges('shape', (given, config) => node(toGrade)(given, config), ['grade', 'decide'])
    .addEdge('grade', 'decide')
    .addEdge('search', 'shape')
    .addEdge('refine', END);
  const { checkpointer, cache } = fields;
  const compiled = graph.compile({ name: 'crag', ...defined({ checkpointer, cache }) });
  const recursionLimit = STEPS * (settings.review.maxReviews + 1);
  const { maxConcurrency } = settings;
  const configured = compiled.withConfig({ durability: 'sync', recursionLimit, maxConcurrency });
  return asSubgraph(
    configured,
    () => conversionOfCall(settings.documentOptions),
    settings.shaper.options,
  ) as unknown as CragGraph;
}

/**
 * The most steps for one question: up to ten times the graph rewrites it, asks a person, searches, shapes, grades and
 * decides. After a review the question may be another one.
 */
const STEPS = 80;

type Node = 'begin' | 'shape' | 'grade' | 'decide' | 'rewrite' | 'search' | 'review' | 'refine';

/** All fields of {@link createCragGraph} by name. */
const fieldNames = (): Readonly<Record<string, unknown>> => ({
  ...cragOptionsSchema().shape,
  shaper: optionsSchema(),
  ...Object.fromEntries([...documentOptionNames(), 'checkpointer', 'cache'].map((name) => [name, undefined])),
});

/** The graph of {@link createCragGraph}. */
export interface CragGraph
  extends CompiledStateGraph<
    State,
    Update,
    '__start__' | Node,
    typeof CragInput.spec,
    typeof CragOutput.spec,
    typeof contextSchema
  > {}

function servicesOf(fields: CragGraphFields): Settings {
  checkNames(fields, fieldNames());
  const { shaper, getEmbedding, render, scoreField, citeSources, checkpointer, cache, ...options } = fields;
  const documentOptions = { getEmbedding, render, scoreField, citeSources };
  checkDocumentOptions(documentOptions);
  const made = isShaper(shaper) ? shaper : inGroup('shaper', () => createShaper(shaper));
  const comparing = comparingShaper(made);
  const { webSearch, rewrite = keywords, ...checked } = checkCragOptions(options, made);
  return {
    ...{ ...checked, rewrite, documentOptions, comparing, ...observed(made) },
    ...defined({ webSearch: webSearch && toWebSearch(webSearch) }),
  };
}

/** Observers hear only of the merged report: what one shaping evicts, another may bring back. */
function observed(shaper: Shaper): Pick<Settings, 'shaper' | 'observers'> {
  const { onEvict, onReport, errorMessages, deadlineMs } = shaper.options;
  const isObserved = onEvict !== undefined || onReport !== undefined;
  return {
    shaper: isObserved ? shaper.with({ onEvict: null, onReport: null }) : shaper,
    observers: { onEvict, onReport, errorMessages, deadlineMs },
  };
}

/** The most characters of a statement in a conflict, where the shaper’s option `preview` does not say it. */
const EXCERPT = 200;

/** A shaper that only looks for conflicts, by words, and says what differs. */
function comparingShaper({
  options: { semanticDedup, namespace, fields, preview, trust, conflicts },
}: Shaper): Shaper | undefined {
  if (semanticDedup === false) return undefined;
  return createShaper({
    semanticDedup,
    namespace,
    fields,
    trust,
    conflicts: { ...conflicts, drop: false },
    preview: preview === false ? EXCERPT : preview,
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
