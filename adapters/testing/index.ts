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
  type FakeEmbedder,
  type FakeEmbedderOptions,
  type FakeJudge,
  type FakeLogprobModel,
  type FakeModelOptions,
  type FakeReranker,
  fakeEmbedder,
  fakeJudge,
  fakeLogprobModel,
  fakeReranker,
} from './fakes.js';
export { type StageContractOptions, stageContract } from './stage-contract.js';
