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
  checkNames,
  madeOf,
  optionsSchema,
  readyShaper,
  rethrowControlFlow,
  shapeWith,
  tellingOf,
  within,
} from '../../src/internal.js';
import {
  checkNodes,
  cutNode,
  type GetEmbedding,
  inTermsOfNodes,
  isRanking,
  queryText,
  supersededNode,
  toChunks,
} from './nodes.js';
import type { QueryLike, ScoredNode } from './types.js';

/** The options of a shaper, or a shaper, and the options of this adapter. */
export interface ContextShapingPostprocessorFields extends ShapingOptions {
  /** An existing shaper instead of options. */
  shaper?: Shaper;
  /**
   * Returns the vector of a node that has none, because most stores do not return vectors. For the in-memory store:
   * `({ id_ }) => vectorStore.get(id_)`. Called once per node, for all nodes concurrently; `deadlineMs`
   * limits the wait. Vectors are used only if every node has one, and all have the same dimension.
   */
  getEmbedding?: GetEmbedding;
}

/** The options of this adapter beside those of a shaper. */
const OWN = { shaper: undefined, getEmbedding: undefined };

const NO_VECTORS: Degradation = {
  stage: 'embed',
  code: 'embeddings-incomplete',
  message:
    'getEmbedding returned no vector for any node, and there is no embedder; texts are compared by words instead. Return the vector of a node, or give the option embedder.',
};

/**
 * Shapes the nodes of a retriever before the model gets them. Pass it as one of the `nodePostprocessors`, and let the
 * retriever fetch more nodes than before:
 *
 * ```ts
 * index.asQueryEngine({
 *   similarityTopK: 40,
 *   nodePostprocessors: [new ContextShapingPostprocessor({ k: 8, budget: { maxTokens: 2000 } })],
 * });
 * ```
 *
 * - Tokens of a node include the metadata that goes into the prompt.
 * - The result has the same node objects; the index is never changed. If no node fits into the budget, the result is a
 *   shortened copy of the best node (with `allowEmpty: true` it is empty, and the host answers `Empty Response` without
 *   asking the model).
 * - With `sanitise`, the result has a copy of a node if its text or its visible metadata changed.
 * - A chunk's id in the report is the node's `id_`, with `#2`, `#3`, … if several texts have the same id.
 */
export class ContextShapingPostprocessor {
  readonly shaper: Shaper;
  readonly #getEmbedding: GetEmbedding | undefined;

  /** @throws ContextShapingError `invalid-options` if an option is wrong, or given together with a shaper. */
  constructor(fields: ContextShapingPostprocessorFields = {}) {
    checkNames(fields, { ...optionsSchema().shape, ...OWN });
    const { shaper, getEmbedding, ...options } = fields;
    if (getEmbedding !== undefined && typeof getEmbedding !== 'function') {
      throw new ContextShapingError('invalid-options', {
        field: 'getEmbedding',
        value: getEmbedding,
        is: 'must be a function of a node',
        remedy: 'Return the vector of the node.',
      });
    }
    this.shaper = shaper === undefined ? createShaper(options) : readyShaper(shaper, options);
    this.#getEmbedding = getEmbedding;
  }

  /**
   * The method that the host calls. Returns an empty array for no nodes, never `undefined`.
   *
   * @throws ContextShapingError `invalid-input` if an embedding is malformed; also aborts and interrupts. Other errors of
   *   `getEmbedding` are in the report.
   */
  async postprocessNodes<T extends ScoredNode>(nodes: readonly T[], query?: QueryLike): Promise<T[]> {
    return (await this.shape(nodes, query)).nodes;
  }

  /**
   * Like `postprocessNodes`, and also returns the report, for callers without a query engine.
   *
   * @param query a string, or parts, of which only those with text are used; without text, only scores rank.
   * @param options `answer`: the right answer for `ecs`, if known; `signal`: aborts the call.
   * @throws the same as `postprocessNodes`, and the signal's reason if aborted.
   */
  async shape<T extends ScoredNode>(
    nodes: readonly T[],
    query?: QueryLike,
    { answer, signal }: { answer?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<{ nodes: T[]; report: ShapingReport }> {
    signal?.throwIfAborted();
    checkNodes(nodes);
    const { chunks, degradations } = await this.#chunksOf(nodes, signal);
    const input = {
      query: { text: queryText(query), answer },
      chunks,
      ranked: isRanking(nodes),
      signal,
    };
    const result = await shapeWith(this.shaper, input, degradations).catch((error: unknown) => {
      throw inTermsOfNodes(error);
    });
    const mode = this.shaper.options.sanitise;
    const clean = (text: string) => (mode === false ? text : sanitise(text, mode).text);
    const shaped = result.chunks.map((chunk): T => {
      const whole = nodes[chunk.index] as T;
      const seen = chunks[chunk.index]?.rendered ?? '';
      // Sanitising may change only the metadata that the model sees.
      const isSame = chunk.excerpts === undefined && !chunk.sanitised && clean(seen) === seen;
      const node = isSame ? whole.node : cutNode(whole.node, chunk.text, clean);
      const { superseded } = chunk;
      if (superseded === undefined) return isSame ? whole : { ...whole, node };
      return { ...whole, node: supersededNode(node, superseded.by) };
    });
    return madeOf(result, { nodes: shaped, report: result.report });
  }

  /** If `getEmbedding` fails or is late, its vectors are not used: the embedder embeds the texts, or words are compared. */
  async #chunksOf(
    nodes: readonly ScoredNode[],
    signal: AbortSignal | undefined,
  ): Promise<{ chunks: Chunk[]; degradations: Degradation[] }> {
    const { deadlineMs, embedder } = this.shaper.options;
    try {
      const chunks = await within(deadlineMs, signal, () => toChunks(nodes, this.#getEmbedding));
      const isIdle = this.#getEmbedding !== undefined && embedder === undefined && chunks.length > 0;
      const hasVectors = chunks.some(({ embedding }) => embedding !== undefined);
      return { chunks, degradations: isIdle && !hasVectors ? [NO_VECTORS] : [] };
    } catch (error) {
      rethrowControlFlow(error, signal);
      const chunks = await toChunks(nodes, undefined);
      const instead = embedder === undefined ? 'texts are compared by words' : 'the embedder is used';
      const message = `getEmbedding failed; ${instead} instead. ${tellingOf(this.shaper.options)(error)}`;
      return { chunks, degradations: [{ stage: 'embed', code: 'embedder-failed', message }] };
    }
  }
}
