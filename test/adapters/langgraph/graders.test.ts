/** Judges as graders. Those by words and by utility are in the tests of the graph. */
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { Judge } from 'context-shaping';
import { type ChatModelLike, chatJudge } from 'context-shaping/langchain';
import { createCragGraph, type Grader } from 'context-shaping/langgraph';
import { fakeJudge } from 'context-shaping/testing';
import { expect, onTestFinished, test } from 'vitest';

const documents = Array.from({ length: 50 }, (_, nth) => ({
  pageContent: `The bridge of village ${nth} was opened in ${1900 + nth} by mayor ${nth * 7}.`,
  metadata: {},
}));
const query = 'When was the bridge opened?';
const chat = (...responses: string[]) => new FakeListChatModel({ responses });
const half = {
  token: 'yes',
  logprob: Math.log(0.5),
  top_logprobs: [{ token: 'no', logprob: Math.log(0.5) }],
};
const reply = { content: 'yes', response_metadata: { logprobs: { content: [half] } } };
const wavering = Object.assign(chat(), { invoke: async () => reply }) as unknown as ChatModelLike;
const gradedBy = async (grader: Judge | Grader, shown = documents.slice(0, 2)) =>
  (await createCragGraph({ grader, shaper: { semanticDedup: false, cluster: false } }).invoke({
    query,
    documents: shown,
  })) as { verdict: string; report: import('context-shaping').ShapingReport };

test.each<[string, Judge, string, number[]]>([
  ['is confident', chatJudge(chat('yes')), 'correct', [1, 1]],
  ['finds nothing', chatJudge(chat('no')), 'incorrect', [0, 0]],
  ['wavers', chatJudge(wavering), 'ambiguous', [0.5, 0.5]],
])('a chat model that %s', async (_, judge, verdict, grades) => {
  const result = await gradedBy(judge);
  expect(result.verdict).toBe(verdict);
  expect(result.report.crag?.grades.map(({ grade }) => grade)).toEqual(grades);
  expect(result.report.crag?.grader).toBe('chat:FakeListChatModel');
});

test('it is asked for the facts that answer; a passage that it cannot judge is graded by words', async () => {
  const judge = fakeJudge({ fail: 'failure' });
  const { report } = await gradedBy(judge);
  expect(judge.calls[0]?.[0]).toEqual({ question: query, passage: documents[0]?.pageContent });
  expect(report.crag?.grades).toMatchObject([{ index: 0 }, { index: 1, by: 'relevance' }]);
  expect(report.crag?.grades[0]).not.toHaveProperty('by');
  expect(report.degradations).toMatchObject([{ code: 'grader-failed' }]);
});

test.each([[undefined], [{ results: [] }], [{ results: [{ yes: 1.5 }, null] }]])(
  '%j breaks the port: words grade, and the report says so',
  async (answer) => {
    const { report } = await gradedBy({
      identify: async () => 'j',
      judge: async () => answer as never,
    } as never);
    expect(report.crag?.grades).toMatchObject([{ by: 'relevance' }, { by: 'relevance' }]);
    expect(report.degradations.map(({ code }) => code)).toContain('grader-failed');
  },
);

// Node warns of a leak when more than ten listeners wait for one signal. Fifty grades of one run must not cause it.
test('fifty passages are no leak', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const shaper = { k: 50, semanticDedup: false, cluster: false } as const;
  const grader = chatJudge(new FakeListChatModel({ responses: ['yes'], sleep: 2 }));
  const { signal } = new AbortController();
  const { report } = await createCragGraph({ grader, shaper }).invoke({ query, documents }, { signal });
  expect(report.crag?.grades).toHaveLength(50);
  // Node emits warnings in a later tick.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
