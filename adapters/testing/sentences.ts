/** A scorer of sentences without a model: it compares the words that texts share. */
import type { SentenceRequest, SentenceScorer } from '../../src/index.js';
import { answers, asTold, type FakeModelOptions, shareOfWords, wordsIn } from './models.js';

/** A scorer of sentences that records its requests. */
export interface FakeSentenceScorer extends SentenceScorer {
  /** The requests of each call, oldest first. */
  readonly calls: readonly (readonly SentenceRequest[])[];
}

export interface FakeSentenceScorerOptions extends FakeModelOptions {
  /** The probability of a sentence, 0..1. Default: the share of the question's words in the sentence. */
  score?: ((sentence: string, question: string) => number) | undefined;
}

/** A scorer whose probability is the share of the question's words in the sentence, or what `score` returns. */
export function fakeSentenceScorer(options: FakeSentenceScorerOptions = {}): FakeSentenceScorer {
  const calls: (readonly SentenceRequest[])[] = [];
  const score = options.score ?? ((sentence, question) => shareOfWords(question, sentence));
  return {
    specificationVersion: 'v1',
    provider: 'context-shaping',
    modelId: 'fake-sentence-scorer',
    calls,
    async identify({ signal } = {}) {
      await asTold(options, signal);
      return 'fake';
    },
    async score(requests, { signal } = {}) {
      calls.push(structuredClone(requests) as SentenceRequest[]);
      await asTold(options, signal);
      const results = requests.map(({ question, passage, sentences }) => ({
        scores: sentences.map(({ start, end }) => score(passage.slice(start, end), question)),
      }));
      return answers(options, results, wordsIn(requests.map(({ passage }) => passage)));
    },
  };
}
