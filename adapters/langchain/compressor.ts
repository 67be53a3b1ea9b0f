import type { Callbacks } from '@langchain/core/callbacks/manager';
import type { DocumentInterface } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import { RunnableLambda } from '@langchain/core/runnables';
import type { Query, Shaper, ShapingReport } from '../../src/index.js';
import { madeOf, shapeWith } from '../../src/internal.js';
import {
  type DocumentOptions,
  type DocumentShaperFields,
  documentShaper,
  emitEvicted,
  idleScoreField,
  inTermsOfDocuments,
  toChunks,
  toDocuments,
} from './documents/index.js';
import { enclosingConfig } from './enclosing-run.js';

/** Options of a shaper, or a ready shaper, and how to read documents. */
export interface ContextShapingCompressorFields extends DocumentShaperFields {}

export interface ShapedDocuments {
  documents: DocumentInterface[];
  report: ShapingReport;
}

/**
 * Shapes the result of a retriever. It can be used wherever LangChain takes a document compressor. It is stateless: one
 * instance serves any number of concurrent calls.
 *
 * A document that stays whole is returned as the same object, and metadata is never written. A superseded one (the option
 * `conflicts.prefer`) is a copy with the key `supersededBy` in its metadata. Each call is a run of its
 * own in traces. It reports evictions to `onEvict` and `onReport`, as the custom event {@link EVICTED_EVENT}, and inside
 * a LangGraph node also on the graph's stream.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export class ContextShapingCompressor extends BaseDocumentCompressor {
  readonly shaper: Shaper;
  readonly #documentOptions: DocumentOptions;

  constructor(fields: ContextShapingCompressorFields = {}) {
    super();
    const { shaper, documentOptions } = documentShaper(fields);
    this.shaper = shaper;
    this.#documentOptions = documentOptions;
  }

  /**
   * @param callbacks a manager or handlers of the enclosing run. Absent: those of the enclosing LangChain run, if there is
   *   one. A browser does not carry that run, so give callbacks there.
   * @throws the errors of `shape`.
   */
  override async compressDocuments(
    documents: DocumentInterface[],
    query: string,
    callbacks?: Callbacks,
  ): Promise<DocumentInterface[]> {
    return (await this.shape(documents, query, { callbacks })).documents;
  }

  /**
   * The documents and the report.
   *
   * @param query a string, or an object: with the query's vector, if the documents have vectors and there is no embedder,
   *   and with the right answer, if it is known, for `ecs`.
   * @param options `signal` aborts the call, like the signal of the enclosing LangChain run.
   * @throws ContextShapingError `invalid-input`, naming the malformed part of the query or of a document.
   * @throws the signal's reason after an abort, and a graph's interrupt if an observer raises one.
   */
  async shape(
    documents: readonly DocumentInterface[],
    query: Query | string,
    { signal, callbacks }: { signal?: AbortSignal | undefined; callbacks?: Callbacks | undefined } = {},
  ): Promise<ShapedDocuments> {
    const enclosing = enclosingConfig();
    const signals = [signal, enclosing?.signal].filter((each) => each !== undefined);
    // LangChain does not make a run of a compressor call. Traces and custom events need the run of this runnable.
    const run = RunnableLambda.from(
      async (input: { documents: typeof documents; query: typeof query }, config) => {
        const chunks = toChunks(input.documents, this.#documentOptions);
        // Copied, because the caller may change the array meanwhile.
        const given = [...input.documents];
        const result = await shapeWith(
          this.shaper,
          { query: input.query, chunks, ranked: true, signal: config.signal },
          idleScoreField(chunks, this.#documentOptions),
        ).catch((error: unknown) => {
          throw inTermsOfDocuments(error, this.#documentOptions);
        });
        const { chunks: kept, report } = result;
        await emitEvicted(report, config);
        return madeOf(result, { documents: toDocuments(kept, given, this.#documentOptions), report });
      },
    );
    return run.invoke(
      { documents, query },
      {
        runName: 'ContextShapingCompressor',
        ...(callbacks === undefined ? {} : { callbacks }),
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      },
    );
  }
}
