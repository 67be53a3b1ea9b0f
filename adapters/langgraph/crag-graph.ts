import {
  type BaseCheckpointSaver,
  type CompiledStateGraph,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createShaper, type Shaper, type ShapingOptions } from '../../src/index.js';
import { checkNames, defined, inGroup, optionsSchema } from '../../src/internal.js';
import {
  checkDocumentOptions,
  type DocumentOptions,
  documentOptionNames,
} from '../langchain/documents/index.js';
import type { CragOptions } from './crag-options.js';
import { DECISIONS, decide, grade } from './nodes/grade.js';
import { refine } from './nodes/refine.js';
import { REVIEWS, review } from './nodes/review.js';
import { rewrite, search } from './nodes/search.js';
import { begin, shape } from './nodes/shape.js';
import { checkCragOptions, cragOptionsSchema } from './options.js';
import type { Run, Settings } from './run.js';
import { CragInput, CragOutput, CragState, type State, type Update } from './state.js';

export interface CragGraphFields extends CragOptions, DocumentOptions {
  /**
   * Options of a shaper, or a ready one. It shapes the retrieved documents, and those that a search finds. Its
   * `onEvict` and `onReport` get the report of the whole. Its `onStage` is called during every shaping; a chunk that is
   * evicted there may come back.
   */
  shaper?: Shaper | ShapingOptions | undefined;
  /** Absent: that of the parent graph, if there is one. */
  checkpointer?: BaseCheckpointSaver | boolean | undefined;
}

/**
 * Corrective retrieval (Yan et al., 2024, arXiv 2401.15884) as a compiled graph. It checks the shaped context before
 * the model sees it, repairs the context from the web, or stops and asks a person.
 *
 * Input: `query` and `documents`. Output: `context` (the documents that the model should see), `verdict` (`correct`,
 * `ambiguous` or `incorrect`; after a review also `approved`, `answered` or `refused`), and `report`, the ledger of
 * every document. Use it as a node of any graph that has these keys, or call it inside a node of any other graph.
 * It inherits the parent's checkpointer. If the process dies, it continues with the step that was not saved; call the
 * parent with the durability `sync`, so that every step is saved before the next begins.
 *
 * Checkpoints store plain JSON, so vectors in metadata have to be plain arrays. `render` and `getEmbedding` run in each
 * step that needs the documents as chunks.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong. A run throws `invalid-input`,
 *   naming the malformed part of the query or of a document.
 */
export function createCragGraph(fields: CragGraphFields = {}): CragGraph {
  const settings = servicesOf(fields);
  const node =
    <Result>(step: (state: State, run: Run) => Result) =>
    (state: State, config: LangGraphRunnableConfig) =>
      step(state, { ...settings, config });
  const graph = new StateGraph({ state: CragState, input: CragInput, output: CragOutput })
    .addNode('begin', node(begin) as never)
    .addNode('shape', node(shape))
    .addNode('grade', node(grade))
    .addNode('decide', node(decide), { ends: [...DECISIONS] })
    .addNode('rewrite', node(rewrite))
    .addNode('search', node(search))
    .addNode('review', node(review), { ends: [...REVIEWS] })
    .addNode('refine', node(refine))
    .addEdge(START, 'begin')
    .addEdge('begin', 'shape')
    .addEdge('shape', 'grade')
    .addEdge('grade', 'decide')
    .addEdge('rewrite', 'search')
    .addEdge('search', 'shape')
    .addEdge('refine', END);
  const compiled = graph.compile({ name: 'crag', ...defined({ checkpointer: fields.checkpointer }) });
  return compiled.withConfig({ durability: 'sync' }) as unknown as CragGraph;
}

type Node = 'begin' | 'shape' | 'grade' | 'decide' | 'rewrite' | 'search' | 'review' | 'refine';

/** All fields of {@link createCragGraph} by name. */
const fieldNames = (): Readonly<Record<string, unknown>> => ({
  ...cragOptionsSchema().shape,
  shaper: optionsSchema(),
  ...Object.fromEntries([...documentOptionNames(), 'checkpointer'].map((name) => [name, undefined])),
});

/** The graph of {@link createCragGraph}. */
export interface CragGraph
  extends CompiledStateGraph<
    State,
    Update,
    '__start__' | Node,
    typeof CragInput.spec,
    typeof CragOutput.spec
  > {}

function servicesOf(fields: CragGraphFields): Settings {
  checkNames(fields, fieldNames());
  const {
    shaper: given,
    getEmbedding,
    render,
    scoreField,
    citeSources,
    checkpointer: _,
    ...options
  } = fields;
  const documentOptions = { getEmbedding, render, scoreField, citeSources };
  checkDocumentOptions(documentOptions);
  const shaper = isShaper(given) ? given : inGroup('shaper', () => createShaper(given));
  const { onEvict, onReport, errorMessages, deadlineMs } = shaper.options;
  const isObserved = onEvict !== undefined || onReport !== undefined;
  return {
    ...checkCragOptions(options, shaper),
    documentOptions,
    // Observers hear only of the report of the whole: what one shaping evicts, another may bring back.
    shaper: isObserved ? shaper.with({ onEvict: null, onReport: null }) : shaper,
    observers: { onEvict, onReport, errorMessages, deadlineMs },
  };
}

function isShaper(value: Shaper | ShapingOptions | undefined): value is Shaper {
  return typeof (value as Partial<Shaper> | undefined)?.shape === 'function';
}
