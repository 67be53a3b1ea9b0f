/// <reference lib="esnext.disposable" preserve="true" />
/**
 * llama.cpp in this process, through a model of node-llama-cpp. Its types are declared here, since the package may not be
 * installed.
 *
 * Log-probabilities from logits x, over the whole vocabulary, in nats:
 *
 *   ln p(t) = x(t) − max x − ln Σ exp(x − max x)
 */
import * as z from 'zod';
import type {
  ContextShapingError,
  Failed,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoreRequest,
  TokenProbability,
} from '../../src/index.js';
import { messageOf, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import { serviceError, turns } from '../model-calls/index.js';
import {
  alternativesOf,
  bytesOfName,
  continuationStart,
  EMPTY_PROMPT,
  LISTED,
  type Piece,
  tokensOf,
} from './tokens.js';

/** The fields and methods that this package uses of node-llama-cpp's `LlamaModel`. */
export interface LlamaModelLike {
  /** `cpuMathCores`: the number of processor cores that are useful for arithmetic. */
  readonly llama: { readonly cpuMathCores: number };
  readonly tokens: { readonly bos: number | null; readonly shouldPrependBosToken: boolean };
  readonly filename?: string | undefined;
  /** Bytes of the weights. */
  readonly size: number;
  /** Architecture, number of weights and their format. */
  readonly typeDescription: string;
  readonly fileInfo: {
    readonly metadata: {
      readonly tokenizer: { readonly ggml: { readonly model: string; readonly tokens: readonly string[] } };
    };
  };
  tokenize(text: string, parseSpecial: boolean): number[];
  getTokenAttributes(token: number): Readonly<Record<'control' | 'unknown' | 'userDefined', boolean>>;
  createContext(options: {
    contextSize: number | { max: number };
    threads: number;
  }): Promise<{ getSequence(): LlamaSequence; dispose(): Promise<void> }>;
}

interface LlamaSequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  compareContextTokens(tokens: number[]): { firstDifferentIndex: number };
  eraseContextTokenRanges(ranges: { start: number; end: number }[]): Promise<void>;
  clearHistory(): Promise<void>;
  /** Returns an answer for each token whose options ask for one. */
  controlledEvaluate(input: (number | [token: number, options: object])[]): Promise<unknown[]>;
}

/** The prediction after a token: some logits, and Σ exp(x − max x) over all tokens. */
type Evaluated = Record<'next', { logits: ReadonlyMap<number, number>; totalLogitWeight: number }>;

/** Tokens. Enough for passages and a question; the full context of a model may take too much memory. */
const LARGEST_CONTEXT = 8192;

const optionsSchema = z.strictObject({
  model: z.custom<LlamaModelLike>(
    (model) => typeof (model as LlamaModelLike | null)?.createContext === 'function',
    'must be a LlamaModel of node-llama-cpp',
  ),
});

export interface NodeLlamaCppOptions {
  /** A `LlamaModel` that you loaded. You own it: `dispose` frees the memory of the prompts alone. */
  model: LlamaModelLike;
}

export interface InProcessModel extends LogprobModel {
  /** Frees the memory of the prompts once earlier calls have ended. The model cannot be used afterwards. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A language model in this process: llama.cpp, by a model that `node-llama-cpp` (3.22 or later) loaded. A prompt and its
 * continuation may have as many tokens as the model takes, at most 8,192. Prompts get the token that begins every text,
 * if the model expects one; control tokens in them are read as text. `maxThreads` of `getLlama` bounds the threads.
 *
 * Concurrent calls run one at a time. Within a call, the common start of a prompt and the prompt before it is not
 * computed again. A new call starts with an empty memory, so its answers do not depend on earlier calls.
 *
 * Its identity is the name of the file, its size and its type.
 *
 * @throws ContextShapingError `invalid-options`; `service`, if there is no memory for the prompts.
 */
export async function nodeLlamaCpp(options: NodeLlamaCppOptions): Promise<InProcessModel> {
  const { model } = parseOptions(optionsSchema, options);
  // The engine's own default is at least four. On two busy cores four threads took 365 s, two 10 s and one 1.6 s.
  const threads = Math.max(1, model.llama.cpuMathCores - 1);
  const context = await model
    .createContext({ contextSize: { max: LARGEST_CONTEXT }, threads })
    .catch((cause) => {
      throw failed('cannot create a context', cause);
    });
  const inTurn = turns();
  const sequence = context.getSequence();
  const dispose = () => inTurn(() => context.dispose());

  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: Run, request: Request) => Promise<Result | Failed>,
  ) =>
    inTurn(async () => {
      try {
        await sequence.clearHistory();
        const run = new Run(model, sequence, call);
        const results: (Result | Failed)[] = [];
        for (const request of requests) results.push(await answer(run, request));
        return { results, usage: { ...run.usage, requests: requests.length } };
      } catch (cause) {
        rethrowControlFlow(cause, call.signal);
        throw failed('cannot evaluate', cause);
      }
    }, call.signal);

  return {
    specificationVersion: 'v1',
    provider: 'node-llama-cpp',
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return `gguf:${model.filename}:${model.size}:${model.typeDescription}`;
    },
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    nextTokens: (prompts, call = {}) => answers(prompts, call, (run, prompt) => run.nextTokens(prompt)),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function failed(is: string, cause: unknown): ContextShapingError {
  const remedy = 'Load a smaller model if memory is short, and do not use a model after dispose().';
  return serviceError('node-llama-cpp', messageOf(cause), is, remedy, cause);
}

