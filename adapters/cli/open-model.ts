/** From flags to a model that tells log-probabilities. */
import { ContextShapingError, type LogprobModel } from '../../src/index.js';
import { UsageError } from './failure.js';
import type { Io } from './terminal.js';

export const PROVIDERS = ['llama-server', 'ollama', 'openai', 'node-llama-cpp', 'gguf'] as const;

export interface ModelFlags {
  provider?: (typeof PROVIDERS)[number];
  model?: string;
  baseUrl?: string;
}

interface Opened {
  model: LogprobModel;
  close(): Promise<void>;
}

/** @throws UsageError, if a flag is missing that the provider needs. */
export async function openModel(flags: ModelFlags, env: Io['env']): Promise<Opened> {
  const logprobs = await import('../logprobs/index.js');
  const { provider = flags.model?.endsWith('.gguf') ? undefined : 'llama-server', baseUrl } = flags;
  const apiKey = env.OPENAI_API_KEY || undefined;
  const needed = (value: string | undefined, flag: string) => {
    if (value !== undefined) return value;
    throw new UsageError(
      `--provider ${provider} needs ${flag}. context-shaping calibrate --help shows examples.`,
    );
  };
  const remote = (model: LogprobModel): Opened => ({ model, close: async () => {} });
  switch (provider) {
    case 'llama-server':
      return remote(logprobs.llamaServer({ baseUrl: needed(baseUrl, '--base-url') }));
    case 'ollama': {
      const at = baseUrl ?? (env.OLLAMA_HOST || undefined);
      return remote(logprobs.ollamaModel({ model: needed(flags.model, '--model'), baseUrl: at }));
    }
    case 'openai': {
      const [model, at] = [needed(flags.model, '--model'), needed(baseUrl, '--base-url')];
      return remote(logprobs.openAICompatible({ model, baseUrl: at, apiKey }));
    }
    case 'gguf':
      return remote(await logprobs.loadGgufModel(needed(flags.model, '--model')));
    default:
      return inProcess(needed(flags.model, '--model'), provider === undefined);
  }
}

/** By node-llama-cpp; where it is not installed and was not asked for by name, in plain TypeScript. */
async function inProcess(modelPath: string, orPlain: boolean): Promise<Opened> {
  const { nodeLlamaCpp, loadGgufModel } = await import('../logprobs/index.js');
  try {
    const model = await nodeLlamaCpp({ modelPath });
    return { model, close: () => model.dispose() };
  } catch (error) {
    const isMissing = ContextShapingError.isInstance(error) && error.kind === 'missing-dependency';
    if (!orPlain || !isMissing) throw error;
    return { model: await loadGgufModel(modelPath), close: async () => {} };
  }
}
