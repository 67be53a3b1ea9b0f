/// <reference lib="esnext.disposable" preserve="true" />
import * as z from 'zod';
import {
  type Answers,
  ContextShapingError,
  type Failed,
  type LogprobModel,
  type ModelCall,
} from '../../src/index.js';
import { messageOf, orAborted, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import type { Gpu, LlamaModelLike } from './node-llama-cpp/engine.js';
import { identityOf, openModel } from './node-llama-cpp/model.js';
import { Run } from './node-llama-cpp/run.js';
import { turns } from './turns.js';

export type { LlamaModelLike } from './node-llama-cpp/engine.js';

/** Enough for passages and a question; the memory for what a model can look at at most may be too much. */
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
  /** A GGUF file; of one that comes in parts, the first. Either this or `model`. */
  modelPath?: string | undefined;
  /** A `LlamaModel` that is loaded already. It stays yours: `dispose` leaves it alone. */
  model?: LlamaModelLike | undefined;
  /** What computes, for a model of `modelPath`. Default `'auto'`: the best whose binary is installed. */
  gpu?: Gpu | undefined;
  /** The most tokens of a prompt and its continuation. Default: as many as the model looks at, at most 8,192. */
  contextSize?: number | undefined;
  /**
   * The most threads that compute. Default: one for each core that is useful for it, but one core is left to
   * others. Threads wait for each other busily, so where the machine has other things to do, fewer are faster.
   */
  threads?: number | undefined;
  /**
   * How exactly what was read is remembered. On the model it was measured on, logarithms of tokens are at most
   * .008 nats off with `'F16'` and .0013 with `'F32'`, which takes twice the memory and does without flash
   * attention. Default `'F16'`: what matters are differences of tenths.
   */
  cachePrecision?: 'F16' | 'F32' | undefined;
  /**
   * Do prompts bring control tokens, such as those of a chat template, as text? Then passages can smuggle in
   * such tokens as well. The one that begins every text is added in any case. Default `false`.
   */
  parseSpecial?: boolean | undefined;
}

export interface InProcessModel extends LogprobModel {
  /** Frees the memory, after calls that were begun before. Nothing can be asked afterwards. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A language model in this process, by llama.cpp, through the optional package `node-llama-cpp` (3.22 or later).
 * Prompts get the token that begins every text, if the model wants one.
 *
 * Calls at the same time take turns. What a prompt begins with in common with the one before is not computed
 * again within a call; a new call begins anew, so that its answers do not depend on what was asked before.
 *
 * @throws ContextShapingError `missing-dependency`, saying what to install; `invalid-input`, if there is no such
 *   file or the engine cannot load it; `invalid-options`.
 */
export async function nodeLlamaCpp(options: NodeLlamaCppOptions): Promise<InProcessModel> {
  const parsed = parseOptions(optionsSchema, options);
  const { model, free } = await openModel(parsed);
  const context = await model
    .createContext({
      contextSize: parsed.contextSize ?? { max: LARGEST_CONTEXT },
      // The engine's own default is four at least. On two busy cores four took 365 s, two 10 s and one 1.6 s.
      threads: parsed.threads ?? Math.max(1, model.llama.cpuMathCores - 1),
      ...(parsed.cachePrecision === 'F32' ? EXACT : {}),
    })
    .catch(async (cause) => {
      await free();
      throw failed('cannot make a context', cause);
    });
  const sequence = context.getSequence();
  const inTurn = turns();
  let name: Promise<string> | undefined;

  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: Run, request: Request) => Promise<Result | Failed>,
  ): Promise<Answers<Result>> =>
    inTurn(async () => {
      const run = new Run(model, sequence, parsed.parseSpecial, call);
      const results: (Result | Failed)[] = [];
      try {
        await sequence.clearHistory();
        for (const request of requests) results.push(await answer(run, request));
      } catch (cause) {
        rethrowControlFlow(cause, call.signal);
        throw failed('cannot evaluate', cause);
      }
      const { tokens, cachedTokens } = run;
      return { results, usage: { requests: requests.length, tokens, cachedTokens } };
    }, call.signal);
  const freed = () =>
    inTurn(async () => {
      await context.dispose();
      await free();
    });

  return {
    specificationVersion: 'v1',
    provider: 'node-llama-cpp',
    ...(parsed.modelPath === undefined ? {} : { modelId: parsed.modelPath.replace(/^.*[/\\\\]/, '') }),
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // A file that cannot be read now may be there again later.
      name ??= identityOf(model).catch((error) => {
        name = undefined;
        throw error;
      });
      return orAborted(name, signal);
    },
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    generate: (requests, call = {}) => answers(requests, call, (run, request) => run.generate(request)),
    dispose: freed,
    [Symbol.asyncDispose]: freed,
  };
}

/** Flash attention computes in half precision whatever is remembered. */
const EXACT = {
  experimentalKvCacheKeyType: 'F32',
  experimentalKvCacheValueType: 'F32',
  flashAttention: false,
} as const;

function failed(is: string, cause: unknown): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'node-llama-cpp',
    value: messageOf(cause),
    is,
    remedy: 'Give a smaller contextSize if memory is short, and ask nothing of a model that is disposed of.',
    cause,
  });
}
