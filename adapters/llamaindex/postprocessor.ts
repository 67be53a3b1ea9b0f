import {
  createShaper,
  type Shaper,
  type ShapingOptions,
  type ShapingReport,
  sanitise,
} from '../../src/index.js';
import { checkNames, madeOf, optionsSchema, readyShaper } from '../../src/internal.js';
import {
  checkNodes,
  cutNode,
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
}

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
 * - A node is compared by its vector if all nodes have one, else by the option `embedder`, else by words.
 * - Tokens of a node include the metadata that goes into the prompt.
 * - The result has the same node objects; the index is never changed. If no node fits into the budget, the result is a
 *   shortened copy of the best node (with `allowEmpty: true` it is empty, and the host answers `Empty Response` without
 *   asking the model).
 * - With `sanitise`, the result has a copy of a node if its text or its visible metadata changed.
 * - A chunk's id in the report is the node's `id_`, with `#2`, `#3`, … if several texts have the same id.
 */
export class ContextShapingPostprocessor {
  readonly shaper: Shaper;

  /** @throws ContextShapingError `invalid-options` if an option is wrong, or given together with a shaper. */
  constructor(fields: ContextShapingPostprocessorFields = {}) {
    checkNames(fields, { ...optionsSchema().shape, shaper: undefined });
    const { shaper, ...options } = fields;
    this.shaper = shaper === undefined ? createShaper(options) : readyShaper(shaper, options);
  }

  /**
   * The method that the host calls. Returns an empty array for no nodes, never `undefined`.
   *
   * @throws ContextShapingError `invalid-input` if an embedding is malformed; also aborts and interrupts.
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
    const chunks = toChunks(nodes);
    const input = {
      query: { text: queryText(query), answer },
      chunks,
      ranked: isRanking(nodes),
      signal,
    };
    const result = await this.shaper.shape(input).catch((error: unknown) => {
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
}
