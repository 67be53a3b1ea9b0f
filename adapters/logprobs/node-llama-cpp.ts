/**
 * llama.cpp in this process, through node-llama-cpp. Its types are declared here, since the package may not be installed.
 *
 * Log-probabilities from logits x, over the whole vocabulary, in nats:
 *
 *   ln p(t) = x(t) − max x − ln Σ exp(x − max x)
 */
import * as z from 'zod';
import {
  ContextShapingError,
  type Failed,
  type GeneratedText,
  type GenerateRequest,
  type LogprobModel,
  type ModelCall,
  type ScoredText,
  type ScoreRequest,
} from '../../src/index.js';
import {
  importOptional,
  invalidInput,
  messageOf,
  orAborted,
  parseOptions,
  rethrowControlFlow,
} from '../../src/internal.js';
import { freedBy, type InMemory, invalidOption, serviceError, turns } from '../model-calls/index.js';
import { bytesOfName, continuationStart, type Piece, Transcript } from './tokens.js';

/** The fields and methods that this package uses of node-llama-cpp's `LlamaModel`. */
export interface LlamaModelLike {
  readonly llama: {
    /** The number of processor cores that are useful for arithmetic. */
    readonly cpuMathCores: number;
  };
  readonly tokens: { readonly bos: number | null; readonly shouldPrependBosToken: boolean };
  readonly fileInfo: {
    /** The files of the model: large models have several. */
    readonly sourceData: readonly { readonly type: string; readonly path?: string }[];
    readonly metadata: {
      readonly tokenizer: { readonly ggml: { readonly model: string; readonly tokens: readonly string[] } };
    };
  };
  tokenize(text: string, parseSpecial: boolean): number[];
  getTokenAttributes(token: number): {
    readonly control: boolean;
    readonly unknown: boolean;
    readonly userDefined: boolean;
  };
  /** Whether the token ends the generated text. */
  isEogToken(token: number | undefined): boolean;
  createContext(options: ContextOptions): Promise<LlamaContext>;
}

interface ContextOptions {
  contextSize: number | { max: number };
  threads: number;
  experimentalKvCacheKeyType?: 'F32';
  experimentalKvCacheValueType?: 'F32';
  flashAttention?: false;
}

interface LlamaContext {
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
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
interface Evaluated {
  next: { logits: ReadonlyMap<number, number>; totalLogitWeight: number };
}

type Gpu = 'auto' | 'metal' | 'cuda' | 'vulkan' | false;

interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModelLike>;
  dispose(): Promise<void>;
}

interface Package {
  getLlama(options: { gpu: Gpu; build: 'never'; skipDownload: true; logLevel: 'error' }): Promise<Llama>;
  NoBinaryFoundError: new () => Error;
}

/** Tokens. Enough for passages and a question; the full context of a model may take too much memory. */
const LARGEST_CONTEXT = 8192;

const optionsSchema = z.strictObject({
  modelPath: z.string().min(1).optional(),
  model: z
    .custom<LlamaModelLike>(
      (model) => typeof (model as LlamaModelLike | null)?.createContext === 'function',
      'must be a LlamaModel of node-llama-cpp',
    )
    .optional(),
  gpu: z.union([z.enum(['auto', 'metal', 'cuda', 'vulkan']), z.literal(false)]).default('auto'),
  contextSize: z.int().min(2).optional(),
  threads: z.int().min(1).optional(),
  cachePrecision: z.enum(['F16', 'F32']).default('F16'),
  parseSpecial: z.boolean().default(false),
});

