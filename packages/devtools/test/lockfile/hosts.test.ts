/** `recordContext` and `explain` in observers of adapters: texts and all, and without a second question to a service. */
import { Document } from '@langchain/core/documents';
import { TextNode } from '@llamaindex/core/schema';
import { createShaper, type Embedder, type ShapingReport } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import { ContextShapingCompressor } from 'context-shaping/langchain';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { type ContextLockfile, recordContext, replayContext } from 'context-shaping-devtools/lockfile';
import { describe, expect, test } from 'vitest';
import { chunks, embed, question } from '../../../../test/pool.js';

function observed() {
  const lockfiles: ContextLockfile[] = [];
  const asked: string[] = [];
  const changes: unknown[] = [];
  const embedder: Embedder = {
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map(embed);
    },
  };
  const onReport = async (report: ShapingReport) => {
    lockfiles.push(await recordContext(report));
    const [evicted] = report.evicted;
    changes.push((await explain(report, evicted?.id as string)).counterfactuals?.k);
  };
  return { lockfiles, asked, changes, options: { k: 4, embedder, onReport } };
}

const HOSTS: Record<string, (options: ReturnType<typeof observed>['options']) => Promise<number>> = {
  createShaper: async (options) =>
    (await createShaper(options).shape({ query: question, chunks })).chunks.length,
  ContextShapingCompressor: async (options) => {
    const documents = chunks.map(({ id, text, metadata = {} }) => {
      return new Document({ id, pageContent: text, metadata: { ...metadata } });
    });
    return (await new ContextShapingCompressor(options).compressDocuments(documents, question)).length;
  },
  ContextShapingPostprocessor: async (options) => {
    const nodes = chunks.map(({ id, text }) => ({ node: new TextNode({ id_: id, text }) }));
    return (await new ContextShapingPostprocessor(options).postprocessNodes(nodes, question)).length;
  },
};

describe.each(Object.entries(HOSTS))('%s', (_, shape) => {
  test('the recorded context has its texts and replays; the embedder is asked once', async () => {
    const { lockfiles, asked, changes, options } = observed();
    expect(await shape(options)).toBe(4);
    expect(lockfiles).toHaveLength(1);
    expect((await replayContext(lockfiles[0] as ContextLockfile)).isEqual).toBe(true);
    expect(changes).toMatchObject([{ option: 'k', current: 4 }]);
    expect(new Set(asked).size).toBe(asked.length);
  });
});
