/**
 * Fakes for the ports: for tests of programs that use this package.
 *
 * @packageDocumentation
 */
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
