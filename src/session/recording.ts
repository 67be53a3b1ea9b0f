/** Asks services each question once: records their answers, and gives them again. */
import { toldError } from '../errors.js';
import { areVectors } from '../input/embedder-answer.js';
import type { ResolvedOptions } from '../input/options.js';
import type {
  Answers,
  Embedder,
  Failed,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ModelCall,
  PortIdentity,
  ScoredText,
  ScoreRequest,
  TokenProbability,
} from '../ports.js';
import { orAborted } from '../runtime/abort.js';
import { defined } from '../runtime/defined.js';

/** The services of a shaper. */
export interface Services {
  readonly embedder?: Embedder | undefined;
  readonly model?: LogprobModel | undefined;
  readonly judge?: Judge | undefined;
}

/** Counts the questions without a recorded answer. */
export interface Unasked {
  count: number;
}

/** The services that the options name. */
export function servicesOf({ embedder, ecs }: ResolvedOptions): Services {
  const { model, judge } = ecs || {};
  return { embedder, model, judge };
}

/** The answers of services, by question. */
export class Recording {
  /** Vectors, by `query` or `document` and the text. */
  readonly vectors: Map<string, ArrayLike<number>>;
  /** Answers and identities of models and judges, by the method and the request as JSON. */
  readonly answers: Map<string, unknown>;
  /** The failure of each request, by its key, and the error of each call, by its method. They are no answers. */
  readonly failures: Map<string, unknown>;
  /** This recording, and those of other services with which a session overrides these. */
  #all: Recording[] = [this];

  /** @param known answers that were recorded before. */
  constructor(
    readonly services: Services,
    known: Partial<Pick<Recording, 'vectors' | 'answers' | 'failures'>> = {},
  ) {
    this.vectors = known.vectors ?? new Map();
    this.answers = known.answers ?? new Map();
    this.failures = known.failures ?? new Map();
  }

  /** The recording of these services. Others give other answers, so they have a recording of their own. */
  of(services: Services): Recording {
    const names = ['embedder', 'model', 'judge'] as const;
    const known = this.#all.find((each) => names.every((name) => each.services[name] === services[name]));
    if (known !== undefined) return known;
    const made = new Recording(services);
    made.#all = this.#all;
    this.#all.push(made);
    return made;
  }

  /**
   * The services, each of which is asked only if its answer is not known.
   *
   * @param unasked given: no service is asked. A question fails as it failed before; one without a recorded answer fails
   *   too, and is counted.
   */
  replayed(unasked?: Unasked): Services {
    const { embedder, model, judge } = this.services;
    const recorder = new Recorder(this, unasked);
    return {
      embedder: embedder && recorder.embedder(embedder),
      model: model && recorder.model(model),
      judge: judge && recorder.judge(judge),
    };
  }
}

/** Puts a recording in front of services. */
class Recorder {
  constructor(
    readonly recording: Recording,
    readonly unasked: Unasked | undefined,
  ) {}

  embedder(embedder: Embedder): Embedder {
    const { vectors } = this.recording;
    return {
      ...identityOf(embedder),
      embed: async (texts, { queryIndex, signal }) => {
        const keys = texts.map((text, at) => `${at === queryIndex ? 'query' : 'document'} ${text}`);
        const unknown = [...texts.keys()].filter((at) => !vectors.has(keys[at] as string));
        if (unknown.length > 0) {
          this.#checkMayAsk('embed', unknown.length);
          const asked = Object.freeze(unknown.map((at) => texts[at] as string));
          const query = queryIndex === undefined ? -1 : unknown.indexOf(queryIndex);
          const call = defined({ queryIndex: query < 0 ? undefined : query, signal });
          const found = await this.#recordingFailure('embed', signal, () => embedder.embed(asked, call));
          // An answer that is malformed goes on as it is, to the check of the answers. It is none, not even in part: a
          // full run, which asks for all texts at once, fails with the same words.
          if (!areVectors(found, asked.length)) {
            this.recording.failures.set('embed', 'The answer was malformed.');
            if (!Array.isArray(found) || found.length !== asked.length) return found;
            const given = new Map(unknown.map((at, place) => [keys[at], found[place] as ArrayLike<number>]));
            return keys.map((key) => vectors.get(key) ?? (given.get(key) as ArrayLike<number>));
          }
          for (const [at, vector] of found.entries())
            vectors.set(keys[unknown[at] as number] as string, vector);
        }
        return keys.map((key) => vectors.get(key) as ArrayLike<number>);
      },
    };
  }

