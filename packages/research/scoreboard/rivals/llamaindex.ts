import { similarity } from '@llamaindex/core/embeddings';
import { TextNode } from '@llamaindex/core/schema';
import { SimilarityPostprocessor } from 'llamaindex';
import type { Kept } from '../../eval/metrics.js';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';
import { vectorsOf } from '../vectors.js';

interface Options {
  similarityCutoff?: number;
}

export default {
  name: 'LlamaIndex',
  package: 'llamaindex',
  version: versionOf('llamaindex'),
  needsVectors: true,
  settings: {
    'no cutoff': {},
    'cutoff .2': { similarityCutoff: 0.2 },
    'cutoff .4': { similarityCutoff: 0.4 },
    'cutoff .6': { similarityCutoff: 0.6 },
  },
  ignoresBudget: true,
  /** Nodes come with their cosines, in the order of the retriever. */
  async select(given, _, options: Options) {
    const [question = [], ...vectors] = await vectorsOf(given, [
      given.question,
      ...given.chunks.map(({ text }) => text),
    ]);
    const nodes = given.chunks.map(({ id, text }, place) => ({
      node: new TextNode({ id_: id, text }),
      score: similarity(question, vectors[place] as number[]),
    }));
    const kept = await new SimilarityPostprocessor(options).postprocessNodes(nodes);
    return kept.map(({ node }): Kept => ({ id: node.id_, text: (node as TextNode).text }));
  },
} satisfies Rival<Options>;
