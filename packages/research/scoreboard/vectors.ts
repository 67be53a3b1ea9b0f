/** Static vectors for all rivals: each text is embedded once, before anything is timed. */
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import type { Chunk, Embedder } from 'context-shaping';
import type { Kept } from '../eval/metrics.js';
import type { Given } from './rival.js';

/** An embedder that knows the vectors of texts that it has met. */
export function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, ArrayLike<number>>();
  return {
    ...embedder,
    async embed(texts, { signal }) {
      const met = new Set(texts.filter((text) => !known.has(text)));
      const vectors = met.size === 0 ? [] : await embedder.embed([...met], signal ? { signal } : {});
      for (const [at, text] of [...met].entries()) known.set(text, vectors[at] as ArrayLike<number>);
      return texts.map((text) => known.get(text) as ArrayLike<number>);
    },
  };
}

export async function vectorsOf({ embedder }: Given, texts: readonly string[]): Promise<number[][]> {
  if (embedder === undefined) throw new Error('This rival needs vectors: give --model.');
  return (await embedder.embed(texts, {})).map((vector) => Array.from(vector));
}

export class GivenEmbeddings extends Embeddings {
  readonly #given: Given;

  constructor(given: Given) {
    super({});
    this.#given = given;
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return vectorsOf(this.#given, texts);
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await vectorsOf(this.#given, [text]);
    return vector;
  }
}

export const documentsOf = (chunks: readonly Chunk[]): Document[] =>
  chunks.map(({ id, text }) => new Document({ pageContent: text, metadata: { id } }));

export const keptOf = (documents: readonly Pick<Document, 'pageContent' | 'metadata'>[]): Kept[] =>
  documents.map(({ pageContent: text, metadata }) => ({ id: metadata.id, text }));
