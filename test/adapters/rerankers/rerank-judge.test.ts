/** Tests of rerankers as judges, alone and in the stage `ecs`. */
import {
  type Chunk,
  ContextShapingError,
  createShaper,
  type Reranker,
  type Reranking,
} from 'context-shaping';
import { rerankJudge } from 'context-shaping/rerankers';
import { fakeReranker } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { judgeContract } from '../../contract/contracts.js';

/** A reranker with these scores, by text. */
function rerankerOf(scores: Record<string, number>, scale: Reranking['scale'] = 'probability'): Reranker {
  return {
    identify: async () => 'of-scores',
    rerank: async (_, texts) => ({
      scores: texts.map((text) => scores[text] ?? 0),
      scale,
      usage: { requests: 1, tokens: texts.length },
    }),
  };
}
const answering = (answer: unknown): Reranker => ({
  identify: async () => 'scripted',
  rerank: async () => answer as Reranking,
});
const asked = (...passages: string[]) => passages.map((passage) => ({ question: 'Where?', passage }));

describe('the contract of judges', () => {
  test.each(judgeContract(() => rerankJudge(fakeReranker())))('$name', ({ run }) => run());
});

test('asks once per question, with the answer in the query, and keeps the order of the requests', async () => {
  const reranker = fakeReranker();
  const judge = rerankJudge(reranker);
  const { results, usage } = await judge.judge([
    { question: 'Who built it?', passage: 'Ann built it.', answer: 'Ann' },
    { question: 'Where is it?', passage: 'It is here.' },
    { question: 'Who built it?', passage: 'Nobody knows.', answer: 'Ann' },
    { question: 'Who built it?', passage: 'Who built it?' },
  ]);
  expect(reranker.calls).toEqual([
    { query: 'Who built it? Ann', texts: ['Ann built it.', 'Nobody knows.'] },
    { query: 'Where is it?', texts: ['It is here.'] },
    { query: 'Who built it?', texts: ['Who built it?'] },
  ]);
  expect(results).toEqual([{ yes: 0.75 }, { yes: 2 / 3 }, { yes: 0 }, { yes: 1 }]);
  expect(usage).toEqual({ requests: 3, tokens: 11 });
});

test('log-odds become probabilities, and probabilities stay', async () => {
  const scores = { a: 2, b: -1000, c: 0 };
  const { results } = await rerankJudge(rerankerOf(scores, 'logit')).judge(asked('a', 'b', 'c'));
  expect(results).toEqual([{ yes: expect.closeTo(1 / (1 + Math.exp(-2)), 12) }, { yes: 0 }, { yes: 0.5 }]);
  const same = await rerankJudge(rerankerOf({ a: 0.25 })).judge(asked('a'));
  expect(same.results).toEqual([{ yes: 0.25 }]);
});

test('its identity is that of the reranker, told from those of other judges', async () => {
  const reranker = { ...rerankerOf({}), provider: 'cohere', modelId: 'rerank' };
  const judge = rerankJudge(reranker);
  expect([await judge.identify(), judge.provider, judge.modelId]).toEqual([
    'reranker:of-scores',
    'cohere',
    'rerank',
  ]);
});

test('a text without a score has no judgement; a question whose call fails has none, and the others do', async () => {
  const half = rerankJudge(fakeReranker({ fail: 'failure' }));
  const { results } = await half.judge(asked('Where', 'x', 'Where'));
  expect(results.map((each) => 'failure' in each)).toEqual([false, true, false]);
  const flaky: Reranker = {
    identify: async () => 'flaky',
    async rerank(query, texts) {
      if (query === 'Bad?') throw new Error('out of memory');
      return { scores: texts.map(() => 0.5), scale: 'probability', usage: { requests: 1 } };
    },
  };
  const mixed = await rerankJudge(flaky).judge([
    { question: 'Bad?', passage: 'a' },
    { question: 'Good?', passage: 'b' },
  ]);
  expect(mixed.results).toEqual([{ failure: 'out of memory' }, { yes: 0.5 }]);
  await expect(rerankJudge(flaky).judge([{ question: 'Bad?', passage: 'a' }])).rejects.toThrow(
    'out of memory',
  );
});

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /scale probability or logit/],
  [
    'another scale',
    { scores: [1], scale: 'cosine', usage: { requests: 1 } },
    /scale probability or logit.*cosine/,
  ],
  ['too few scores', { scores: [], scale: 'logit', usage: { requests: 1 } }, /must return 1 scores/],
  ['NaN', { scores: [Number.NaN], scale: 'logit', usage: { requests: 1 } }, /not a finite score/],
  [
    'infinity',
    { scores: [Number.POSITIVE_INFINITY], scale: 'logit', usage: { requests: 1 } },
    /not a finite score/,
  ],
  ['a text', { scores: ['high'], scale: 'logit', usage: { requests: 1 } }, /neither a score nor a failure/],
  [
    'log-odds as probabilities',
    { scores: [7.5], scale: 'probability', usage: { requests: 1 } },
    /outside of 0..1.*7.5/,
  ],
])('an answer with %s is an error', async (_, answer, message) => {
  const error = await rerankJudge(answering(answer))
    .judge(asked('a'))
    .catch((thrown: unknown) => thrown);
  expect(ContextShapingError.isInstance(error) && error.kind).toBe('service');
  expect(String(error)).toMatch(message);
});

