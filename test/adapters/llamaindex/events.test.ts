/** Events through the host's callback manager. */
import { CallbackManager, Settings } from '@llamaindex/core/global';
import { TextNode } from '@llamaindex/core/schema';
import { expect, expectTypeOf, it } from 'vitest';
import {
  type ContextEvictEvent,
  type ContextShapedEvent,
  ContextShapingPostprocessor,
} from '../../../adapters/llamaindex/index.js';

const nodes = [
  'Trams in Lisbon are yellow.',
  'Trams in Lisbon are yellow!',
  'trams in lisbon are yellow',
].map((text, i) => ({
  node: new TextNode({ id_: `n${i}`, text }),
  score: 1 - i / 10,
}));

function listening() {
  const evictions: ContextEvictEvent[] = [];
  const shaped: ContextShapedEvent[] = [];
  const manager = new CallbackManager()
    .on('context-evict', ({ detail }) => void evictions.push(detail))
    .on('context-shaped', ({ detail }) => void shaped.push(detail));
  return { manager, evictions, shaped };
}

it('tells of every eviction, then of the whole, before it returns', async () => {
  const { manager, evictions, shaped } = listening();
  const postprocessor = new ContextShapingPostprocessor({ callbackManager: manager });
  const { report } = await postprocessor.shape(nodes, 'trams');
  const { digest } = report;
  expect(evictions).toEqual([
    {
      digest,
      id: 'n1',
      index: 1,
      stage: 'exact-dedup',
      reason: 'exact-duplicate',
      keptId: 'n0',
      tokens: report.evicted[0]?.tokens,
    },
    {
      digest,
      id: 'n2',
      index: 2,
      stage: 'exact-dedup',
      reason: 'exact-duplicate',
      keptId: 'n0',
      tokens: report.evicted[1]?.tokens,
    },
  ]);
  expect(shaped).toEqual([{ digest, report }]);
});

it('asks for the manager in every call', async () => {
  const outer = listening();
  const inner = listening();
  const postprocessor = new ContextShapingPostprocessor({ callbackManager: () => Settings.callbackManager });
  await Settings.withCallbackManager(outer.manager, async () => {
    await postprocessor.postprocessNodes(nodes);
    await Settings.withCallbackManager(inner.manager, () =>
      postprocessor.postprocessNodes(nodes.slice(0, 1)),
    );
  });
  expect([outer.evictions.length, outer.shaped.length]).toEqual([2, 1]);
  expect([inner.evictions.length, inner.shaped.length]).toEqual([0, 1]);
  await new ContextShapingPostprocessor({ callbackManager: () => undefined }).postprocessNodes(nodes);
});

it('does not mind what a listener throws', async () => {
  const manager = new CallbackManager()
    .on('context-evict', () => {
      throw new Error('listener');
    })
    .on('context-shaped', () => {
      throw new Error('listener');
    });
  const failing = () => {
    throw new Error('no manager');
  };
  for (const callbackManager of [manager, failing]) {
    expect(await new ContextShapingPostprocessor({ callbackManager }).postprocessNodes(nodes)).toEqual([
      nodes[0],
    ]);
  }
});

it('types the events', () => {
  new CallbackManager().on('context-evict', ({ detail }) => {
    expectTypeOf(detail).toEqualTypeOf<ContextEvictEvent>();
    if (detail.reason === 'over-budget') expectTypeOf(detail.budgetToKeep).toEqualTypeOf<number | null>();
  });
});
