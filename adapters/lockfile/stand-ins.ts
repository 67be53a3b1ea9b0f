/** Services for questions without a recorded answer: they fail as the recorded services failed, else they count. */
import type { Answers, Embedder, Failed, Judge, LogprobModel, SentenceScorer } from '../../src/index.js';
import { keyOf } from './answers.js';
import type { RecordedService } from './types.js';

/** Stand-ins, and the number of their questions that nothing was recorded for: neither an answer nor a failure. */
export class Misses {
  count = 0;

  embedder(recorded: RecordedService): Embedder {
    return { ...identity(recorded), embed: async () => this.#fail(recorded, 'embed') };
  }

  model(recorded: RecordedService): LogprobModel {
    return {
      ...identity(recorded),
      identify: async () => this.#fail(recorded, 'identify model'),
      score: async (asked, call) => this.#each(recorded, `score ${call?.topLogprobs ?? 0}`, asked),
      generate: async (asked, call) => this.#each(recorded, `generate ${call?.topLogprobs ?? 0}`, asked),
    };
  }

  judge(recorded: RecordedService): Judge {
    return {
      ...identity(recorded),
      identify: async () => this.#fail(recorded, 'identify judge'),
      judge: async (asked) => this.#each(recorded, 'judge', asked),
    };
  }

  scorer(recorded: RecordedService): SentenceScorer {
    return {
      ...identity(recorded),
      identify: async () => this.#fail(recorded, 'identify scorer'),
      score: async (asked) => this.#each(recorded, 'sentences', asked),
    };
  }

  /** The recorded failures of these requests, if all of them failed. */
  #each(recorded: RecordedService, method: string, asked: readonly unknown[]): Answers<never> {
    const results = asked.map((each): Failed | undefined => {
      const failure = recorded.failures?.[keyOf(`${method} ${JSON.stringify(each)}`)];
      return failure === undefined ? undefined : { failure };
    });
    const failed = results.filter((each) => each !== undefined);
    return failed.length === results.length
      ? { results: failed, usage: { requests: 0 } }
      : this.#fail(recorded, method);
  }

  #fail({ failures }: RecordedService, method: string): never {
    const failure = failures?.[method];
    if (failure === undefined) this.count += 1;
    throw new Error(failure ?? 'The lockfile has no answer to this question.');
  }
}

const identity = ({ provider, modelId }: RecordedService) => ({
  ...(provider === undefined ? {} : { provider }),
  ...(modelId === undefined ? {} : { modelId }),
});
