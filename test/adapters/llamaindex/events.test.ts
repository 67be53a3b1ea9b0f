/** The event of a call through the host's callback manager. */
import { CallbackManager, Settings } from '@llamaindex/core/global';
import { TextNode } from '@llamaindex/core/schema';
import { expect, expectTypeOf, it } from 'vitest';
import { type ContextShapedEvent, ContextShapingPostprocessor } from '../../../adapters/llamaindex/index.js';

const nodes = [
  'Trams in Lisbon are yellow.',
  'Trams in Lisbon are yellow!',
  'trams in lisbon are yellow',
].map((text, i) => ({
  node: new TextNode({ id_: `n${i}`, text }),
  score: 1 - i / 10,
}));

function listening() {
  const shaped: ContextShapedEvent[] = [];
  const manager = new CallbackManager().on('context-shaped', ({ detail }) => void shaped.push(detail));
  return { manager, shaped };
}

it('tells of the whole, with every eviction, before it returns', async () => {
  const { manager, shaped } = listening();
  const postprocessor = new ContextShapingPostprocessor({ callbackManager: manager });
  const { report } = await postprocessor.shape(nodes, 'trams');
  expect(shaped).toEqual([{ digest: report.digest, report }]);
  const copy = { stage: 'exact-dedup', reason: 'exact-duplicate', keptId: 'n0' };
  expect(report.evicted).toMatchObject([
    { id: 'n1', ...copy },
    { id: 'n2', ...copy },
  ]);
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
  const evictions = [outer, inner].map(({ shaped }) => shaped.map(({ report }) => report.evicted.length));
  expect(evictions).toEqual([[2], [0]]);
  await new ContextShapingPostprocessor({ callbackManager: () => undefined }).postprocessNodes(nodes);
});

it('does not mind what a listener throws', async () => {
  const failing = () => {
    throw new Error('listener');
  };
  const manager = new CallbackManager().on('context-shaped', failing);
  for (const callbackManager of [manager, failing]) {
    expect(await new ContextShapingPostprocessor({ callbackManager }).postprocessNodes(nodes)).toEqual([
      nodes[0],
    ]);
  }
});

it('types the event', () => {
  new CallbackManager().on('context-shaped', ({ detail }) => {
    expectTypeOf(detail).toEqualTypeOf<ContextShapedEvent>();
  });
});
