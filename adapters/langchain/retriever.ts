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
import { checkNames, inGroup, orAborted } from '../../src/internal.js';
import { invalidOption } from '../model-calls/index.js';
import { ContextShapingCompressor, type ContextShapingCompressorFields } from './compressor.js';
import { shaperFields } from './documents/index.js';
import { enclosingConfig, inContext } from './enclosing-run.js';

/** Any object with `compressDocuments`: its class may come from another copy of the package. */
type Compressor = Pick<BaseDocumentCompressor, 'compressDocuments'>;

export interface ShapedRetrieverFields extends BaseRetrieverInput {
  /** Any retriever. It should fetch more documents than the context needs. */
  retriever: Pick<BaseRetrieverInterface, 'invoke'>;
  /** A compressor, or the fields of a {@link ContextShapingCompressor}. Absent: a compressor with all defaults. */
  compressor?: Compressor | ContextShapingCompressorFields | undefined;
}

/**
 * A retriever that shapes the results of another. It differs from LangChain's `ContextualCompressionRetriever` in one
 * point: `signal` and `configurable` reach the inner retriever. So an abort ends the wait even if the inner retriever
 * ignores it, and a tenant in `configurable` is not lost.
 */
export class ShapedRetriever extends BaseRetriever {
  static override lc_name() {
    return 'ShapedRetriever';
  }
  override lc_namespace = ['context_shaping', 'retrievers'];
  /** Otherwise traces would contain the fields of the constructor, which may be secret. */
  override lc_serializable = false;
  readonly retriever: Pick<BaseRetrieverInterface, 'invoke'>;
  readonly compressor: Compressor;

  /** @throws ContextShapingError `invalid-options`. */
  constructor(fields: ShapedRetrieverFields) {
    super(fields);
    checkNames(fields ?? {}, retrieverFields());
    checkRetriever(fields?.retriever);
    this.retriever = fields.retriever;
    const { compressor } = fields;
    this.compressor = isCompressor(compressor)
      ? compressor
      : inGroup('compressor', () => new ContextShapingCompressor(compressor));
  }

  override async invoke(query: string, options?: RunnableConfig): Promise<DocumentInterface[]> {
    // The base class passes on neither signal nor configurable, so they are fields of this call. LangChain's context
    // cannot carry them: outside of a run it would switch off LangSmith for all that is inside.
    // ContextualCompressionRetriever still passes callbacks in place of options, an old form.
    const config = ensureConfig(parseCallbackConfigArg(options) as RunnableConfig);
    config.signal?.throwIfAborted();
    return super.invoke.call(Object.create(this, { [CONFIG]: { value: config } }), query, config);
  }

  override async _getRelevantDocuments(
    query: string,
    runManager?: CallbackManagerForRetrieverRun,
  ): Promise<DocumentInterface[]> {
    const enclosing = (this as { [CONFIG]?: RunnableConfig })[CONFIG] ?? enclosingConfig();
    // Both belong to the run of this retriever, and two runs must not share an id.
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
    const compression = child('base_compressor');
    return orAborted(
      inContext(compression, () =>
        this.compressor.compressDocuments(documents, query, compression.callbacks),
      ),
      config.signal,
    );
  }
}

/** The config of one call. */
const CONFIG = Symbol('context-shaping.config');

/** @throws ContextShapingError `invalid-options`. */
export function checkRetriever(retriever: Partial<ShapedRetrieverFields['retriever']> | undefined): void {
  if (typeof retriever?.invoke === 'function') return;
  throw invalidOption(
    'retriever',
    retriever,
    'must be a retriever',
    'Give a LangChain retriever, for instance vectorStore.asRetriever(50).',
  );
}

/** The options of a retriever by name. */
const retrieverFields = (): Readonly<Record<string, unknown>> => ({
  retriever: undefined,
  compressor: { shape: shaperFields() },
  callbacks: undefined,
  tags: undefined,
  metadata: undefined,
  verbose: undefined,
});

function isCompressor(value: ShapedRetrieverFields['compressor']): value is Compressor {
  return typeof (value as Partial<Compressor> | null | undefined)?.compressDocuments === 'function';
}
