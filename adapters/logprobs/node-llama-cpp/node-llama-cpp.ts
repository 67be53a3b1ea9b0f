import * as z from 'zod';
import type { ContextShapingError, LogprobModel } from '../../../src/index.js';
import { messageOf, parseOptions } from '../../../src/internal.js';
import { type Gpu, keptIdentityOf, type LlamaModelLike, openModel } from '../../llama-engine/index.js';
import { freedBy, type InMemory, inProcess, serviceError, turns } from '../../model-calls/index.js';
import { engineOf } from './engine.js';

export type { LlamaModelLike } from '../../llama-engine/index.js';

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
  const { model, free } = await openModel(parsed, 'nodeLlamaCpp');
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
  const identify = keptIdentityOf(model);

  const engine = engineOf(model, context.getSequence(), parsed.parseSpecial);
  const freed = () =>
    inTurn(async () => {
      await context.dispose();
      await free();
    });

  return {
    specificationVersion: 'v1',
    provider: 'node-llama-cpp',
    ...(parsed.modelPath === undefined ? {} : { modelId: parsed.modelPath.replace(/^.*[/\\]/, '') }),
    identify: ({ signal } = {}) => identify(signal),
    ...inProcess(engine, inTurn, (cause) => failed('cannot evaluate', cause)),
    ...freedBy(freed),
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
