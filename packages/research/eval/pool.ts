import type { Chunk, Embedder, Ranked } from 'context-shaping';
import type { Case } from './data/case.js';

/** What every method is given. */
export interface Pool extends Pick<Case, 'question' | 'history' | 'chunks'> {
  /** For methods that draw at random. */
  seed: number;
  /** What is said of the order of the chunks. `auto`: nothing. Absent where it means nothing, and the caller knows. */
  ranked?: Ranked | 'auto';
  /** Of which the chunks are a part, where they were retrieved. */
  collection?: readonly Chunk[];
  /** Of the question and of each chunk; absent without a model. */
  vectors?: { question: number[]; chunks: number[][] };
}

/** Makes pools of cases. Each chunk gets its vector once, however many questions share it. */
export function poolMaker(embedder: Embedder | undefined): (question: Case, seed: number) => Promise<Pool> {
  const known = new Map<string, number[]>();
  const embed = async (texts: readonly string[], options: { queryIndex?: number }) =>
    ((await embedder?.embed(texts, options)) ?? []).map((vector) => Array.from(vector));
  return async ({ question, history, chunks }, seed) => {
    const given = { question, ...(history === undefined ? {} : { history }), chunks, seed };
    if (embedder === undefined) return given;
    const texts = [...new Set(chunks.map(({ text }) => text))].filter((text) => !known.has(text));
    for (const [at, vector] of (await embed(texts, {})).entries()) known.set(texts[at] as string, vector);
    const [vector = []] = await embed([question], { queryIndex: 0 });
    return {
      ...given,
      vectors: { question: vector, chunks: chunks.map(({ text }) => known.get(text) as number[]) },
    };
  };
}
