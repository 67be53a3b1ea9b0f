import * as z from 'zod';
import type { ContextShapingError, Failed, Reranker } from '../../src/index.js';
import { messageOf, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import { type Gpu, keptIdentityOf, openModel, type RankingContextLike } from '../llama-engine/index.js';
import { freedBy, type InMemory, invalidOption, serviceError, turns } from '../model-calls/index.js';
import { inOrder, malformedBy } from './reranking.js';

/** Tokens. Longer texts are ranked in parts; the full context of a model may take too much memory. */
const LARGEST_CONTEXT = 8192;

const optionsSchema = z.strictObject({
  modelPath: z.string().min(1).optional(),
  context: z
    .custom<RankingContextLike>(
      (context) => typeof (context as RankingContextLike | null)?.rank === 'function',
      'must be a LlamaRankingContext of node-llama-cpp',
    )
    .optional(),
  gpu: z.union([z.enum(['auto', 'metal', 'cuda', 'vulkan']), z.literal(false)]).default('auto'),
  contextSize: z.int().min(2).optional(),
  threads: z.int().min(1).optional(),
});

export interface LlamaRerankerOptions {
  /** The path of a GGUF file of a reranking model. Give either this or `context`. */
  modelPath?: string | undefined;
  /** The result of `model.createRankingContext()`. You own it: `dispose` does not free it. */
  context?: RankingContextLike | undefined;
  /** The device for a model of `modelPath`. Default `'auto'`: the best device whose binary is installed. */
  gpu?: Gpu | undefined;
  /** The largest number of tokens of a query and a text. Default: the context length of the model, at most 8,192. */
  contextSize?: number | undefined;
  /** The largest number of threads for arithmetic. Default: the number of useful cores minus one. */
  threads?: number | undefined;
}

export interface InProcessReranker extends Reranker, InMemory {}

/**
 * A reranking model in this process: llama.cpp through the optional package `node-llama-cpp` (3.22 or later). A text that
 * is longer than the context is ranked in overlapping parts, and the best one counts. The engine reports probabilities:
 * it applies the logistic function where the model does not. Texts are ranked one after another, and so are concurrent
 * calls.
 *
 * @throws ContextShapingError `missing-dependency`, with the packages to install; `invalid-input`, if the file does not
 *   exist or the engine cannot load it; `invalid-options`; `service`, if the model is no reranking model, or if all texts
 *   of a call fail.
 */
export async function llamaReranker(options: LlamaRerankerOptions): Promise<InProcessReranker> {
  const parsed = parseOptions(optionsSchema, options);
  const { context, free } = await openContext(parsed);
  const inTurn = turns();
  const identify = keptIdentityOf(context.model);
  const freed = () => inTurn(free);
  return {
    specificationVersion: 'v1',
    provider: 'node-llama-cpp',
    ...(parsed.modelPath === undefined ? {} : { modelId: parsed.modelPath.replace(/^.*[/\\]/, '') }),
    identify: ({ signal } = {}) => identify(signal),
    rerank: (query, texts, { signal } = {}) =>
      inTurn(async () => {
        const scores: (number | Failed)[] = [];
        const errors: unknown[] = [];
        let tokens = 0;
        for (const text of texts) {
          signal?.throwIfAborted();
          try {
            const score = await context.rank(query, text, { onOverflow: 'maxChunk' });
            tokens += context.calculateInputLength(query, text);
            scores.push(...inOrder([{ index: 0, score }], 1, 'probability', malformedBy('node-llama-cpp')));
          } catch (error) {
            rethrowControlFlow(error, signal);
            errors.push(error);
            scores.push({ failure: messageOf(error) });
          }
        }
        if (errors.length > 0 && errors.length === texts.length) throw failed('cannot rank', errors[0]);
        return { scores, scale: 'probability', usage: { requests: texts.length, tokens } };
      }, signal),
    ...freedBy(freed),
  };
}

async function openContext({
  modelPath,
  context,
  gpu,
  contextSize,
  threads,
}: z.output<typeof optionsSchema>): Promise<{ context: RankingContextLike; free(): Promise<void> }> {
  if ((context === undefined) === (modelPath === undefined)) {
    throw invalidOption(
      'modelPath',
      modelPath,
      context === undefined ? 'is missing' : 'cannot be given together with context',
      'Give either modelPath or context.',
    );
  }
  if (context !== undefined) return { context, free: async () => {} };
  const { model, free } = await openModel({ modelPath, gpu }, 'llamaReranker');
  try {
    const made = await model.createRankingContext?.({
      contextSize: contextSize ?? { max: LARGEST_CONTEXT },
      threads: threads ?? Math.max(1, model.llama.cpuMathCores - 1),
    });
    if (made === undefined) throw new Error('This version of the package has no createRankingContext.');
    return {
      context: made,
      async free() {
        await made.dispose();
        await free();
      },
    };
  } catch (cause) {
    await free();
    throw failed('cannot create a ranking context', cause);
  }
}

function failed(is: string, cause: unknown): ContextShapingError {
  return serviceError(
    'node-llama-cpp',
    messageOf(cause),
    is,
    'Give a reranking model in GGUF, and a smaller contextSize if memory is short.',
    cause,
  );
}
