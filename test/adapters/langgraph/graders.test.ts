import { createCragGraph } from 'context-shaping/langgraph';
import { fakeJudge } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { chatGrader } from '../../../adapters/langgraph/chat-grader.js';
import { ecsGrader, fromJudge, relevanceGrader } from '../../../adapters/langgraph/graders.js';
import { graderContract, REQUESTS } from './grader-contract.js';

const never = () => new Promise<never>(() => {});
const judging = (judge: () => Promise<unknown>) =>
  fromJudge({ identify: async () => 'j', judge: judge as never });
const chat = (invoke: (prompt: string) => Promise<unknown>) => chatGrader({ invoke: invoke as never });

graderContract('relevanceGrader', { grader: relevanceGrader() });
graderContract('ecsGrader', { grader: ecsGrader() });
graderContract('fromJudge', {
  grader: fromJudge(fakeJudge()),
  thrower: (error) => judging(() => Promise.reject(error)),
  waiter: () => judging(never),
});
graderContract('chatGrader', {
  grader: chat(async (prompt) => ({
    content: JSON.stringify({ reason: 'So it is.', grade: prompt.includes('Ann Lee') ? 'yes' : 'no' }),
  })),
  thrower: (error) => chat(() => Promise.reject(error)),
  waiter: () => chat(never),
});
test('chatGrader asks at most as many at once as it may', async () => {
  const count = { now: 0, most: 0, calls: 0 };
  const invoke = async () => {
    count.calls++;
    count.most = Math.max(count.most, ++count.now);
    await new Promise((resolve) => setImmediate(resolve));
    count.now--;
    return { content: '{"grade": "yes"}' };
  };
  await chatGrader({ invoke }, { maxConcurrency: 3 }).grade([...REQUESTS, ...REQUESTS], {});
  expect(count).toEqual({ now: 0, most: 3, calls: 2 * REQUESTS.length });
});

test('relevance is what words alone say', async () => {
  const grades = await relevanceGrader().grade(REQUESTS, {});
  expect(grades).toEqual(REQUESTS.map(({ support }) => ({ grade: support })));
});

test('utility is a grade: 0 nats are one half, an unmeasured document is a failure', async () => {
  const [request] = REQUESTS as [(typeof REQUESTS)[0]];
  const utilities = [0, Math.log(3), -Math.log(3), 1e6, -1e6];
  const measured = utilities.map((utility) => ({ ...request, utility }));
  const { utility: _, ...unmeasured } = request;
  expect(await ecsGrader().grade([...measured, unmeasured], {})).toEqual([
    { grade: 0.5 },
    { grade: expect.closeTo(0.75, 12) },
    { grade: expect.closeTo(0.25, 12) },
    { grade: 1 },
    { grade: 0 },
    { failure: 'The utility of "c0" was not measured.' },
  ]);
});

describe('fromJudge', () => {
  test('asks for the facts that answer, and hands on what fails', async () => {
    const judge = fakeJudge({ fail: 'failure' });
    const grades = await fromJudge(judge).grade(REQUESTS.slice(0, 3), {});
    expect(grades).toEqual([
      { grade: expect.any(Number) },
      { failure: 'The fake fails as configured.' },
      { grade: expect.any(Number) },
    ]);
    expect(judge.calls[0]?.[0]).toEqual({ question: REQUESTS[0]?.query, passage: REQUESTS[0]?.text });
  });

  test('the signal goes along', async () => {
    const { signal } = new AbortController();
    const calls: unknown[] = [];
    const judge = {
      ...fakeJudge(),
      judge: async (_: unknown, call: unknown) => ({ results: [], usage: calls.push(call) }),
    };
    await fromJudge(judge as never).grade(REQUESTS.slice(0, 1), { signal });
    expect(calls).toEqual([{ signal }]);
  });

  test('what the judge throws is thrown on', async () => {
    const error = new Error('no model');
    await expect(judging(() => Promise.reject(error)).grade(REQUESTS, {})).rejects.toBe(error);
  });

  test.each([[undefined], [{ results: [] }], [{ results: [{ yes: 1.5 }] }], [{ results: [null] }]])(
    '%j breaks the port: the graph grades by words, and says so',
    async (answer) => {
      const graph = createCragGraph({ grader: judging(async () => answer) });
      const documents = [{ pageContent: 'The bridge opened in 1932.', metadata: {} }];
      const { report } = await graph.invoke({ query: 'When did the bridge open?', documents });
      expect(report.crag?.grades).toMatchObject([{ by: 'relevance' }]);
      expect(report.degradations.map(({ code }) => code)).toContain('grader-failed');
    },
  );

  test.each([undefined, null, {}, () => 1])('%j is no judge', (judge) => {
    expect(() => fromJudge(judge as never)).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field: 'judge' }),
    );
  });
});
