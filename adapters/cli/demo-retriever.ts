/** The retriever of the demo, and its question. The site makes its sample with them. */
import { type Chunk, createShaper } from '../../src/index.js';

export const DEFAULT_QUESTION = 'How long does Cormorant retry a failed webhook delivery?';

/** The most relevant chunks by words alone. A retriever has its place here: BM25, vectors, or both. */
export async function retrieve(
  question: string,
  chunks: readonly Chunk[],
  count: number,
  signal: AbortSignal,
): Promise<Chunk[]> {
  const ranker = createShaper({
    tokenizer: 'characters/4',
    ...{
      flag: false,
      exactDedup: false,
      semanticDedup: false,
      cluster: false,
      select: false,
      extract: false,
    },
  });
  const { chunks: ranked } = await ranker.shape({ query: question, chunks, signal });
  return ranked.slice(0, count).map(({ id, text, metadata, relevance }) => ({
    id,
    text,
    metadata: metadata ?? {},
    score: relevance ?? 0,
  }));
}