/** Answers the requests of one call in one sequence of the engine's memory, and counts their tokens. */
class Run {
  readonly usage = { tokens: 0, cachedTokens: 0 };

  constructor(
    readonly model: LlamaModelLike,
    readonly sequence: LlamaSequence,
    readonly call: ModelCall,
  ) {}

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const all = this.#encode(prompt + continuation);
    const start = continuationStart(all, this.#encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (start === 0) return EMPTY_PROMPT;
    if (all.length > this.sequence.contextSize) return tooLong(all.length, this.sequence.contextSize);
    // The last token has no follower: the engine does not run it, but it is a token of the request.
    const predicted = await this.#evaluate(all.slice(0, -1), all.slice(start));
    this.usage.tokens += 1;
    const tokens = tokensOf(predicted.flat());
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async nextTokens(prompt: string): Promise<readonly TokenProbability[] | Failed> {
    const all = this.#encode(prompt);
    if (all.length === 0) return EMPTY_PROMPT;
    // To get a free position, the engine would silently drop the start of the text.
    const most = this.sequence.contextSize - 1;
    if (all.length > most) return tooLong(all.length, most);
    const [listed = []] = await this.#evaluate(all, [undefined]);
    return alternativesOf(listed);
  }

  #encode(text: string): number[] {
    const { bos, shouldPrependBosToken } = this.model.tokens;
    const tokens = this.model.tokenize(text, false);
    return shouldPrependBosToken && bos !== null ? [bos, ...tokens] : tokens;
  }

  /**
   * Runs the tokens that are not in the memory yet.
   *
   * @param followers the token whose probability is asked for after each of the last tokens; undefined asks for the most
   *   probable ones, best first.
   */
  async #evaluate(tokens: number[], followers: readonly (number | undefined)[]): Promise<Piece[][]> {
    this.call.signal?.throwIfAborted();
    const { sequence } = this;
    const silent = tokens.length - followers.length;
    const kept = Math.min(sequence.compareContextTokens(tokens).firstDifferentIndex, silent);
    const end = sequence.nextTokenIndex;
    if (kept < end) await sequence.eraseContextTokenRanges([{ start: kept, end }]);
    // `includeMax` does not return the largest logit: the engine adds it only if it is there already. The greedily
    // selected token has the largest logit, too, and spares the engine a sort: 2 ms instead of 11 for 131,072 tokens.
    const evaluated = await sequence.controlledEvaluate(
      tokens.slice(kept).map((token, nth) => {
        const index = kept + nth;
        if (index < silent) return token;
        const follower = followers[index - silent];
        const filter =
          follower === undefined ? { includeTop: LISTED } : { tokens: [follower], includeSelected: true };
        return [token, { generateNext: { logits: { filter }, totalLogitWeight: true } }];
      }),
    );
    this.usage.cachedTokens += kept;
    this.usage.tokens += tokens.length;
    return followers.map((follower, nth) => {
      const { next } = evaluated[silent - kept + nth] as Evaluated;
      // Best first; equally probable ones by their numbers.
      const sorted = Array.from(next.logits).sort(([a, one], [b, other]) => other - one || a - b);
      const [, largest] = sorted[0] as [number, number];
      const asked = follower === undefined ? sorted.slice(0, LISTED).map(([id]) => id) : [follower];
      return asked.map((id) => ({
        id,
        bytes: this.#bytesOf(id),
        logprob: (next.logits.get(id) as number) - largest - Math.log(next.totalLogitWeight),
      }));
    });
  }

  /**
   * The bytes that a token adds to a text, read from the vocabulary: the engine's own `detokenize` leaves out spaces
   * before punctuation, and bytes that are not a whole character.
   */
  #bytesOf(token: number): Uint8Array {
    const { model: kind, tokens } = this.model.fileInfo.metadata.tokenizer.ggml;
    const { control, unknown, userDefined } = this.model.getTokenAttributes(token);
    if (control || unknown) return new Uint8Array();
    const name = tokens[token] as string;
    return userDefined ? new TextEncoder().encode(name) : bytesOfName(name, kind === 'gpt2');
  }
}

/** The failure of a text that the context of the model cannot hold. */
const tooLong = (length: number, most: number): Failed => ({
  failure: `The text has ${length} tokens; the context holds ${most}.`,
});
