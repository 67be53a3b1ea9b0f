/** The question of `context-shaping demo` and the chunks that its retriever finds. */

import { DEFAULT_QUESTION, readCorpus, retrieve } from '../../../adapters/cli/demo-corpus.js';
import type { Chunk } from '../../../src/index.js';
import { root } from '../repository';

const RETRIEVED = 60;

export interface Sample {
  query: string;
  chunks: Chunk[];
}

export async function readSample(): Promise<Sample> {
  const { signal } = new AbortController();
  const corpus = await readCorpus(`${root}/demo`, signal);
  return {
    query: DEFAULT_QUESTION,
    chunks: await retrieve(DEFAULT_QUESTION, corpus.chunks, RETRIEVED, signal),
  };
}
