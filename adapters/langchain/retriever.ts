import {
  type CallbackManagerForRetrieverRun,
  parseCallbackConfigArg,
} from '@langchain/core/callbacks/manager';
import type { DocumentInterface } from '@langchain/core/documents';
import {
  BaseRetriever,
  type BaseRetrieverInput,
  type BaseRetrieverInterface,
} from '@langchain/core/retrievers';
import type { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import { ensureConfig, type RunnableConfig } from '@langchain/core/runnables';
import { ContextShapingError } from '../../src/index.js';
import { orAborted } from '../../src/internal.js';
import { ContextShapingCompressor, type ContextShapingCompressorFields } from './compressor.js';
import { enclosingConfig, inContext } from './enclosing-run.js';

/** Anything with `compressDocuments`, whichever copy of whichever package its class is from. */
type Compressor = Pick<BaseDocumentCompressor, 'compressDocuments'>;

export interface ShapedRetrieverFields extends BaseRetrieverInput {
  /** Any retriever. Let it fetch more than is needed. */
  retriever: Pick<BaseRetrieverInterface, 'invoke'>;
  /** A compressor, or the fields of a {@link ContextShapingCompressor}. Absent: one with all defaults. */
  compressor?: Compressor | ContextShapingCompressorFields | undefined;
}

/**
 * A retriever whose results are shaped. Like LangChain's `ContextualCompressionRetriever`, except that
 * `signal` and `configurable` reach the retriever inside: an abort stops the waiting even when that retriever
 * ignores it, and a tenant in `configurable` is not lost.
 */
export class ShapedRetriever extends BaseRetriever {
  static override lc_name() {
    return 'ShapedRetriever';
  }
  override lc_namespace = ['context_shaping', 'retrievers'];
  /** Or traces would hold the fields of the constructor, with whatever secrets are in them. */
  override lc_serializable = false;
  readonly retriever: Pick<BaseRetrieverInterface, 'invoke'>;
  readonly compressor: Compressor;

  /** @throws ContextShapingError `invalid-options`. */
  constructor(fields: ShapedRetrieverFields) {
    super(fields);
    if (typeof fields?.retriever?.invoke !== 'function') {
      throw new ContextShapingError('invalid-options', {
        field: 'retriever',
        value: fields?.retriever,
        is: 'must be a retriever',
        remedy: 'Give a LangChain retriever, vectorStore.asRetriever(50) for instance.',
      });
    }
    this.retriever = fields.retriever;
    this.compressor = isCompressor(fields.compressor)
      ? fields.compressor
      : new ContextShapingCompressor(fields.compressor);
  }

  override async invoke(query: string, options?: RunnableConfig): Promise<DocumentInterface[]> {
    // The base class hands on neither signal nor configurable: what runs inside finds them in this context.
    // Callbacks instead of options are an old form that ContextualCompressionRetriever still uses.
    const config = ensureConfig(parseCallbackConfigArg(options) as RunnableConfig);
    config.signal?.throwIfAborted();
    return inContext(config, () => super.invoke(query, config));
  }

  override async _getRelevantDocuments(
    query: string,
    runManager?: CallbackManagerForRetrieverRun,
  ): Promise<DocumentInterface[]> {
    const enclosing = enclosingConfig();
    // Both belong to the run of this retriever; a second run may not have the same id.
    const { runId: _, runName: __, ...config } = enclosing ?? {};
    const child = (tag: string): RunnableConfig => ({
      ...config,
      ...(runManager === undefined ? {} : { callbacks: runManager.getChild(tag) }),
    });
    const retrieval = child('base_retriever');
    const documents = await orAborted(
      inContext(retrieval, () => this.retriever.invoke(query, retrieval)),
      config.signal,
    );
    const { callbacks } = child('base_compressor');
    return orAborted(this.compressor.compressDocuments(documents, query, callbacks), config.signal);
  }
}

function isCompressor(value: ShapedRetrieverFields['compressor']): value is Compressor {
  return typeof (value as Partial<Compressor> | null | undefined)?.compressDocuments === 'function';
}
