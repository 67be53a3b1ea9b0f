import { createShaper, type ScoredText, type ShapingOptions } from 'context-shaping';
import { fakeJudge, fakeLogprobModel } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';

const asked = (context: string, question = 'Who built it?') => `${context}\n\nQuestion: ${question}\nAnswer:`;
const PROMPT = asked('Context:\nThe bridge is old.\nAnn Lee built the bridge.');
/** context, the, bridge, is, old, ann, lee, built */
const KNOWN = Math.log(0.99 / 8);
const OTHER = Math.log(0.01 / 10_000);

describe('fakeLogprobModel', () => {
  test('the more words of an answer stand before the question, the more probable it is', async () => {
    const continuations = [' Ann Lee', ' ann LEE.', ' Ann Poe', ' Max Poe', ' who'];
    const { results, usage } = await fakeLogprobModel().score(
      continuations.map((continuation) => ({ prompt: PROMPT, continuation })),
    );
    const expected = [2 * KNOWN, 2 * KNOWN, KNOWN + OTHER, 2 * OTHER, OTHER];
    expect(results).toMatchObject(
      expected.map((logprob) => ({ logprob: expect.closeTo(logprob, 12), exact: true })),
    );
    expect(usage).toEqual({ requests: 5, tokens: 5 * 15 + 9 });
  });

  test('without a context all answers are alike, and nothing is certain to follow nothing', async () => {
    const { results } = await fakeLogprobModel().score([
      { prompt: asked(''), continuation: ' Ann' },
      { prompt: PROMPT, continuation: '' },
    ]);
    expect(results).toMatchObject([
      { logprob: expect.closeTo(-Math.log(10_000), 12) },
      { tokens: [], logprob: 0 },
    ]);
  });

  test('tokens are words with the space before them; they make the text', async () => {
    const continuation = '\n Ann  Lee , 1932 ';
    const { results } = await fakeLogprobModel().score([{ prompt: PROMPT, continuation }]);
    const { tokens, logprob } = results[0] as ScoredText;
    expect(tokens.map(({ text }) => text)).toEqual(['\n Ann', '  Lee', ' ,', ' 1932', ' ']);
    expect(tokens.reduce((sum, token) => sum + token.logprob, 0)).toBeCloseTo(logprob, 12);
  });

  test('the words before the question may follow, as probable as they are scored', async () => {
    const { results } = await fakeLogprobModel().nextTokens([PROMPT, asked('')]);
    const texts = [' Context:', ' the', ' bridge.', ' is', ' old.', ' Ann', ' Lee', ' built'];
    expect(results).toEqual([texts.map((text) => ({ text, logprob: expect.closeTo(KNOWN, 12) })), []]);
  });

  test('it records its requests, as they were', async () => {
    const [model, judge] = [fakeLogprobModel(), fakeJudge()];
    const [scored, judged] = [
      { prompt: 'a', continuation: 'b' },
      { question: 'a', passage: 'b' },
    ];
    const prompts = ['a'];
    await model.score([scored]);
    await model.nextTokens(prompts);
    await judge.judge([judged]);
    Object.assign(scored, { prompt: 'other' });
    Object.assign(judged, { passage: 'other' });
    prompts.push('!');
    expect(model.calls).toEqual([
      { method: 'score', requests: [{ prompt: 'a', continuation: 'b' }] },
      { method: 'nextTokens', prompts: ['a'] },
    ]);
    expect(judge.calls).toEqual([[{ question: 'a', passage: 'b' }]]);
    expect([await model.identify(), await judge.identify()]).toEqual(['fake', 'fake']);
  });
});

test('fakeJudge says yes as far as the passage has the words that are wanted', async () => {
  const judge = fakeJudge();
  const question = 'Who built it?';
  const passage = 'Ann built the bridge.';
  const requests = [
    { question, passage, answer: 'Ann Lee' },
    { question, passage },
    { question, passage, answer: '' },
  ];
  const { results, usage } = await judge.judge(requests);
  expect(results).toEqual([{ yes: 1 / 2 }, { yes: 1 / 3 }, { yes: 0 }]);
  expect(usage.requests).toBe(3);
  expect(judge.calls).toEqual([requests]);
});

describe('told to fail', () => {
  const QUERY = { text: 'Who built the bridge?', answer: 'Ann Lee' };
  const CHUNKS = [
    'The bridge was built of stone.',
    'It rains.',
    'Ann Lee built it.',
    'The bridge is built on sand.',
  ];
  const shape = (ecs: Exclude<ShapingOptions['ecs'], false | undefined>, options: ShapingOptions = {}) =>
    createShaper({ k: 1, ...options, ecs: { ...ecs, trust: 'always' } }).shape({
      query: QUERY,
      chunks: CHUNKS.map((text, place) => ({ id: `${place}`, text })),
    });

  test('not at all: the chunk with the answer is kept', async () => {
    for (const ecs of [{ model: fakeLogprobModel() }, { judge: fakeJudge() }]) {
      const { chunks, report } = await shape(ecs);
      expect([chunks.map(({ id }) => id), report.degradations]).toEqual([['2'], []]);
    }
  });

  test.each([
    ['throw', {}, 'ecs-failed'],
    ['failure', {}, 'ecs-incomplete'],
    ['hang', { deadlineMs: 20 }, 'ecs-failed'],
  ] as const)('%s: a shaper goes on, and says so', async (fail, options, code) => {
    for (const ecs of [{ model: fakeLogprobModel({ fail }) }, { judge: fakeJudge({ fail }) }]) {
      const { chunks, report } = await shape(ecs, options);
      expect(chunks).toHaveLength(1);
      expect(report.degradations).toMatchObject([{ stage: 'ecs', code }]);
    }
  });

  test('throw: no call is answered; an abort ends a call that hangs', async () => {
    const reason = new Error('not needed any more');
    const controller = new AbortController();
    const { signal } = controller;
    const calls = (fail: 'throw' | 'hang') => {
      const [model, judge] = [fakeLogprobModel({ fail }), fakeJudge({ fail })];
      return [
        model.identify({ signal }),
        model.score([], { signal }),
        model.nextTokens([], { signal }),
        judge.identify({ signal }),
        judge.judge([], { signal }),
      ];
    };
    for (const call of calls('throw')) await expect(call).rejects.toThrow('The fake fails as configured.');
    const hanging = calls('hang').map((call) => expect(call).rejects.toBe(reason));
    controller.abort(reason);
    await Promise.all(hanging);
    for (const call of calls('hang')) await expect(call).rejects.toBe(reason);
  });
});
