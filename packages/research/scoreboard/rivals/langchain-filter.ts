import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';
import { documentsOf, GivenEmbeddings, keptOf } from '../vectors.js';

interface Options {
  k?: number;
  similarityThreshold?: number;
}

const ALL = 1_000_000;

export default {
  name: 'LC filter',
  package: '@langchain/classic',
  version: versionOf('@langchain/classic'),
  needsVectors: true,
  settings: {
    'k 20': {},
    all: { k: ALL },
    'above .2': { k: ALL, similarityThreshold: 0.2 },
    'above .4': { k: ALL, similarityThreshold: 0.4 },
  },
  ignoresBudget: true,
  async select(given, _, options: Options) {
    const filter = new EmbeddingsFilter({ embeddings: new GivenEmbeddings(given), ...options });
    return keptOf(await filter.compressDocuments(documentsOf(given.chunks), given.question));
  },
} satisfies Rival<Options>;
