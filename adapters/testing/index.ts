/**
 * Fakes for the ports, and contracts for your own ports and stages: for tests of programs that use this package.
 *
 * @packageDocumentation
 */
export type { ContractCheck } from './checks.js';
export {
  embedderContract,
  judgeContract,
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
export { stageContract } from './stage-contract.js';
