/** Asks services each question once: keeps their answers, and gives them again. */
import { messageOf } from '../errors.js';
import type {
  Answers,
  Embedder,
  Failed,
  GeneratedText,
  Judge,
  Judgement,
  LogprobModel,
  ModelCall,
  PortIdentity,
  ScoredText,
  SentenceScorer,
  SentenceScores,
} from '../ports.js';
import { orAborted } from '../runtime/abort.js';

/** The services of a shaper. */
export interface Services {
  readonly embedder?: Embedder | undefined;
  readonly model?: LogprobModel | undefined;
  readonly judge?: Judge | undefined;
  readonly scorer?: SentenceScorer | undefined;
}

/**
 * The answers of services, by question. A sealed tape asks no service. It fails as the service failed; a question that
 * the service was never asked fails too, and is counted in `missed`.
 */
export class Tape {
  /** Vectors, by `query` or `document` and the text. */
  readonly vectors: Map<string, ArrayLike<number>>;
  /** Answers and identities of models, judges and scorers, by the method and the request as JSON. */
  readonly answers: Map<string, unknown>;
  /** The message of each failed request, by its key, and of each failed call, by its method. They are no answers. */
  readonly failures: Map<string, string>;
  /** Number of questions that a sealed tape could not answer. */
  missed = 0;

  constructor(
    readonly isSealed = false,
    known?: Pick<Tape, 'vectors' | 'answers' | 'failures'>,
  ) {
    this.vectors = known?.vectors ?? new Map();
    this.answers = known?.answers ?? new Map();
    this.failures = known?.failures ?? new Map();
  }

  /** The same answers, without the services. */
  sealed(): Tape {
    return new Tape(true, this);
  }

  /** The services. Each is asked only if its answer is not known. */
  services({ embedder, model, judge, scorer }: Services): Services {
    return {
      ...(embedder === undefined ? {} : { embedder: this.#embedder(embedder) }),
      ...(model === undefined ? {} : { model: this.#model(model) }),
      ...(judge === undefined ? {} : { judge: this.#judge(judge) }),
      ...(scorer === undefined ? {} : { scorer: this.#scorer(scorer) }),
    };
  }

  #embedder(embedder: Embedder): Embedder {
    return {
      ...identityOf(embedder),
      embed: async (texts, { queryIndex, signal }) => {
        const keys = texts.map((text, place) => vectorKey(place === queryIndex ? 'query' : 'document', text));
        const unknown = [...texts.keys()].filter((place) => !this.vectors.has(keys[place] as string));
        if (unknown.length > 0) {
          this.#checkSeal('embed', unknown.length);
          const place = queryIndex === undefined ? -1 : unknown.indexOf(queryIndex);
          const asked = Object.freeze(unknown.map((at) => texts[at] as string));
          const call = {
            ...(place < 0 ? {} : { queryIndex: place }),
            ...(signal === undefined ? {} : { signal }),
          };
          const found = await this.#noting('embed', signal, () => embedder.embed(asked, call));
          // An answer that is malformed goes on as it is, to the check of the answers.
          if (!Array.isArray(found) || found.length !== asked.length) return found;
          for (const [at, vector] of found.entries())
            this.vectors.set(keys[unknown[at] as number] as string, vector);
        }
        return keys.map((key) => this.vectors.get(key) as ArrayLike<number>);
      },
    };
  }

  #model(model: LogprobModel): LogprobModel {
    return {
      ...identityOf(model),
      identify: (call) => this.#once('identify model', call?.signal, () => model.identify(call)),
      score: (requests, call) =>
        this.#each<(typeof requests)[number], ScoredText>(
          `score ${call?.topLogprobs ?? 0}`,
          requests,
          call?.signal,
          (asked) => model.score(asked, call as ModelCall),
        ),
      generate: (requests, call) =>
        this.#each<(typeof requests)[number], GeneratedText>(
          `generate ${call?.topLogprobs ?? 0}`,
          requests,
          call?.signal,
          (asked) => model.generate(asked, call as ModelCall),
        ),
    };
  }

  #judge(judge: Judge): Judge {
    return {
      ...identityOf(judge),
      identify: (call) => this.#once('identify judge', call?.signal, () => judge.identify(call)),
      judge: (requests, call) =>
        this.#each<(typeof requests)[number], Judgement>('judge', requests, call?.signal, (asked) =>
          judge.judge(asked, call),
        ),
    };
  }

  #scorer(scorer: SentenceScorer): SentenceScorer {
    return {
      ...identityOf(scorer),
      identify: (call) => this.#once('identify scorer', call?.signal, () => scorer.identify(call)),
      score: (requests, call) =>
        this.#each<(typeof requests)[number], SentenceScores>('sentences', requests, call?.signal, (asked) =>
          scorer.score(asked, call),
        ),
    };
  }

  /** Notes the message of a call that fails or is too late. */
  async #noting<T>(method: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await orAborted(ask(), signal);
      this.failures.delete(method);
      return answer;
    } catch (error) {
      this.failures.set(method, messageOf(error));
      throw error;
    }
  }

  async #once(key: string, signal: AbortSignal | undefined, ask: () => Promise<string>): Promise<string> {
    if (!this.answers.has(key)) {
      this.#checkSeal(key, 1);
      this.answers.set(key, await this.#noting(key, signal, ask));
    }
    return this.answers.get(key) as string;
  }

  async #each<Request, Result>(
    method: string,
    requests: readonly Request[],
    signal: AbortSignal | undefined,
    ask: (requests: readonly Request[]) => Promise<Answers<Result>>,
  ): Promise<Answers<Result>> {
    const keys = requests.map((request) => `${method} ${JSON.stringify(request)}`);
    const unknown = [...requests.keys()].filter((place) => !this.answers.has(keys[place] as string));
    const results = keys.map((key) => this.answers.get(key) as Result | Failed);
    if (unknown.length === 0) return { results, usage: { requests: 0 } };
    if (this.isSealed && unknown.every((place) => this.failures.has(keys[place] as string))) {
      for (const place of unknown)
        results[place] = { failure: this.failures.get(keys[place] as string) as string };
      return { results, usage: { requests: 0 } };
    }
    this.#checkSeal(method, unknown.length);
    const asked = Object.freeze(unknown.map((place) => requests[place] as Request));
    const answer = await this.#noting(method, signal, () => ask(asked));
    // An answer that is malformed goes on as it is, to the check of the answers.
    if (!Array.isArray(answer?.results) || answer.results.length !== unknown.length) return answer;
    for (const [at, result] of answer.results.entries()) {
      const place = unknown[at] as number;
      results[place] = result;
      const key = keys[place] as string;
      if (isFailed(result)) this.failures.set(key, String(result?.failure));
      else this.answers.set(key, result);
    }
    return { results, usage: answer.usage };
  }

  #checkSeal(method: string, questions: number): void {
    if (!this.isSealed) return;
    const failure = this.failures.get(method);
    if (failure !== undefined) throw new Error(failure);
    this.missed += questions;
    throw new Error('The answer of the service was not recorded.');
  }
}

/** The key of a vector on a tape. */
export const vectorKey = (role: 'query' | 'document', text: string): string => `${role} ${text}`;

const isFailed = (result: unknown): result is Failed | null | undefined =>
  typeof result !== 'object' || result === null || typeof (result as Partial<Failed>).failure === 'string';

function identityOf({ specificationVersion, provider, modelId }: PortIdentity) {
  return {
    ...(specificationVersion === undefined ? {} : { specificationVersion }),
    ...(provider === undefined ? {} : { provider }),
    ...(modelId === undefined ? {} : { modelId }),
  };
}
