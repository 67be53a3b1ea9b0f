/** Opens the model with log-probabilities that the flags name. */
import { ContextShapingError, type LogprobModel } from '../../src/index.js';
import { UsageError } from './errors.js';
import type { Io } from './terminal.js';

export const PROVIDERS = ['llama-server', 'ollama', 'openai', 'node-llama-cpp'] as const;

type Provider = (typeof PROVIDERS)[number];

export interface ModelFlags {
  provider?: Provider;
  model?: string;
  baseUrl?: string;
  chatTemplate?: boolean;
  /** The longest wait for one answer, in seconds. */
  timeout?: number;
}

interface Opened {
  model: LogprobModel;
  /** Frees a model that runs in this process. */
  close(): Promise<void>;
}

type Flag = keyof typeof NAMES;
const NAMES = {
  model: '--model',
  baseUrl: '--base-url',
  chatTemplate: '--chat-template',
  timeout: '--timeout',
} as const;

/** The flags that each provider requires and does not support. */
const FLAGS: Record<Provider, { needs: readonly Flag[]; refuses: readonly Flag[] }> = {
  'llama-server': { needs: ['baseUrl'], refuses: [] },
  ollama: { needs: ['model'], refuses: [] },
  openai: { needs: ['model', 'baseUrl'], refuses: [] },
  'node-llama-cpp': { needs: ['model'], refuses: ['baseUrl', 'chatTemplate', 'timeout'] },
};

/** The environment variable with the key of a server. */
const KEYS: { readonly [provider in Provider]?: string } = {
  'llama-server': 'LLAMA_API_KEY',
  openai: 'OPENAI_API_KEY',
};

/** @throws UsageError if a required flag is missing, or the provider does not support a flag. */
export async function openModel(flags: ModelFlags, io: Io): Promise<Opened> {
  const provider = providerOf(flags);
  checkFlags(provider, flags);
  // Loaded here, since the other commands do not need it.
  const logprobs = await import('../logprobs/index.js');
  const { model = '', baseUrl = '', chatTemplate = false } = flags;
  const apiKey = io.env[KEYS[provider] ?? ''] || undefined;
  const timeoutMs = flags.timeout && 1000 * flags.timeout;
  const remote = (opened: LogprobModel): Opened => ({ model: opened, close: async () => {} });
  try {
    switch (provider) {
      case 'llama-server':
        return remote(logprobs.llamaServer({ baseUrl, model: flags.model, apiKey, chatTemplate, timeoutMs }));
      case 'openai':
        return remote(logprobs.openAICompatible({ model, baseUrl, apiKey, chatTemplate, timeoutMs }));
      case 'ollama':
        return remote(
          logprobs.ollamaModel({
            model,
            baseUrl: baseUrl || io.env.OLLAMA_HOST || undefined,
            chatTemplate,
            timeoutMs,
          }),
        );
      case 'node-llama-cpp': {
        const opened = await logprobs.nodeLlamaCpp({ modelPath: model });
        return { model: opened, close: () => opened.dispose() };
      }
    }
  } catch (error) {
    throw fieldsAsFlags(error, flags, io.env);
  }
}

/** The same error with every field named by its flag, file or environment variable. Returns any other error unchanged. */
export function fieldsAsFlags(
  error: unknown,
  flags: ModelFlags & { data?: string },
  env: Io['env'],
): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  const provider = providerOf(flags);
  const key = KEYS[provider];
  const isFromHost = provider === 'ollama' && flags.baseUrl === undefined && env.OLLAMA_HOST;
  const names: Record<string, string | undefined> = {
    'ecs.share': '--share',
    'ecs.maxCandidates': '--max-candidates',
    ...NAMES,
    timeoutMs: NAMES.timeout,
    ...(isFromHost ? { baseUrl: 'OLLAMA_HOST' } : {}),
    apiKey: key,
    headers: key,
    data: flags.data,
  };
  return error.renamed((field) => names[field] ?? field);
}

function providerOf({ provider, model }: ModelFlags): Provider {
  return provider ?? (model?.endsWith('.gguf') ? 'node-llama-cpp' : 'llama-server');
}

function checkFlags(provider: Provider, flags: ModelFlags): void {
  const implied =
    provider === 'llama-server' ? 'the default is llama-server' : 'a .gguf file runs in this process';
  const subject =
    flags.provider === undefined ? `Without --provider ${implied}, which` : `--provider ${provider}`;
  const { needs, refuses } = FLAGS[provider];
  const refused = refuses.find((flag) => flags[flag] !== undefined);
  const missing = needs.find((flag) => !flags[flag]);
  const wrong = refused ? `does not support ${NAMES[refused]}` : missing && `requires ${NAMES[missing]}`;
  if (!wrong) return;
  throw new UsageError(`${subject} ${wrong}. context-shaping calibrate --help shows examples.`);
}
