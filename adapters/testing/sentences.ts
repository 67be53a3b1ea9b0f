/** A scorer of sentences without a model: it compares the words that texts share. */
import type { SentenceRequest, SentenceScorer } from '../../src/index.js';
import { answers, asTold, type FakeModelOptions, fold, wordsIn, wordsOf } from './models.js';

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
  const score = options.score ?? shareOfWords;
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

function shareOfWords(sentence: string, question: string): number {
  const wanted = [...new Set(wordsOf(question).map(fold))];
  const has = new Set(wordsOf(sentence).map(fold));
  return wanted.filter((word) => has.has(word)).length / Math.max(1, wanted.length);
}
