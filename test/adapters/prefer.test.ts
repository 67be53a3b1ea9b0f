/** The options of conflicts in every host: each passes them on, and its objects say which of them are superseded. */
import { readFileSync } from 'node:fs';
import { Document } from '@langchain/core/documents';
import { MetadataMode, TextNode } from '@llamaindex/core/schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createShaper } from 'context-shaping';
import { ContextShapingCompressor } from 'context-shaping/langchain';
import { createCragGraph } from 'context-shaping/langgraph';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { expect, test } from 'vitest';
import { resolveOptions } from '../../packages/agents/src/conversation/options.js';
import { deepFreeze } from '../support.js';

const QUERY = 'How long does Hookline retry a failed delivery?';
const conflicts = { prefer: 'newest' } as const;
const given = deepFreeze([
  {
    id: 'old',
    text: 'Hookline retries a failed delivery for 6 hours.',
    metadata: { date: '2022-03-01', title: 'Hooks' },
  },
  {
    id: 'new',
    text: 'Hookline retries a failed delivery for 24 hours.',
    metadata: { date: '2024-05-01', title: 'Hooks' },
  },
]);

test('LangChain: a superseded document is a copy that names the preferred one, also after corrective retrieval', async () => {
  const documents = given.map(({ id, text, metadata }) => new Document({ id, pageContent: text, metadata }));
  const compressor = new ContextShapingCompressor({ conflicts });
  const { documents: shaped, report } = await compressor.shape(documents, QUERY);
  expect(report.kept.find(({ id }) => id === 'old')?.superseded).toMatchObject({
    by: 'new',
    date: '2024-05-01',
  });
  expect(shaped[0]).toBe(documents[1]);
  const { context } = await createCragGraph({ shaper: { conflicts } }).invoke({ query: QUERY, documents });
  for (const kept of [shaped, context]) {
    const old = kept.find(({ id }) => id === 'old');
    expect(old).toBeInstanceOf(Document);
    expect(old?.metadata).toEqual({ ...given[0]?.metadata, supersededBy: 'new' });
    expect(kept.find(({ id }) => id === 'new')?.metadata).toEqual(given[1]?.metadata);
  }
  expect(documents[0]?.metadata).not.toHaveProperty('supersededBy');
  const dropping = new ContextShapingCompressor({ conflicts: { ...conflicts, drop: true } });
  expect(await dropping.compressDocuments(documents, QUERY)).toEqual([documents[1]]);
});

test('LlamaIndex: the metadata of a copy names the preferred node, and the model reads the same text', async () => {
  const nodes = given.map(({ id, ...rest }) => ({
    node: new TextNode({ id_: id, ...rest, embedding: [1, 0] }),
  }));
  const [first, second] = nodes;
  const kept = await new ContextShapingPostprocessor({ conflicts, embedder: undefined }).postprocessNodes(
    nodes,
    QUERY,
  );
  expect(kept[0]).toBe(second);
  const node = kept[1]?.node as TextNode;
  expect(node).toBeInstanceOf(TextNode);
  expect(node.metadata).toEqual({ ...given[0]?.metadata, supersededBy: 'new' });
  expect(node.getContent(MetadataMode.LLM)).toBe(first?.node.getContent(MetadataMode.LLM));
  expect(node.embedding).toEqual([1, 0]);
  expect(first?.node.metadata).not.toHaveProperty('supersededBy');
  expect(first?.node.excludedLlmMetadataKeys).toEqual([]);
});

test('conversations pass the options on, and so do derived shapers and sessions', async () => {
  expect(resolveOptions({ conflicts }).shaper.options.conflicts).toMatchObject(conflicts);
  const shaper = createShaper({ conflicts }).with({ conflicts: { drop: true } });
  expect(shaper.options.conflicts).toEqual({ prefer: 'newest', drop: true });
  const session = createShaper().session({ query: QUERY, chunks: given });
  expect((await session.at({ conflicts })).chunks.map(({ id }) => id)).toEqual(['new', 'old']);
  expect((await session.at({ conflicts: { ...conflicts, drop: true } })).chunks.map(({ id }) => id)).toEqual([
    'new',
  ]);
  expect((await session.at()).report.conflicts[0]).not.toHaveProperty('preferred');
});

test('requests as JSON may have all of them but a function', () => {
  const accepts = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('options.schema.json', 'utf8')),
  );
  for (const prefer of ['newest', 'trusted', 'majority', 'info.revision', null])
    expect(accepts({ conflicts: { prefer, drop: false } })).toBe(true);
  for (const wrong of [{ prefer: 5 }, { level: 'sure' }, { drop: 'yes' }, { keep: true }])
    expect(accepts({ conflicts: wrong })).toBe(false);
});
