/** Nodes after shaping: identity, copies, images, scores, ids, offsets. */
import {
  Document,
  ImageNode,
  IndexNode,
  MetadataMode,
  NodeRelationship,
  TextNode,
} from '@llamaindex/core/schema';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../adapters/explain/index.js';
import { ContextShapingPostprocessor } from '../../../adapters/llamaindex/index.js';
import { toChunks } from '../../../adapters/llamaindex/nodes.js';
import { fakeJudge } from '../../../adapters/testing/index.js';
import { type Chunk, ContextShapingError, createShaper } from '../../../src/index.js';

const TEXT =
  'The harbour of Split is on the Adriatic. Ferries leave at seven. The crossing to Hvar takes an hour.';
const scored = (node: TextNode, score?: number) => (score === undefined ? { node } : { node, score });

const chunkOf = (node: TextNode, score?: number) => toChunks([scored(node, score)])[0] as Chunk;

describe('postprocessNodes', () => {
  it('gives nothing for nothing', async () => {
    expect(await new ContextShapingPostprocessor().postprocessNodes([])).toEqual([]);
    expect(await new ContextShapingPostprocessor().postprocessNodes([], 'anything')).toEqual([]);
  });

  it('returns a result that can be explained, with the changes that help', async () => {
    const nodes = ['Trams in Lisbon are yellow.', 'Lisbon has hills.'].map((text) =>
      scored(new TextNode({ text })),
    );
    const shaped = await new ContextShapingPostprocessor({ k: 1 }).shape(nodes, 'trams');
    const { counterfactuals } = await explain(shaped, 1);
    expect(counterfactuals?.k).toBeDefined();
  });

  it('hands on the very objects it was given', async () => {
    const nodes = [
      scored(new TextNode({ text: 'Trams in Lisbon are yellow.' }), 0.9),
      scored(new TextNode({ text: 'TRAMS in Lisbon are yellow' }), 0.8),
      scored(new TextNode({ text: 'Lisbon was rebuilt after an earthquake.' })),
    ];
    const kept = await new ContextShapingPostprocessor({ order: 'input' }).postprocessNodes(nodes, 'trams');
    expect(kept).toHaveLength(2);
    expect(kept[0]).toBe(nodes[0]);
    expect(kept[1]).toBe(nodes[2]);
  });

  it('writes nothing: frozen nodes do', async () => {
    const node = new TextNode({ text: TEXT, metadata: { a: 1 }, embedding: [1, 0] });
    Object.freeze(node.metadata);
    Object.freeze(node.relationships);
    Object.freeze(node);
    const nodes = Object.freeze([Object.freeze(scored(node, 0.5))]);
    for (const maxTokens of [20, 1000]) {
      const shaper = new ContextShapingPostprocessor({ budget: { maxTokens }, tokenizer: 'o200k_base' });
      expect(await shaper.postprocessNodes(nodes, 'Hvar')).toHaveLength(1);
    }
  });

  it('copies a node whose text is sanitised', async () => {
    const node = new TextNode({
      text: `${TEXT}\u202e <|im_start|>`,
      metadata: { a: 1 },
      startCharIdx: 3,
      endCharIdx: 120,
    });
    const [kept] = await new ContextShapingPostprocessor({ sanitise: 'strip' }).postprocessNodes(
      [scored(node)],
      'Hvar',
    );
    expect(kept?.node.getContent(MetadataMode.NONE)).toBe(`${TEXT} < |im_start|>`);
    expect(kept?.node.metadata).toEqual({ a: 1 });
    expect(kept?.node).toMatchObject({ id_: node.id_, startCharIdx: 3, endCharIdx: 120 });
    expect(node.getContent(MetadataMode.NONE)).toBe(`${TEXT}\u202e <|im_start|>`);
  });

  it('copies a node whose metadata is sanitised', async () => {
    const node = new TextNode({ text: TEXT, metadata: { title: 'Ferries\u202e <|im_start|>', page: 3 } });
    const [kept] = await new ContextShapingPostprocessor({ sanitise: 'strip' }).postprocessNodes(
      [scored(node)],
      'Hvar',
    );
    expect(kept?.node.metadata).toEqual({ title: 'Ferries < |im_start|>', page: 3 });
    expect(node.metadata.title).toBe('Ferries\u202e <|im_start|>');
    const [same] = await new ContextShapingPostprocessor().postprocessNodes([scored(node)], 'Hvar');
    expect(same?.node).toBe(node);
  });

  it('treats a query without text as none', async () => {
    const postprocessor = new ContextShapingPostprocessor();
    const nodes = [scored(new TextNode({ text: TEXT }), 0.5)];
    for (const query of [undefined, '', [], [{ type: 'image', data: '', mimeType: 'image/png' }]]) {
      const { nodes: kept, report } = await postprocessor.shape(nodes, query);
      expect(kept).toEqual(nodes);
      expect(report.query).toBe('');
    }
    const parts = [{ type: 'text', text: 'one' }, { type: 'image_url' }, { type: 'text', text: 'two' }];
    expect((await postprocessor.shape(nodes, parts)).report.query).toBe('one\n\ntwo');
  });

  it('hands on the right answer, where the caller knows it', async () => {
    const judge = fakeJudge();
    const postprocessor = new ContextShapingPostprocessor({ ecs: { judge, trust: 'always' } });
    const nodes = [scored(new TextNode({ text: TEXT }), 0.5)];
    await postprocessor.shape(nodes, 'Where is it?', { answer: 'Hvar' });
    await postprocessor.shape(nodes, 'Where is it?');
    expect(judge.calls.map(([request]) => request?.answer)).toEqual(['Hvar', undefined]);
  });

  it('an image is a chunk by its text, and the same object in the result', async () => {
    const image = {
      node: new ImageNode({ image: new URL('https://example.org/a.png'), text: 'a caption' }),
      score: 0.99,
    };
    const text = scored(new TextNode({ text: TEXT }), 0.5);
    const { nodes, report } = await new ContextShapingPostprocessor().shape([image, text], 'Hvar');
    expect(nodes).toContain(image);
    expect(report.input).toEqual([image.node.id_, text.node.id_]);
  });

  it('a node without text is a chunk like others: in the ledger, and first to go', async () => {
    const empty = scored(new TextNode({ text: '' }), 0.7);
    const text = scored(new TextNode({ text: TEXT }), 0.5);
    const { nodes, report } = await new ContextShapingPostprocessor({ k: 1 }).shape([empty, text], 'Split');
    expect(nodes).toEqual([text]);
    expect(report.evicted).toMatchObject([{ id: empty.node.id_, tokens: 0 }]);
  });

  it('stops when aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(new ContextShapingPostprocessor().shape([], '', { signal })).rejects.toThrow('enough');
  });
});

