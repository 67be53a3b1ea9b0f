/** The postprocessor inside the host's own engines. */
import { MetadataMode, type NodeWithScore } from '@llamaindex/core/schema';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { ContextChatEngine, Settings, SummaryIndex, VectorStoreIndex } from 'llamaindex';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ContextShapingPostprocessor } from '../../../adapters/llamaindex/index.js';
import { EchoLLM, HashEmbedding, makeDocuments } from './support.js';

const query = 'How deep is Lake Baikal?';
const promptTokens = (nodes: NodeWithScore[]) =>
  nodes.reduce((sum, { node }) => sum + encode(node.getContent(MetadataMode.LLM)).length, 0);

let index: VectorStoreIndex;
let llm: EchoLLM;

beforeAll(async () => {
  Settings.embedModel = new HashEmbedding();
  Settings.llm = new EchoLLM();
  index = await VectorStoreIndex.fromDocuments(makeDocuments());
});

beforeEach(() => {
  llm = new EchoLLM();
  Settings.llm = llm;
});

/** Everything the index keeps, as text. */
async function snapshot(): Promise<string> {
  const stored = Object.values(await index.docStore.docs());
  return JSON.stringify([stored.map((node) => node.toJSON()), index.vectorStores]);
}

describe('VectorStoreIndex.asQueryEngine', () => {
  const shaper = () =>
    new ContextShapingPostprocessor({ k: 4, budget: { maxTokens: 300 }, tokenizer: 'o200k_base' });

  it('answers from what is left', async () => {
    const engine = index.asQueryEngine({ similarityTopK: 30, nodePostprocessors: [shaper()] });
    const { message, sourceNodes } = await engine.query({ query });
    expect(message.content).toBe('an answer');
    expect(sourceNodes?.length).toBeGreaterThan(0);
    expect(sourceNodes?.length).toBeLessThanOrEqual(4);
    expect(llm.prompts).toHaveLength(1);
    expect(llm.prompts[0]).toContain('1,642 metres deep');
  });

  it('keeps the budget as the model sees the nodes, whatever the budget', async () => {
    for (const maxTokens of [40, 60, 100, 250, 1000]) {
      const postprocessor = new ContextShapingPostprocessor({
        budget: { maxTokens },
        tokenizer: 'o200k_base',
      });
      const engine = index.asQueryEngine({ similarityTopK: 30, nodePostprocessors: [postprocessor] });
      const nodes = await engine.retrieve({ query });
      expect(nodes.length).toBeGreaterThan(0);
      expect(promptTokens(nodes)).toBeLessThanOrEqual(maxTokens);
    }
  });

  it('counts exactly the tokens that go into the prompt', async () => {
    const nodes = await index.asRetriever({ similarityTopK: 30 }).retrieve({ query });
    const { nodes: kept, report } = await shaper().shape(nodes, query);
    expect(report.tokens.input).toBe(promptTokens(nodes));
    expect(report.tokens.output).toBe(promptTokens(kept));
  });

  it('leaves the index as it was, even when a node is cut', async () => {
    const before = await snapshot();
    for (const maxTokens of [20, 300]) {
      const postprocessor = new ContextShapingPostprocessor({
        budget: { maxTokens },
        tokenizer: 'o200k_base',
      });
      await index.asQueryEngine({ similarityTopK: 30, nodePostprocessors: [postprocessor] }).query({ query });
    }
    expect(await snapshot()).toBe(before);
  });

  it('takes a query of parts', async () => {
    const engine = index.asQueryEngine({ similarityTopK: 30, nodePostprocessors: [shaper()] });
    const parts = [{ type: 'text' as const, text: query }];
    const ids = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.id_);
    expect(ids(await engine.retrieve({ query: parts }))).toEqual(ids(await engine.retrieve({ query })));
  });

  it('takes vectors of nodes, so that only the query has to be embedded', async () => {
    const store = index.vectorStores.TEXT as unknown as { get(id: string): Promise<number[]> };
    const nodes = await index.asRetriever({ similarityTopK: 30 }).retrieve({ query });
    expect(nodes.every(({ node }) => node.embedding === undefined)).toBe(true);
    const asked: string[] = [];
    for (const { node } of nodes) node.embedding = await store.get(node.id_);
    const postprocessor = new ContextShapingPostprocessor({
      embedder: {
        embed: (texts) => {
          asked.push(...texts);
          return Settings.embedModel.getTextEmbeddings([...texts]);
        },
      },
    });
    const { report } = await postprocessor.shape(nodes, query);
    expect(asked).toEqual([query]);
    expect(report.degradations).toEqual([]);
    expect(report.kept.every(({ features }) => features?.cosine !== undefined)).toBe(true);
  });

  it('lets the host answer without a model when nothing may stay', async () => {
    const postprocessor = new ContextShapingPostprocessor({ budget: { maxTokens: 1 }, allowEmpty: true });
    const response = await index.asQueryEngine({ nodePostprocessors: [postprocessor] }).query({ query });
    expect(response.message.content).toBe('Empty Response');
    expect(llm.prompts).toEqual([]);
  });
});

describe('SummaryIndex', () => {
  it('works where all scores are the same', async () => {
    const summary = await SummaryIndex.fromDocuments(makeDocuments());
    const postprocessor = new ContextShapingPostprocessor({ k: 3 });
    const engine = summary.asQueryEngine({ nodePostprocessors: [postprocessor] });
    const { sourceNodes } = await engine.query({ query });
    expect(sourceNodes).toHaveLength(3);
    expect(sourceNodes?.[0]?.node.getContent(MetadataMode.NONE)).toContain('Baikal');
    expect(sourceNodes?.every(({ score }) => score === 1)).toBe(true);
  });
});

describe('ContextChatEngine', () => {
  const chat = (nodePostprocessors: ContextShapingPostprocessor[]) =>
    new ContextChatEngine({
      retriever: index.asRetriever({ similarityTopK: 30 }),
      chatModel: new EchoLLM(2048),
      nodePostprocessors,
    }).chat({ message: query });

  it('throws when the context does not fit the window', async () => {
    await expect(chat([])).rejects.toThrow(
      'Could not fit fixed blocks and transient messages within memory context',
    );
  });

  it('answers when the context is shaped', async () => {
    const { message, sourceNodes } = await chat([
      new ContextShapingPostprocessor({ budget: { maxTokens: 800 } }),
    ]);
    expect(message.content).toBe('an answer');
    expect(sourceNodes?.length).toBeGreaterThan(3);
    expect(sourceNodes?.some(({ node }) => node.getContent(MetadataMode.NONE).includes('1,642'))).toBe(true);
  });
});