export interface NodeLlamaCppOptions {
  /** The path of a GGUF file; the first file, if the model has several. Give either this or `model`. */
  modelPath?: string | undefined;
  /** A loaded `LlamaModel`. You own it: `dispose` does not free it. */
  model?: LlamaModelLike | undefined;
  /** The device for a model of `modelPath`. Default `'auto'`: the best device whose binary is installed. */
  gpu?: Gpu | undefined;
  /**
   * The largest number of tokens of a prompt and its continuation. Default: the context length of the model, at most
   * 8,192.
   */
  contextSize?: number | undefined;
  /**
   * The largest number of threads for arithmetic. Default: the number of useful cores minus one. Threads wait for each
   * other in busy loops, so on a machine with other work fewer threads are faster.
   */
  threads?: number | undefined;
  /**
   * The precision of the cache of prompts. In our measurement with one model, log-probabilities of tokens were off by
   * at most .008 nats with `'F16'` and .0013 with `'F32'`. `'F32'` takes twice the memory and turns off flash
   * attention. Default `'F16'`: differences that matter are tenths of nats.
   */
  cachePrecision?: 'F16' | 'F32' | undefined;
  /**
   * Whether control tokens in a prompt, such as those of a chat template, are read as such. If so, passages can
   * contain control tokens, too. The token that begins every text is added in any case. Default `false`.
   */
  parseSpecial?: boolean | undefined;
}

export interface InProcessModel extends LogprobModel, InMemory {}

/**
 * A language model in this process: llama.cpp through the optional package `node-llama-cpp` (3.22 or later). Prompts
 * get the token that begins every text, if the model expects one.
 *
 * Concurrent calls run one at a time. Within a call, the common start of a prompt and the prompt before it is not
 * computed again. A new call starts with an empty memory, so its answers do not depend on earlier calls.
 *
 * @throws ContextShapingError `missing-dependency`, with the packages to install; `invalid-input`, if the file does not
 *   exist or the engine cannot load it; `invalid-options`.
 */
export async function nodeLlamaCpp(options: NodeLlamaCppOptions): Promise<InProcessModel> {
  const parsed = parseOptions(optionsSchema, options);
  const { model, free } = await openModel(parsed);
  const context = await model
    .createContext({
      contextSize: parsed.contextSize ?? { max: LARGEST_CONTEXT },
      // The engine's own default is at least four. On two busy cores four threads took 365 s, two 10 s and one 1.6 s.
      threads: parsed.threads ?? Math.max(1, model.llama.cpuMathCores - 1),
      ...(parsed.cachePrecision === 'F32' ? EXACT : {}),
    })
    .catch(async (cause) => {
      await free();
      throw failed('cannot create a context', cause);
    });
  const inTurn = turns();
  const sequence = context.getSequence();
  let name: Promise<string> | undefined;

  /** Each call begins with an empty memory, so its answers do not depend on earlier calls. */
  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: Run, request: Request) => Promise<Result | Failed>,
  ) =>
    inTurn(async () => {
      try {
        await sequence.clearHistory();
        const run = new Run(model, sequence, parsed.parseSpecial, call);
        const results: (Result | Failed)[] = [];
        for (const request of requests) results.push(await answer(run, request));
        const { tokens, cachedTokens } = run;
        return { results, usage: { requests: requests.length, tokens, cachedTokens } };
      } catch (cause) {
        rethrowControlFlow(cause, call.signal);
        throw failed('cannot evaluate', cause);
      }
    }, call.signal);

  return {
    specificationVersion: 'v1',
    provider: 'node-llama-cpp',
    ...(parsed.modelPath === undefined ? {} : { modelId: parsed.modelPath.replace(/^.*[/\\]/, '') }),
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      name ??= identityOf(model).catch((error) => {
        // A file that cannot be read now may be readable later.
        name = undefined;
        throw error;
      });
      return orAborted(name, signal);
    },
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    generate: (requests, call = {}) => answers(requests, call, (run, request) => run.generate(request)),
    ...freedBy(() =>
      inTurn(async () => {
        await context.dispose();
        await free();
      }),
    ),
  };
}

/** Flash attention computes in half precision, at any precision of the cache. */
const EXACT = {
  experimentalKvCacheKeyType: 'F32',
  experimentalKvCacheValueType: 'F32',
  flashAttention: false,
} as const;

function failed(is: string, cause: unknown): ContextShapingError {
  return serviceError(
    'node-llama-cpp',
    messageOf(cause),
    is,
    'Give a smaller contextSize if memory is short, and do not use a model after dispose().',
    cause,
  );
}

