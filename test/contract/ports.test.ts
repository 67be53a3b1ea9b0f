/** Objects of ports that this package makes, and its fakes, keep the contracts of their ports. */
import { createShaper, estimateTokens } from 'context-shaping';
import { staticEmbedder } from 'context-shaping/embeddings';
import { fromLangChainEmbeddings } from 'context-shaping/langchain';
import { fakeEmbedder, fakeJudge, fakeLogprobModel, fakeReranker } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { capPerAuthor } from '../../examples/custom-stage.js';
import { loadTokenCounter } from '../../src/internal.js';
import { TINY } from '../adapters/embeddings/static-model.js';
import type { ContractCheck } from './checks.js';
import { embedderContract, judgeContract, rerankerContract } from './contracts.js';
import { stageContract } from './stage-contract.js';

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
  'the fake judge': judgeContract(() => fakeJudge()),
  'the fake reranker': rerankerContract(() => fakeReranker()),
};

describe.each(Object.entries(SUITES))('%s', (_, checks) => {
  test.each(checks)('$name', ({ run }) => run());
});

const IN_ORDER = 'answers each request, in their order, the same each time';
const IGNORES = 'does nothing for a signal that is aborted';
const TOGETHER = 'does not mix calls at the same time, one of which is aborted';

describe('a contract tells', () => {
  const failing = async (checks: readonly ContractCheck[]) => {
    const failed: string[] = [];
    for (const { name, run } of checks) await run().catch(() => failed.push(name));
    return failed;
  };
  test('an embedder without order, one that ignores aborts, one of another version', async () => {
    const { embed } = fakeEmbedder();
    const sorting = { embed: (texts: readonly string[]) => embed([...texts].sort(), {}) };
    expect(await failing(embedderContract(() => sorting))).toEqual([IN_ORDER, IGNORES, TOGETHER]);
    const other = { ...fakeEmbedder(), specificationVersion: 'v2' as 'v1' };
    expect(await failing(embedderContract(() => other))).toEqual(['says of itself what a port may say']);
  });
  test('a judge and a reranker that fail', async () => {
    for (const fail of ['throw', 'failure'] as const) {
      expect(await failing(judgeContract(() => fakeJudge({ fail })))).not.toEqual([]);
      expect(await failing(rerankerContract(() => fakeReranker({ fail })))).not.toEqual([]);
    }
  });
  test('a reranker that sorts, and one that reports log-odds as probabilities', async () => {
    const sorted = fakeReranker();
    const sorting = {
      ...sorted,
      rerank: (query: string, texts: readonly string[], call?: { signal?: AbortSignal | undefined }) =>
        sorted.rerank(query, [...texts].sort(), call),
    };
    expect(await failing(rerankerContract(() => sorting))).toEqual([IN_ORDER, TOGETHER]);
    const wrong = {
      ...sorted,
      rerank: async (...asked: Parameters<typeof sorted.rerank>) => {
        const { scores, ...rest } = await sorted.rerank(...asked);
        return { ...rest, scores: scores.map((score) => 9 * (score as number)) };
      },
    };
    expect(await failing(rerankerContract(() => wrong))).toContain(IN_ORDER);
  });
});

test('a counter gives a whole number for any text, the same each time', async () => {
  for (const count of [estimateTokens, await loadTokenCounter('o200k_base')]) {
    const tokens = ODD_TEXTS.map((text) => count(text));
    for (const each of tokens) expect(Number.isInteger(each) && each >= 0, `${each}`).toBe(true);
    expect(ODD_TEXTS.toReversed().map((text) => count(text))).toEqual(tokens.toReversed());
    expect(count('word '.repeat(5000))).toBeGreaterThan(count('word'));
  }
});
const ODD_TEXTS = [
  '',
  ' ',
  '大桥于一九三二年五月开放通车 🙂👩‍👩‍👧‍👦',
  '<|endoftext|> <|im_start|>',
  'a\ud800b\udc00',
  '\u0000\n\t\r',
  'x'.repeat(20_000),
];

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