test('an object that cannot rerank is refused', () => {
  expect(() => rerankJudge({} as Reranker)).toThrow(/^reranker must have the methods rerank and identify/);
  expect(() => rerankJudge(undefined as never)).toThrow(/^reranker must have/);
});

describe('in the stage ecs', () => {
  const chunks: Chunk[] = [
    {
      id: 'words',
      text: 'The bridge was built. Who built the bridge, and when, is a question that people ask.',
    },
    { id: 'other', text: 'Ferries cross the wide bay at seven each morning, and at nine on Sundays.' },
    {
      id: 'answer',
      text: 'Ann Lee finished the crossing over the strait in 1932, after seven years of work.',
    },
  ];
  const query = 'Who built the bridge?';
  const budget = { maxTokens: 25 };
  const oracle = rerankJudge({
    identify: async () => 'oracle',
    rerank: async (_, texts) => ({
      scores: texts.map((text) => (text.includes('Ann Lee') ? 6 : -6)),
      scale: 'logit',
      usage: { requests: 1 },
    }),
  });

  test('an oracle decides which chunk is kept under a budget', async () => {
    const plain = await createShaper({ budget }).shape({ query, chunks });
    expect(plain.chunks.map(({ id }) => id)).not.toContain('answer');
    const shaper = createShaper({ budget, ecs: { judge: oracle, trust: 'always' } });
    const { chunks: kept, report } = await shaper.shape({ query, chunks });
    expect(kept[0]?.id).toBe('answer');
    expect(report.ecs).toMatchObject({ method: 'judge', scored: 3, usage: { requests: 1 } });
    const entry = report.kept.find(({ id }) => id === 'answer');
    // Log-odds of 6 nats, less the penalty for its length.
    expect(entry?.tokens).toBe(19);
    expect(entry?.utility).toBeCloseTo(6 - 0.002 * 19, 6);
  });

  test('without a profile it changes nothing, and says why', async () => {
    const plain = await createShaper({ budget }).shape({ query, chunks });
    const { chunks: kept, report } = await createShaper({ budget, ecs: { judge: oracle } }).shape({
      query,
      chunks,
    });
    expect(kept.map(({ id, text }) => [id, text])).toEqual(plain.chunks.map(({ id, text }) => [id, text]));
    expect(report.degradations.map(({ code }) => code)).toContain('ecs-not-trusted');
  });

  test('a reranker that fails leaves the chunks as relevance ranks them', async () => {
    const plain = await createShaper({ budget }).shape({ query, chunks });
    const judge = rerankJudge(fakeReranker({ fail: 'throw' }));
    const shaper = createShaper({ budget, errorMessages: true, ecs: { judge, trust: 'always' } });
    const { chunks: kept, report } = await shaper.shape({ query, chunks });
    expect(kept.map(({ id }) => id)).toEqual(plain.chunks.map(({ id }) => id));
    expect(report.degradations).toContainEqual(
      expect.objectContaining({
        code: 'ecs-failed',
        message: expect.stringContaining('The fake fails as configured.'),
      }),
    );
  });

  test('a text without a score ranks as one of little use; the others by their scores', async () => {
    const judge = rerankJudge({
      identify: async () => 'partial',
      rerank: async (_, texts) => ({
        scores: texts.map((text) =>
          text.includes('Ann Lee') ? 0.99 : text.includes('Ferries') ? { failure: 'too long' } : 0.01,
        ),
        scale: 'probability',
        usage: { requests: 1 },
      }),
    });
    const { report } = await createShaper({ errorMessages: true, ecs: { judge, trust: 'always' } }).shape({
      query,
      chunks,
    });
    expect(report.ecs?.scored).toBe(2);
    expect(report.degradations).toContainEqual(
      expect.objectContaining({ code: 'ecs-incomplete', message: expect.stringContaining('too long') }),
    );
    const relevance = (id: string) => report.kept.find((each) => each.id === id)?.relevance as number;
    expect(relevance('answer')).toBeGreaterThan(relevance('other'));
  });
});