/** The given model, which `free` leaves alone, or the model of the given file. */
async function openModel({
  modelPath,
  model,
  gpu,
}: z.output<typeof optionsSchema>): Promise<{ model: LlamaModelLike; free(): Promise<void> }> {
  if (model !== undefined && modelPath === undefined) return { model, free: async () => {} };
  if (model !== undefined || modelPath === undefined) {
    throw invalidOption(
      'modelPath',
      modelPath,
      model === undefined ? 'is missing' : 'cannot be given together with model',
      'Give either modelPath or model.',
    );
  }
  const llama = await loadEngine(gpu);
  const free = () => llama.dispose();
  try {
    return { model: await llama.loadModel({ modelPath }), free };
  } catch (cause) {
    await free();
    const { code } = cause as NodeJS.ErrnoException;
    throw invalidInput(
      modelPath,
      messageOf(cause),
      code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be loaded',
      'Give the path of a GGUF file that llama.cpp can run and that fits into memory.',
      cause,
    );
  }
}

/**
 * A digest of the model's file, or of its files in order.
 *
 * @throws ContextShapingError `service`, naming the file that can no longer be read.
 */
async function identityOf({ fileInfo }: LlamaModelLike): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const digest = createHash('sha256');
  for (const { path } of fileInfo.sourceData) {
    try {
      // The engine loads models only from files, so there is a path.
      for await (const bytes of createReadStream(path as string)) digest.update(bytes);
    } catch (cause) {
      throw serviceError(
        path ?? 'model',
        messageOf(cause),
        'cannot be read to identify the model',
        'Leave the file in the place from which the model was loaded.',
        cause,
      );
    }
  }
  return `gguf:sha256:${digest.digest('hex')}`;
}

/** Typed as `string`, so that compilers and bundlers do not resolve the package. */
const PACKAGE: string = 'node-llama-cpp';

/**
 * Loads the engine. Nothing is built or downloaded.
 *
 * @throws ContextShapingError `missing-dependency`, if the package or its binary for this machine is not installed.
 */
async function loadEngine(gpu: Gpu): Promise<Llama> {
  // Without these flags npm installs 725 MB, for all kinds of graphics cards, or compiles for ten minutes.
  const install = `npm install ${PACKAGE} ${binary(gpu)} --omit=optional --ignore-scripts`;
  const engine = await importOptional(importPackage, 'nodeLlamaCpp', install);
  try {
    return await engine.getLlama({ gpu, build: 'never', skipDownload: true, logLevel: 'error' });
  } catch (cause) {
    if (!(cause instanceof engine.NoBinaryFoundError)) throw cause;
    throw new ContextShapingError('missing-dependency', {
      field: binary(gpu),
      value: messageOf(cause),
      is: 'is not installed, or does not run on this machine',
      remedy: `Run: ${install}`,
      cause,
    });
  }
}

async function importPackage(): Promise<Package> {
  try {
    return await import(PACKAGE);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_REQUIRE_ASYNC_MODULE') throw cause;
    // In CommonJS the compiler turned `import()` into `require()`, which cannot load a module with a top-level await.
    // It does not change this text.
    return new Function('name', 'return import(name)')(PACKAGE);
  }
}

/** The package with the binary for this machine. */
function binary(gpu: Gpu): string {
  const { platform, arch } = process;
  const system = platform === 'darwin' ? 'mac' : platform === 'win32' ? 'win' : platform;
  const processor = arch === 'arm' ? 'armv7l' : arch;
  const card = system === 'mac' && arch === 'arm64' ? 'metal' : gpu === 'auto' ? false : gpu;
  return `@node-llama-cpp/${system}-${processor}${card === false ? '' : `-${card}`}`;
}

const EMPTY_PROMPT: Failed = {
  failure: 'The prompt is empty, and the model has no token that begins a text.',
};

/** The probabilities of the token at one position. */
interface NextToken {
  pieceOf(id: number): Piece;
  /** The most probable tokens, best first; equally probable ones by their numbers. */
  top(count: number): Piece[];
}

/** Answers the requests of one call in one sequence of the engine's memory, and counts their tokens. */
class Run {
  tokens = 0;
  cachedTokens = 0;

