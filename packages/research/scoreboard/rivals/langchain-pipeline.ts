import { DocumentCompressorPipeline } from '@langchain/classic/retrievers/document_compressors';
import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';
import { documentsOf, GivenEmbeddings, keptOf } from '../vectors.js';

interface Options {
  chunkSize: number;
  chunkOverlap: number;
}

/** The pipeline of its documentation: chunks are split, and the parts that are most like the question stay. */
export default {
  name: 'LC split',
  package: '@langchain/classic',
  version: versionOf('@langchain/classic'),
  needsVectors: true,
  settings: {
    '200 characters': { chunkSize: 200, chunkOverlap: 0 },
    '100 characters': { chunkSize: 100, chunkOverlap: 0 },
    '400 characters': { chunkSize: 400, chunkOverlap: 0 },
    '1,000 characters': { chunkSize: 1000, chunkOverlap: 0 },
  },
  ignoresBudget: true,
  async select(given, _, options: Options) {
    const pipeline = new DocumentCompressorPipeline({
      transformers: [
        new RecursiveCharacterTextSplitter(options),
        new EmbeddingsFilter({ embeddings: new GivenEmbeddings(given), k: Number.POSITIVE_INFINITY }),
      ],
    });
    return keptOf(await pipeline.compressDocuments(documentsOf(given.chunks), given.question));
  },
} satisfies Rival<Options>;
