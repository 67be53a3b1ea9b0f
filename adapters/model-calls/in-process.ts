/// <reference lib="esnext.disposable" preserve="true" />
/** Language models in this process: one call at a time, one request after another. */
import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../src/index.js';
import { rethrowControlFlow } from '../../src/internal.js';
import type { Turns } from './concurrency.js';
import { continuationStart, type TokenLogprob, Transcript } from './tokens.js';

/** A model whose weights are in the memory of this process. */
export interface InMemory {
  /** Frees the memory once earlier calls have ended. The model cannot be used afterwards. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Both names of the method that frees the memory. */
export const freedBy = (dispose: () => Promise<void>): InMemory => ({
  dispose,
  [Symbol.asyncDispose]: dispose,
});

/** The probabilities of the token at one position. */
export interface NextToken {
  logprobOf(id: number): number;
  /** The most probable tokens, best first; equally probable ones by their numbers. */
  top(count: number): readonly TokenLogprob[];
}

/** The differences between engines: tokens, and the memory of the tokens that were run last. */
export interface TokenEngine {
  /** The largest number of tokens of a prompt and its continuation. */
  readonly contextLength: number;
  /** The number of these that the engine must keep free while it generates. */
  readonly reserve: number;
  /** The tokens of a prompt and its continuation. */
  encode(prompt: string, continuation?: string): number[];
  /** The bytes that a token adds to a text; none for control tokens. */
  pieceOf(id: number): Uint8Array;
  /** Whether the token ends a generated text. */
  isEnd(id: number): boolean;
  /** Forgets all tokens. */
  clear(): void | Promise<void>;
  /**
   * Keeps the common start of these tokens and those in the memory, and forgets the rest.
   *
   * @returns the number of kept tokens, at most `most`.
   */
  keep(tokens: number[], most: number): number | Promise<number>;
  /**
   * Runs the tokens from number `kept` on.
   *
   * @param followers the tokens whose probabilities are asked for after each of the last tokens; undefined where only the
   *   most probable ones are.
   * @param top how many of the most probable tokens are asked for. With 0, the most probable one must be there too.
   */
  run(
    tokens: readonly number[],
    kept: number,
    followers: readonly (number | undefined)[],
    top: number,
  ): Promise<readonly NextToken[]>;
}

const EMPTY_PROMPT: Failed = {
  failure: 'The prompt is empty, and the model has no token that begins a text.',
};

/**
 * The methods `score` and `generate` of a model. Concurrent calls run one at a time, since they could not share the
 * memory. Each call begins with an empty memory, so its answers do not depend on earlier calls.
 *
 * @param failed makes the error to throw from an error of the engine. Aborts and interrupts are rethrown as they are.
 */
export function inProcess(
  engine: TokenEngine,
  inTurn: Turns,
  failed: (cause: unknown) => unknown = (cause) => cause,
): Pick<LogprobModel, 'score' | 'generate'> {
  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: InProcessCall, request: Request) => Promise<Result | Failed>,
  ) =>
    inTurn(async () => {
      try {
        await engine.clear();
        const run = new InProcessCall(engine, call);
        const results: (Result | Failed)[] = [];
        for (const request of requests) results.push(await answer(run, request));
        const { tokens, cachedTokens } = run;
        return { results, usage: { requests: requests.length, tokens, cachedTokens } };
      } catch (cause) {
        rethrowControlFlow(cause, call.signal);
        throw failed(cause);
      }
    }, call.signal);
  return {
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    generate: (requests, call = {}) => answers(requests, call, (run, request) => run.generate(request)),
  };
}

/** Answers the requests of one call, and counts their tokens. */
class InProcessCall {
  tokens = 0;
  cachedTokens = 0;

  constructor(
    readonly engine: TokenEngine,
    readonly call: ModelCall,
  ) {}

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const { engine } = this;
    const all = engine.encode(prompt, continuation);
    const start = continuationStart(all, engine.encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (start === 0) return EMPTY_PROMPT;
    const { contextLength } = engine;
    if (all.length > contextLength) return tooLong('prompt and its continuation have', all, contextLength);
    const kept = await engine.keep(all, start - 1);
    this.cachedTokens += kept;
    this.tokens += all.length;
    const transcript = this.#transcript();
    const scored = all.slice(start);
    // The last token has no follower, so the engine does not run it.
    const found = await this.#run(all.slice(0, -1), kept, scored);
    for (const [at, next] of found.entries()) {
      const id = scored[at] as number;
      transcript.add([id, next.logprobOf(id)], this.#top(next));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const { engine } = this;
    const all = engine.encode(prompt);
    const { length } = all;
    if (length === 0) return EMPTY_PROMPT;
    const most = engine.contextLength - engine.reserve;
    const transcript = this.#transcript();
    while (all.length < length + maxTokens && !transcript.holds(stop)) {
      if (all.length > most) return tooLong('prompt and the text so far have', all, most);
      // Engines that cannot keep their memory run all tokens so far again.
      const kept = await engine.keep(all, all.length - 1);
      if (all.length === length) this.cachedTokens += kept;
      const [next] = (await this.#run(all, kept, [undefined])) as [NextToken];
      const [best] = next.top(1) as [TokenLogprob];
      if (engine.isEnd(best[0])) break;
      transcript.add(best, this.#top(next));
      all.push(best[0]);
    }
    this.tokens += all.length;
    return transcript.upTo(stop);
  }

  #run(tokens: readonly number[], kept: number, followers: readonly (number | undefined)[]) {
    const { signal, topLogprobs = 0 } = this.call;
    signal?.throwIfAborted();
    return this.engine.run(tokens, kept, followers, topLogprobs);
  }

  #transcript(): Transcript {
    return new Transcript((id) => this.engine.pieceOf(id));
  }

  #top(next: NextToken): readonly TokenLogprob[] | undefined {
    const { topLogprobs = 0 } = this.call;
    return topLogprobs >= 1 ? next.top(topLogprobs) : undefined;
  }
}

/** The failure of a text that the context of the model cannot hold. */
function tooLong(what: string, { length }: { length: number }, most: number): Failed {
  return { failure: `The ${what} ${length} tokens; the context holds ${most}.` };
}
