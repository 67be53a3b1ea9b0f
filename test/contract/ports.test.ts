/** Objects of ports that this package makes, and its fakes, keep the contracts that it publishes for those of others. */
import { createShaper, estimateTokens } from 'context-shaping';
import { fromLangChainEmbeddings, staticEmbedder } from 'context-shaping/embeddings';
import {
  type ContractCheck,
  embedderContract,
  fakeEmbedder,
  fakeGrader,
  fakeJudge,
  fakeLogprobModel,
  fakeReranker,
  fakeSentenceScorer,
  fakeWebSearch,
  graderContract,
  judgeContract,
  logprobModelContract,
  rerankerContract,
  sentenceScorerContract,
  stageContract,
  tokenCounterContract,
  webSearchContract,
} from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { loadTokenCounter } from '#internal';
import { capPerAuthor } from '../../examples/custom-stage.js';
import { TINY } from '../adapters/embeddings/static-model.js';

const found = [{ pageContent: 'The bridge opened in 1932.', metadata: { source: 'web' } }];
const embeddings = {
  model: 'letters',
  dimensions: 2,
  embedDocuments: async (texts: string[]) => texts.map((text) => [text.length, text.codePointAt(0) ?? 0]),
  embedQuery: async (text: string) => [text.length, text.codePointAt(0) ?? 0],
};
const SUITES: Record<string, ContractCheck[]> = {
  'an example of a stage': stageContract(() => capPerAuthor(2)),
  'the fake embedder': embedderContract(() => fakeEmbedder()),
  'the embedder of LangChain': embedderContract(() => fromLangChainEmbeddings(embeddings)),
  'the static embedder': embedderContract(() => staticEmbedder(TINY)),
  'the fake model': logprobModelContract(() => fakeLogprobModel()),
  'the fake judge': judgeContract(() => fakeJudge()),
  'the fake scorer of sentences': sentenceScorerContract(() => fakeSentenceScorer()),
  'the fake reranker': rerankerContract(() => fakeReranker()),
  'the fake grader': graderContract(() => fakeGrader({ grades: ({ text }) => 1 / (1 + text.length) })),
  'the fake web search': webSearchContract(() => fakeWebSearch({ bridge: found }), { query: 'bridge' }),
  'the estimate of tokens': tokenCounterContract(estimateTokens),
  'the exact counter of tokens': tokenCounterContract(await loadTokenCounter('o200k_base')),
};

describe.each(Object.entries(SUITES))('%s', (_, checks) => {
  test.each(checks)('$name', ({ run }) => run());
});

describe('a contract tells', () => {
  const failing = async (checks: readonly ContractCheck[]) => {
    const failed: string[] = [];
    for (const { name, run } of checks) await run().catch(() => failed.push(name));
    return failed;
  };
  test('an embedder without order, one that ignores aborts, one of another version', async () => {
    const { embed } = fakeEmbedder();
    const sorting = { embed: (texts: readonly string[]) => embed([...texts].sort(), {}) };
    expect(await failing(embedderContract(() => sorting))).toEqual([
      'gives vectors in the order of the texts',
      'does not mix calls at the same time',
      'does nothing for a signal that is aborted',
    ]);
    const other = { ...fakeEmbedder(), specificationVersion: 'v2' as 'v1' };
    expect(await failing(embedderContract(() => other))).toEqual(['says of itself what a port may say']);
  });
  test('a model, a judge and a grader that fail', async () => {
    for (const fail of ['throw', 'failure'] as const) {
      expect(await failing(logprobModelContract(() => fakeLogprobModel({ fail })))).not.toEqual([]);
      expect(await failing(judgeContract(() => fakeJudge({ fail })))).not.toEqual([]);
      expect(await failing(rerankerContract(() => fakeReranker({ fail })))).not.toEqual([]);
      expect(await failing(sentenceScorerContract(() => fakeSentenceScorer({ fail })))).not.toEqual([]);
    }
    const alike = fakeGrader({ grades: () => 2 });
    expect(await failing(graderContract(() => alike))).toEqual([
      'gives one grade of 0..1, or failure, per request, in their order',
    ]);
  });
  test('a reranker that sorts, and one that reports log-odds as probabilities', async () => {
    const sorted = fakeReranker();
    const sorting = {
      ...sorted,
      rerank: (query: string, texts: readonly string[], call?: { signal?: AbortSignal | undefined }) =>
        sorted.rerank(query, [...texts].sort(), call),
    };
    expect(await failing(rerankerContract(() => sorting))).toEqual([
      'scores each text, in their order, on its scale',
      'does not mix calls at the same time',
    ]);
    const wrong = {
      ...sorted,
      rerank: async (...asked: Parameters<typeof sorted.rerank>) => {
        const { scores, ...rest } = await sorted.rerank(...asked);
        return { ...rest, scores: scores.map((score) => 9 * (score as number)) };
      },
    };
    expect(await failing(rerankerContract(() => wrong))).toEqual([
      'scores each text, in their order, on its scale',
    ]);
  });
  test('a search that finds nothing, and a counter of halves', async () => {
    expect(await failing(webSearchContract(() => fakeWebSearch({}), { query: 'q' }))).toEqual([
      'finds documents with a text',
    ]);
    expect(await failing(tokenCounterContract((text) => text.length / 2))).toEqual([
      'gives a whole number of at least 0 for any text',
    ]);
  });
});

test('names of checks are unique', () => {
  for (const checks of Object.values(SUITES)) {
    const names = checks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
});

describe('the identity of a port', () => {
  test('of another version is refused', () => {
    const embedder = { ...fakeEmbedder(), specificationVersion: 'v2' as 'v1' };
    expect(() => createShaper({ embedder })).toThrow(/^embedder\.specificationVersion must be "v1"/);
    const model = { ...fakeLogprobModel(), specificationVersion: 'v2' as 'v1' };
    expect(() => createShaper({ ecs: { model } })).toThrow(/^ecs\.model\.specificationVersion must be "v1"/);
  });

  test('stands in the report', async () => {
    const { report } = await createShaper({ ecs: { judge: fakeJudge() } }).shape({ query: 'q', chunks: [] });
    expect(report.options.ecs).toMatchObject({ judge: 'context-shaping/fake-judge' });
  });
});
