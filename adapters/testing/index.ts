/**
 * Fakes for the ports, and contracts for your own ports and stages: for tests of programs that use this package.
 *
 * @packageDocumentation
 */
import type { Embedder } from '../../src/index.js';

export type { ContractCheck } from './contracts/checks.js';
export {
  type GraderContractOptions,
  type GraderLike,
  graderContract,
  type WebSearchFunction,
  webSearchContract,
} from './contracts/crag.js';
export { type EmbedderContractOptions, embedderContract } from './contracts/embedder.js';
export {
  type JudgeContractOptions,
  judgeContract,
  type LogprobModelContractOptions,
  logprobModelContract,
} from './contracts/model.js';
export { type RerankerContractOptions, rerankerContract } from './contracts/reranker.js';
export { type SentenceScorerContractOptions, sentenceScorerContract } from './contracts/sentences.js';
export { type StageContractOptions, stageContract } from './contracts/stage.js';
export { tokenCounterContract } from './contracts/token-counter.js';
export {
  type FakeDelay,
  type FakeDocument,
  type FakeGrade,
  type FakeGradeRequest,
  type FakeGrader,
  type FakeGraderOptions,
  type FakeWebSearch,
  fakeGrader,
  fakeWebSearch,
} from './crag.js';
export {
  type FakeJudge,
  type FakeLogprobModel,
  type FakeModelOptions,
  type FakeReranker,
  fakeJudge,
  fakeLogprobModel,
  fakeReranker,
} from './models.js';
export {
  type FakeSentenceScorer,
  type FakeSentenceScorerOptions,
  fakeSentenceScorer,
} from './sentences.js';

export interface FakeEmbedderOptions {
  /** Length of the vectors. Default 64. */
  dimensions?: number;
}

/** An embedder that records the texts of its calls. */
export interface FakeEmbedder extends Embedder {
  /** The texts of each call, oldest first. */
  readonly calls: readonly (readonly string[])[];
}

/**
 * An embedder without a model: each word adds to one coordinate, chosen by a hash of the word. Texts that
 * share words are close, the same text always gets the same vector, and a text without words gets zeros.
 */
export function fakeEmbedder({ dimensions = 64 }: FakeEmbedderOptions = {}): FakeEmbedder {
  const calls: string[][] = [];
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: `fake-embedder-${dimensions}`,
    calls,
    async embed(texts, { signal }) {
      signal?.throwIfAborted();
      calls.push([...texts]);
      return texts.map((text) => {
        const vector = new Array<number>(dimensions).fill(0);
        for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
          const at = hash(word) % dimensions;
          vector[at] = (vector[at] ?? 0) + 1;
        }
        return vector;
      });
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let state = 0x811c9dc5;
  for (const character of word) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return state >>> 0;
}