  constructor(
    readonly model: LlamaModelLike,
    readonly sequence: LlamaSequence,
    readonly parseSpecial: boolean,
    readonly call: ModelCall,
  ) {}

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const all = this.#encode(prompt + continuation);
    const start = continuationStart(all, this.#encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (start === 0) return EMPTY_PROMPT;
    const { contextSize } = this.sequence;
    if (all.length > contextSize) return tooLong('prompt and its continuation have', all, contextSize);
    const transcript = new Transcript();
    const scored = all.slice(start);
    // The last token has no follower, so the engine does not run it.
    const { kept, found } = await this.#evaluate(all.slice(0, -1), scored);
    this.cachedTokens += kept;
    this.tokens += all.length;
    for (const [at, next] of found.entries()) {
      transcript.add(next.pieceOf(scored[at] as number), this.#top(next));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const all = this.#encode(prompt);
    const { length } = all;
    if (length === 0) return EMPTY_PROMPT;
    // To get a free position, the engine would silently drop the start of the text.
    const most = this.sequence.contextSize - 1;
    const transcript = new Transcript();
    while (all.length < length + maxTokens && !transcript.holds(stop)) {
      if (all.length > most) return tooLong('prompt and the text so far have', all, most);
      const { kept, found } = await this.#evaluate(all, [undefined]);
      if (all.length === length) this.cachedTokens += kept;
      const [next] = found as [NextToken];
      const [best] = next.top(1) as [Piece & { id: number }];
      if (this.model.isEogToken(best.id)) break;
      transcript.add(best, this.#top(next));
      all.push(best.id);
    }
    this.tokens += all.length;
    return transcript.upTo(stop);
  }

  #encode(text: string): number[] {
    const { bos, shouldPrependBosToken } = this.model.tokens;
    const tokens = this.model.tokenize(text, this.parseSpecial);
    return shouldPrependBosToken && bos !== null ? [bos, ...tokens] : tokens;
  }

  /**
   * Runs the tokens that are not in the memory yet.
   *
   * @param followers the tokens whose probabilities are asked for after each of the last tokens; undefined where only the
   *   most probable one is.
   */
  async #evaluate(
    tokens: number[],
    followers: readonly (number | undefined)[],
  ): Promise<{ kept: number; found: NextToken[] }> {
    const { signal, topLogprobs = 0 } = this.call;
    signal?.throwIfAborted();
    const { sequence } = this;
    const silent = tokens.length - followers.length;
    const kept = Math.min(sequence.compareContextTokens(tokens).firstDifferentIndex, silent);
    const end = sequence.nextTokenIndex;
    if (kept < end) await sequence.eraseContextTokenRanges([{ start: kept, end }]);
    // `includeMax` does not return the largest logit: the engine adds it only if it is there already. The greedily
    // selected token has the largest logit, too, and spares the engine a sort: 2 ms instead of 11 for 131,072 tokens.
    const largest = topLogprobs >= 1 ? { includeTop: topLogprobs } : { includeSelected: true };
    const evaluated = await sequence.controlledEvaluate(
      tokens.slice(kept).map((token, nth) => {
        const index = kept + nth;
        if (index < silent) return token;
        const filter = { tokens: [followers[index - silent] ?? []].flat(), ...largest };
        return [token, { generateNext: { logits: { filter }, totalLogitWeight: true } }];
      }),
    );
    return { kept, found: evaluated.slice(silent - kept).map((each) => this.#nextToken(each as Evaluated)) };
  }

  #nextToken({ next: { logits, totalLogitWeight } }: Evaluated): NextToken {
    const sorted = Array.from(logits).sort(([a, one], [b, other]) => other - one || a - b);
    const [, largest] = sorted[0] as (typeof sorted)[0];
    const pieceOf = (id: number): Piece => ({
      id,
      bytes: this.#bytesOf(id),
      logprob: (logits.get(id) as number) - largest - Math.log(totalLogitWeight),
    });
    return { pieceOf, top: (count) => sorted.slice(0, count).map(([id]) => pieceOf(id)) };
  }

  #top(next: NextToken): Piece[] | undefined {
    const { topLogprobs = 0 } = this.call;
    return topLogprobs >= 1 ? next.top(topLogprobs) : undefined;
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
const tooLong = (what: string, { length }: { length: number }, most: number): Failed => ({
  failure: `The ${what} ${length} tokens; the context holds ${most}.`,
});
