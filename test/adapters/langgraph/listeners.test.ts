/** Node warns of a leak when more than ten listeners wait for one signal. Fifty grades of one run must not cause it. */
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { chatJudge } from 'context-shaping/langchain';
import { chatGrader, createCragGraph, fromJudge, type Grader } from 'context-shaping/langgraph';
import { expect, onTestFinished, test } from 'vitest';

const documents = Array.from({ length: 50 }, (_, nth) => ({
  pageContent: `The bridge of village ${nth} was opened in ${1900 + nth} by mayor ${nth * 7}.`,
  metadata: {},
}));
const shaper = { k: 50, semanticDedup: false, cluster: false } as const;
const slowly = (reply: string) => new FakeListChatModel({ responses: [reply], sleep: 2 });
const listening: Grader = {
  name: 'listens',
  async grade(requests, { signal }) {
    signal?.addEventListener('abort', () => {}, { once: true });
    return requests.map(() => ({ grade: 1 }));
  },
};

test.each<[string, Grader]>([
  ['of a judge', fromJudge(chatJudge(slowly('yes')))],
  ['of a chat model', chatGrader(slowly('{"grade": "yes"}'))],
  ['of a grader that listens to its signal', listening],
])('grades %s', async (_, grader) => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const { signal } = new AbortController();
  const { report } = await createCragGraph({ grader, shaper }).invoke(
    { query: 'When was the bridge opened?', documents },
    { signal },
  );
  expect(report.crag?.grades).toHaveLength(50);
  // Node emits warnings in a later tick.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings.map(({ message }) => message)).toEqual([]);
});
