/** Every way into the package, on its real host, under one contract. */
import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { Document } from '@langchain/core/documents';
import { BaseRetriever } from '@langchain/core/retrievers';
import { type Chunk, createShaper } from 'context-shaping';
import { ContextShapingCompressor, ShapedRetriever } from 'context-shaping/langchain';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { Settings, SummaryIndex, TextNode } from 'llamaindex';
import { expect, test } from 'vitest';
import { cliProcess } from '../../adapters/cli/harness.js';
import { EchoLLM, HashEmbedding } from '../../adapters/llamaindex/support.js';
import { builtPackage } from '../../built-package.js';
import { type Front, shapingContract } from '../../contract/contract.js';
import { chunks, question } from '../../pool.js';
import { ids } from '../../support.js';

const toDocuments = (given: readonly Chunk[]) =>
  given.map(
    ({ id, text, score, metadata }) =>
      new Document({ id, pageContent: text, metadata: { ...metadata, score } }),
  );

class FixedRetriever extends BaseRetriever {
  lc_namespace = ['test'];
  constructor(readonly documents: Document[]) {
    super();
  }
  override async _getRelevantDocuments() {
    return this.documents;
  }
}

const idsOf = (documents: readonly { id?: string | undefined }[]) => documents.map(({ id }) => id as string);

/** The metadata is for the ledger, not for the prompt: the model sees the text alone, as elsewhere. */
function toNodes(given: readonly Chunk[]) {
  return given.map(({ id, text, score, metadata }) => {
    const keys = Object.keys(metadata ?? {});
    const node = new TextNode({
      id_: id,
      text,
      metadata: { ...metadata },
      excludedLlmMetadataKeys: keys,
      excludedEmbedMetadataKeys: keys,
    });
    return { node, score: score as number };
  });
}

const commandLine: Front = {
  name: 'command line',
  async run(options, query, given) {
    const stdin = JSON.stringify({ query, chunks: given, options });
    const args = ['shape', '-', '--format', 'json'];
    const { code, stdout, stderr } = await cliProcess(args, { stdin, built: await builtPackage() });
    if (code !== 0) throw new Error(stderr);
    return ids(JSON.parse(stdout).chunks);
  },
};

const fronts: Front[] = [
  commandLine,
  {
    name: 'LangChain compressor',
    run: async (options, query, given) =>
      idsOf(await new ContextShapingCompressor(options).compressDocuments(toDocuments(given), query)),
  },
  {
    name: 'LangChain ContextualCompressionRetriever',
    run: async (options, query, given) => {
      const baseCompressor = new ContextShapingCompressor(options);
      const baseRetriever = new FixedRetriever(toDocuments(given));
      return idsOf(await new ContextualCompressionRetriever({ baseCompressor, baseRetriever }).invoke(query));
    },
  },
  {
    name: 'LangChain ShapedRetriever',
    run: async (options, query, given) =>
      idsOf(
        await new ShapedRetriever({
          retriever: new FixedRetriever(toDocuments(given)),
          compressor: options,
        }).invoke(query),
      ),
  },
  {
    name: 'LlamaIndex postprocessor',
    run: async (options, query, given) =>
      (await new ContextShapingPostprocessor(options).postprocessNodes(toNodes(given), query)).map(
        ({ node }) => node.id_,
      ),
  },
];

for (const front of fronts) shapingContract(front);

test('the order of a retriever is a ranking unless the caller says otherwise; the order of other inputs is examined', async () => {
  // A whole document in its order: nothing but the front can know that it is a ranking. The last parts match a bit better.
  const given = Array.from({ length: 8 }, (_, position) => ({
    id: `d${position}`,
    text: `Part ${position} is set ${position < 5 ? 'near' : 'in'} a harbour.`,
    metadata: { source: 'story', position },
  }));
  const story = 'Which parts are set in the harbour?';
  const best = async (ranked: boolean) =>
    ids((await createShaper({ k: 3, ranked }).shape({ query: story, chunks: given })).chunks);
  const [asRanking, asDocument] = [await best(true), await best(false)];
  expect(asRanking).toContain('d0');
  expect(asDocument).not.toContain('d0');
  for (const front of fronts) {
    const expected = front === commandLine ? asDocument : asRanking;
    expect(await front.run({ k: 3 }, story, given), front.name).toEqual(expected);
    expect(await front.run({ k: 3, ranked: false }, story, given), front.name).toEqual(asDocument);
  }
});

test('a LlamaIndex query engine hands on the same nodes', async () => {
  Settings.llm = new EchoLLM();
  Settings.embedModel = new HashEmbedding();
  const given = chunks.map(({ id, text }) => ({ id, text, score: 1 }));
  const index = await SummaryIndex.init({ nodes: toNodes(given).map(({ node }) => node) });
  const engine = index.asQueryEngine({
    nodePostprocessors: [new ContextShapingPostprocessor({ budget: { maxTokens: 200 } })],
  });
  const { sourceNodes } = await engine.query({ query: question });
  const expected = await createShaper({ budget: { maxTokens: 200 } }).shape({
    query: question,
    chunks: given,
    // A summary index gives all nodes, in the order of its documents.
    ranked: false,
  });
  expect(sourceNodes?.map(({ node }) => node.id_)).toEqual(ids(expected.chunks));
});
