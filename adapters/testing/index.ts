/**
 * Fakes for the ports, and contracts for your own ports and stages: for tests of programs that use this package.
 *
 * @packageDocumentation
 */
export type { ContractCheck } from './checks.js';
export {
  type EmbedderContractOptions,
  embedderContract,
  type JudgeContractOptions,
  judgeContract,
  type RerankerContractOptions,
  rerankerContract,
} from './contracts.js';
export {
  type FakeDocument,
  type FakeEmbedder,
  type FakeEmbedderOptions,
  type FakeGrade,
  type FakeGradeRequest,
  type FakeGrader,
  type FakeGraderOptions,
  type FakeJudge,
  type FakeLogprobModel,
  type FakeModelOptions,
  type FakeReranker,
  type FakeSentenceScorer,
  type FakeSentenceScorerOptions,
  type FakeWebSearch,
  fakeEmbedder,
  fakeGrader,
  fakeJudge,
  fakeLogprobModel,
  fakeReranker,
  fakeSentenceScorer,
  fakeWebSearch,
} from './fakes.js';
export { type StageContractOptions, stageContract } from './stage-contract.js';
