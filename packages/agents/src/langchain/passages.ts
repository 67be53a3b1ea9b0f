/** Documents of an artifact as passages, and back. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { type DocumentOptions, formatDocument, toChunks } from 'context-shaping/langchain';
import type { Passage } from '../conversation/index.js';

export class Passages {
  readonly #options: DocumentOptions;
  readonly #documents = new WeakMap<Passage, DocumentInterface>();

  constructor({ render = formatDocument, ...options }: DocumentOptions) {
    this.#options = { ...options, render };
  }

  /** The passages of an artifact that is an array of documents. */
  of(artifact: unknown): readonly Passage[] | undefined {
    if (!areDocuments(artifact)) return undefined;
    return toChunks(artifact, this.#options).map((chunk, at): Passage => {
      const document = artifact[at] as DocumentInterface;
      const passage = { ...chunk, id: document.id ?? '' };
      this.#documents.set(passage, document);
      return passage;
    });
  }

  /** The documents of passages: those of the artifact, or copies if something changed. */
  documentsOf(passages: readonly Passage[], artifact?: unknown): DocumentInterface[] {
    const given = areDocuments(artifact) ? artifact : [];
    return passages.map((passage) => {
      const { id, text, metadata } = passage;
      const same = ({ id: own = '', pageContent, metadata: its }: DocumentInterface) =>
        own === id && pageContent === text && its === metadata;
      return (
        this.#documents.get(passage) ??
        given.find(same) ??
        new Document({ pageContent: text, metadata: { ...metadata }, ...(id === '' ? {} : { id }) })
      );
    });
  }
}

/** Checks the structure only, because documents are plain objects after a checkpoint. */
function areDocuments(value: unknown): value is DocumentInterface[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => typeof (each as Partial<DocumentInterface> | null)?.pageContent === 'string',
    )
  );
}