describe('a node as a chunk', () => {
  it('is counted with the metadata that goes into the prompt', () => {
    const node = new TextNode({
      text: TEXT,
      metadata: { city: 'Split', internal: 'x' },
      excludedLlmMetadataKeys: ['internal'],
    });
    const { text, rendered } = chunkOf(node);
    expect(text).toBe(TEXT);
    expect(rendered).toBe(`city: Split\n\n${TEXT}`);
  });

  it('has a score only if it is a finite one', () => {
    const node = new TextNode({ text: TEXT });
    expect(chunkOf(node, 0)).toMatchObject({ score: 0 });
    for (const score of [Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
      expect(chunkOf(node, score)).not.toHaveProperty('score');
    }
  });

  it('has the embedding of its node, if that has one', () => {
    const nodes = [[1, 0], [], undefined].map((embedding) => ({
      node: new TextNode({ text: 'one', embedding }),
    }));
    expect(toChunks(nodes).map(({ embedding }) => embedding)).toEqual([[1, 0], undefined, undefined]);
  });

  it('gets an id of its own where one id names several texts', async () => {
    const texts = ['one', 'two', 'one', 'three', 'two'];
    const nodes = [
      ...texts.map((text) => ({ node: new TextNode({ id_: 'a', text }) })),
      { node: new TextNode({ id_: 'a#2', text: 'four' }) },
    ];
    const chunks = toChunks(nodes);
    expect(chunks.map(({ id }) => id)).toEqual(['a', 'a#2', 'a', 'a#3', 'a#2', 'a#2#2']);
    expect(await new ContextShapingPostprocessor().postprocessNodes(nodes)).toHaveLength(4);
  });
});

describe('when no node fits the budget', () => {
  const tiny = (options = {}) =>
    new ContextShapingPostprocessor({ budget: { maxTokens: 32 }, tokenizer: 'o200k_base', ...options });
  const PADDED = `${TEXT} ${'Nothing more is known of the ferries. '.repeat(10)}`;

  it('cuts a copy, and leaves the node as it was', async () => {
    const node = new TextNode({
      id_: 'n',
      text: `  ${PADDED}`,
      metadata: { city: 'Split', internal: { nested: true } },
      excludedLlmMetadataKeys: ['internal'],
      excludedEmbedMetadataKeys: ['city'],
      relationships: { [NodeRelationship.SOURCE]: { nodeId: 'doc-1', metadata: {} } },
      embedding: [1, 0],
      metadataSeparator: ' | ',
      startCharIdx: 0,
      endCharIdx: PADDED.trim().length,
    });
    const before = JSON.stringify(node);
    const { nodes, report } = await tiny().shape([{ node, score: 0.5 }], 'Zagreb');
    expect(JSON.stringify(node)).toBe(before);

    const [{ node: copy, score } = { node, score: undefined }] = nodes;
    expect(copy).not.toBe(node);
    expect(score).toBe(0.5);
    const text = copy.getContent(MetadataMode.NONE);
    expect(TEXT.startsWith(text)).toBe(true);
    expect(text.endsWith('.')).toBe(true);
    expect(copy).toMatchObject({
      id_: 'n',
      metadata: node.metadata,
      excludedLlmMetadataKeys: ['internal'],
      excludedEmbedMetadataKeys: ['city'],
      relationships: node.relationships,
      metadataSeparator: ' | ',
      embedding: undefined,
      endCharIdx: PADDED.trim().length,
    });
    expect(copy.hash).toBe(copy.generateHash());
    expect(copy.getContent(MetadataMode.LLM)).toBe(`city: Split\n\n${text}`);
    expect(encode(copy.getContent(MetadataMode.LLM)).length).toBeLessThanOrEqual(report.tokens.output);
    expect(report.tokens.output).toBeLessThanOrEqual(32);
    expect(report.degradations.map(({ code }) => code)).toEqual(['query-not-embedded', 'cut-to-fit']);
  });

  it('cuts to the sentences that answer, and says from where to where they are', async () => {
    const node = new TextNode({ text: PADDED });
    const { nodes, report } = await tiny({ budget: { maxTokens: 14 } }).shape(
      [{ node }],
      'When do ferries leave?',
    );
    const text = nodes[0]?.node.getContent(MetadataMode.NONE) as string;
    expect(text).toContain('Ferries leave at seven.');
    expect(report.kept[0]?.excerpts?.map(({ start, end }) => PADDED.slice(start, end)).join(' … ')).toBe(
      text,
    );
    expect(report.degradations).toEqual([]);
  });

  it('keeps the class of the host’s nodes', async () => {
    for (const node of [new Document({ text: PADDED }), new IndexNode({ text: PADDED, indexId: 'i' })]) {
      const [first] = await tiny().postprocessNodes([{ node }], 'Zagreb');
      expect(first?.node).not.toBe(node);
      expect(first?.node).toBeInstanceOf(node.constructor);
    }
  });

  it('copies nodes that the host cannot clone', async () => {
    class Tagged extends TextNode {
      readonly tag = 'mine';
    }
    const node = new Tagged({
      text: PADDED,
      metadata: { load: () => 1 },
      excludedLlmMetadataKeys: ['load'],
      embedding: [1],
    });
    expect(() => node.clone()).toThrow();
    const { hash } = node;
    const [first] = await tiny().postprocessNodes([{ node }], 'Zagreb');
    const copy = first?.node as Tagged;
    expect(copy).toBeInstanceOf(Tagged);
    expect(copy.tag).toBe('mine');
    expect(PADDED.startsWith(copy.text)).toBe(true);
    expect(copy.text.length).toBeLessThan(PADDED.length / 2);
    expect(copy.hash).toBe(copy.generateHash());
    expect(copy.embedding).toBeUndefined();
    expect([node.text, node.hash, node.embedding]).toEqual([PADDED, hash, [1]]);
  });

  it('returns nothing if that is allowed', async () => {
    const node = new TextNode({ text: PADDED });
    expect(await tiny({ allowEmpty: true }).postprocessNodes([{ node }], 'Zagreb')).toEqual([]);
  });
});

describe('the constructor', () => {
  it('takes a shaper', async () => {
    const shaper = createShaper({ k: 1 });
    const postprocessor = new ContextShapingPostprocessor({ shaper });
    expect(postprocessor.shaper).toBe(shaper);
    const nodes = ['one', 'two'].map((text) => ({ node: new TextNode({ text }) }));
    expect(await postprocessor.postprocessNodes(nodes, 'two')).toEqual([nodes[1]]);
  });

  it('takes either a shaper or options', () => {
    const both = () => new ContextShapingPostprocessor({ shaper: createShaper(), k: 3 });
    expect(both).toThrow(ContextShapingError);
    expect(both).toThrow(/^k has no effect with a ready shaper/);
  });

  it('checks options', () => {
    const wrong = { k: 0 };
    expect(() => new ContextShapingPostprocessor(wrong)).toThrow(/^k must be at least 1/);
  });
});
