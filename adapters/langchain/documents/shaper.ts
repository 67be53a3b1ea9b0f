import { createShaper, type Embedder, type Shaper, type ShapingOptions } from '../../../src/index.js';
import { checkNames, optionsSchema, readyShaper } from '../../../src/internal.js';
import { invalidOption } from '../../model-calls/index.js';
import { type EmbeddingsLike, fromLangChainEmbeddings } from '../embeddings.js';
import { checkDocumentOptions, type DocumentOptions, documentOptionNames } from './documents.js';

/** Options of a shaper, or a ready shaper, and how to read documents. */
export interface DocumentShaperFields extends Omit<ShapingOptions, 'embedder'>, DocumentOptions {
  /** Embeds documents without vectors: an embedder, or any LangChain `Embeddings`. */
  embedder?: Embedder | EmbeddingsLike | undefined;
  /** A ready shaper, instead of options for one. */
  shaper?: Shaper | undefined;
}

/** The options of {@link documentShaper} and of its caller by name, for `checkNames`. */
export function shaperFields(own: readonly string[] = []): Readonly<Record<string, unknown>> {
  const others = ['shaper', ...documentOptionNames(), ...own];
  return { ...optionsSchema().shape, ...Object.fromEntries(others.map((name) => [name, undefined])) };
}

/**
 * The shaper of these fields, and their options for documents.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function documentShaper(fields: DocumentShaperFields): {
  shaper: Shaper;
  documentOptions: DocumentOptions;
} {
  checkNames(fields, shaperFields());
  const { shaper: ready, getEmbedding, render, scoreField, citeSources, ...options } = fields;
  const documentOptions = { getEmbedding, render, scoreField, citeSources };
  checkDocumentOptions(documentOptions);
  const shaper = ready === undefined ? makeShaper(options) : readyShaper(ready, options);
  if (render !== undefined && shaper.options.frame !== false) {
    throw invalidOption(
      'render',
      render,
      'has no effect with frame, which counts documents as renderContext shows them',
      'Give frame if renderContext makes the prompt, else render.',
    );
  }
  return { shaper, documentOptions };
}

function makeShaper({ embedder, ...options }: Omit<DocumentShaperFields, 'shaper'>): Shaper {
  if (embedder === undefined) return createShaper(options);
  // Test for LangChain first: some of its Embeddings classes have an `embed` with another meaning.
  const isLangChain = typeof (embedder as Partial<EmbeddingsLike> | null)?.embedDocuments === 'function';
  return createShaper({
    ...options,
    embedder: isLangChain ? fromLangChainEmbeddings(embedder as EmbeddingsLike) : (embedder as Embedder),
  });
}
