import {
  type Chunk,
  ContextShapingError,
  createShaper,
  type Degradation,
  type Shaper,
  type ShapingOptions,
  type ShapingReport,
  sanitise,
} from '../../src/index.js';
import {
  messageOf,
  orAborted,
  rethrowControlFlow,
  withDeadline,
  withDegradation,
} from '../../src/internal.js';
import { dispatchEvents } from './events.js';
import { checkNodes, cutNode, type GetEmbedding, isImage, isRanking, queryText, toChunks } from './nodes.js';
import type { EventSink, QueryLike, ScoredNode } from './types.js';

/** Either the options of a shaper, or a shaper; and what ties it to LlamaIndex. */
export interface ContextShapingPostprocessorFields extends ShapingOptions {
  /** A shaper that is there already, instead of options. */
  shaper?: Shaper;
  /**
   * Where to find the vector of a node that comes without: most stores keep it to themselves. For the
   * in-memory one: `({ id_ }) => index.vectorStores.TEXT?.get(id_)`. Called once per node, all at the same
   * time; `deadlineMs` is the longest wait. Vectors count only if every node has one, and all have the same dimension.
   */
  getEmbedding?: GetEmbedding;
  /**
   * Whom to tell, see {@link ContextShapingEvents}. As a function, `() => Settings.callbackManager`, it is
   * asked in every call, so that `Settings.withCallbackManager` is respected. Absent: nobody. The manager
   * does not hand on what its listeners return: one that is asynchronous has to catch its own errors.
   */
  callbackManager?: EventSink | (() => EventSink | undefined);
}

/**
 * Shapes what a retriever found before it reaches the model. Give it to anything that takes
 * `nodePostprocessors`, and let the retriever fetch more than before:
 *
 * ```ts
 * index.asQueryEngine({
 *   similarityTopK: 40,
 *   nodePostprocessors: [new ContextShapingPostprocessor({ k: 8, budget: { maxTokens: 2000 } })],
 * });
 * ```
 *
 * - A node counts as the model will see it, with the metadata that goes into the prompt.
 * - Nodes are handed on as they are, the very objects; the index is never written to. If no node fits the
 *   budget, the best is copied and cut (`allowEmpty: true`: there is no result then, and the host answers
 *   `Empty Response` without asking the model).
 * - Images come last, in input order: they are neither shaped nor counted. Where there may be some, leave
 *   room for them with `budget.reserve`.
 * - With `sanitise`, a node is a copy, too, if its text or what the model sees of its metadata changed.
 * - A chunk's id in the report is the node's `id_`, with `#2`, `#3`, … where one id names several texts.
 */
export class ContextShapingPostprocessor {
  readonly shaper: Shaper;
  readonly #getEmbedding: GetEmbedding | undefined;
  readonly #callbackManager: ContextShapingPostprocessorFields['callbackManager'];

  /** @throws ContextShapingError `invalid-options`, if an option is wrong, or stands beside a shaper. */
  constructor({ shaper, getEmbedding, callbackManager, ...options }: ContextShapingPostprocessorFields = {}) {
    const given = Object.entries(options).find(([, value]) => value !== undefined);
    if (shaper !== undefined && given !== undefined) {
      throw new ContextShapingError('invalid-options', {
        field: given[0],
        value: given[1],
        is: 'is given beside a shaper, which has options of its own',
        remedy: 'Give either shaper or options: createShaper takes the same ones.',
      });
    }
    this.shaper = shaper ?? createShaper(options);
    this.#getEmbedding = getEmbedding;
    this.#callbackManager = callbackManager;
  }

  /**
   * What the host calls. Never `undefined`; no nodes in, none out.
   *
   * @throws ContextShapingError `invalid-input`, naming a malformed embedding; an abort passes, and an
   *   interrupt. What else `getEmbedding` throws is in the report.
   */
  async postprocessNodes<T extends ScoredNode>(nodes: readonly T[], query?: QueryLike): Promise<T[]> {
    return (await this.shape(nodes, query)).nodes;
  }

  /**
   * The same, with the report, for callers without a query engine. Indices in the report count the nodes
   * that are no images.
   *
   * @param query text, or parts of which those with text count; absent or without text, scores decide.
   * @param options `answer`: the right one, where it is known, for `ecs`; `signal`: aborts the call.
   * @throws as `postprocessNodes`; and the signal's reason, when aborted.
   */
  async shape<T extends ScoredNode>(
    nodes: readonly T[],
    query?: QueryLike,
    { answer, signal }: { answer?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<{ nodes: T[]; report: ShapingReport }> {
    signal?.throwIfAborted();
    checkNodes(nodes);
    const shapeable: T[] = [];
    const passedThrough: T[] = [];
    for (const each of nodes) (isImage(each) ? passedThrough : shapeable).push(each);
    const { chunks, failure } = await this.#chunksOf(shapeable, signal);
    const inFull = (report: ShapingReport) =>
      failure === undefined ? report : withDegradation(report, failure);
    const { onReport } = this.shaper.options;
    const shaper =
      failure === undefined || onReport === undefined
        ? this.shaper
        : this.shaper.with({ onReport: (report) => onReport(inFull(report)) });
    const result = await shaper.shape({
      query: { text: queryText(query), answer },
      chunks,
      ranked: isRanking(shapeable),
      signal,
    });
    const mode = this.shaper.options.sanitise;
    const clean = (text: string) => (mode === false ? text : sanitise(text, mode).text);
    const shaped = result.chunks.map((chunk): T => {
      const whole = shapeable[chunk.index] as T;
      const seen = chunks[chunk.index]?.rendered ?? '';
      // What the model sees may be sanitised in its metadata alone.
      const isSame = chunk.excerpts === undefined && !chunk.sanitised && clean(seen) === seen;
      return isSame ? whole : { ...whole, node: cutNode(whole.node, chunk, clean) };
    });
    const whole = inFull(result.report);
    const report = this.#callbackManager ? dispatchEvents(this.#callbackManager, whole) : whole;
    return { nodes: [...shaped, ...passedThrough], report };
  }

  /** Where `getEmbedding` fails, or is late, no vector of its counts: an embedder is asked, or words are compared. */
  async #chunksOf(
    nodes: readonly ScoredNode[],
    signal: AbortSignal | undefined,
  ): Promise<{ chunks: Chunk[]; failure?: Degradation }> {
    const { deadlineMs, fields, embedder } = this.shaper.options;
    const { signal: stop, clear } = withDeadline(signal, deadlineMs);
    try {
      return { chunks: await orAborted(toChunks(nodes, fields, this.#getEmbedding), stop) };
    } catch (error) {
      rethrowControlFlow(error, signal);
      const chunks = await toChunks(nodes, fields, undefined);
      const instead = embedder === undefined ? 'compared by words' : 'the embedder was asked';
      const message = `getEmbedding failed; ${instead} instead. ${messageOf(error)}`;
      return { chunks, failure: { stage: 'embed', code: 'embedder-failed', message } };
    } finally {
      clear();
    }
  }
}