  model(model: LogprobModel): LogprobModel {
    return {
      ...identityOf(model),
      ...defined({ scoresGivenText: model.scoresGivenText }),
      identify: this.#identity('model', model),
      score: this.#each<ScoreRequest, ScoredText>('score', (asked, call) => model.score(asked, call)),
      nextTokens: this.#each<string, readonly TokenProbability[]>('nextTokens', (asked, call) =>
        model.nextTokens(asked, call),
      ),
    };
  }

  judge(judge: Judge): Judge {
    return {
      ...identityOf(judge),
      identify: this.#identity('judge', judge),
      judge: this.#each<JudgeRequest, Judgement>('judge', (asked, call) => judge.judge(asked, call)),
    };
  }

  #identity(kind: keyof Services, service: Pick<Judge, 'identify'>): Judge['identify'] {
    const key = `identify ${kind}`;
    const { answers } = this.recording;
    return async (call) => {
      if (!answers.has(key)) {
        this.#checkMayAsk(key, 1);
        answers.set(key, await this.#recordingFailure(key, call?.signal, () => service.identify(call)));
      }
      return answers.get(key) as string;
    };
  }

  #each<Request, Result>(
    method: 'score' | 'nextTokens' | 'judge',
    ask: (requests: readonly Request[], call?: ModelCall) => Promise<Answers<Result>>,
  ): typeof ask {
    const { answers, failures } = this.recording;
    return async (requests, call) => {
      const keys = requests.map((request) => `${method} ${JSON.stringify(request)}`);
      const results = keys.map((key) => answers.get(key) as Result | Failed);
      const unknown = [...keys.keys()].filter((place) => !answers.has(keys[place] as string));
      if (unknown.length === 0) return { results, usage: { requests: 0 } };
      if (this.unasked !== undefined && unknown.every((place) => failures.has(keys[place] as string))) {
        for (const place of unknown) results[place] = failures.get(keys[place] as string) as Failed;
        return { results, usage: { requests: 0 } };
      }
      this.#checkMayAsk(method, unknown.length);
      const asked = Object.freeze(unknown.map((place) => requests[place] as Request));
      const answer = await this.#recordingFailure(method, call?.signal, () => ask(asked, call));
      // An answer that is malformed goes on as it is, to the check of the answers.
      if (!Array.isArray(answer?.results) || answer.results.length !== unknown.length) return answer;
      for (const [at, result] of answer.results.entries()) {
        const place = unknown[at] as number;
        const key = keys[place] as string;
        results[place] = result;
        if (isFailed(result)) failures.set(key, result);
        else answers.set(key, result);
      }
      return { results, usage: answer.usage };
    };
  }

  /** Records the error of a call that fails or is too late. */
  async #recordingFailure<T>(
    method: string,
    signal: AbortSignal | undefined,
    ask: () => Promise<T>,
  ): Promise<T> {
    const { failures } = this.recording;
    try {
      const answer = await orAborted(ask(), signal);
      failures.delete(method);
      return answer;
    } catch (error) {
      failures.set(method, error);
      throw error;
    }
  }

  #checkMayAsk(method: string, questions: number): void {
    if (this.unasked === undefined) return;
    const { failures } = this.recording;
    if (failures.has(method)) throw failures.get(method);
    this.unasked.count += questions;
    throw toldError('The answer of the service was not recorded.');
  }
}

const isFailed = (result: unknown): result is Failed | null | undefined =>
  typeof result !== 'object' || result === null || typeof (result as Partial<Failed>).failure === 'string';

const identityOf = ({ specificationVersion, provider, modelId }: PortIdentity) =>
  defined({ specificationVersion, provider, modelId });
