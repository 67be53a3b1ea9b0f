/**
 * Settings with which Ollama loads a model. A request with other settings than the last one makes it load the model
 * anew, which takes seconds to minutes.
 */
import * as z from 'zod';
import type { OllamaClient, OllamaClientHolder } from './connection.js';

/** Settings of the loaded model, by Ollama's own names. */
export interface OllamaRunnerOptions {
  /** Tokens that the context holds. */
  num_ctx?: number | undefined;
  num_batch?: number | undefined;
  /** Layers on the GPU. -1: Ollama decides. */
  num_gpu?: number | undefined;
  main_gpu?: number | undefined;
  use_mmap?: boolean | undefined;
  num_thread?: number | undefined;
  /** Tokens that a draft model proposes at once. */
  draft_num_predict?: number | undefined;
  /** How long the model stays loaded: seconds, or a duration such as `10m`; a negative number is forever. */
  keep_alive?: string | number | undefined;
}

export const runnerSchema = z.strictObject({
  num_ctx: z.int().min(1).optional(),
  num_batch: z.int().min(1).optional(),
  num_gpu: z.int().optional(),
  main_gpu: z.int().min(0).optional(),
  use_mmap: z.boolean().optional(),
  num_thread: z.int().min(0).optional(),
  draft_num_predict: z.int().min(0).optional(),
  keep_alive: z.union([z.string().min(1), z.number()]).optional(),
});

/** Only settings that have a value. */
export type Runner = {
  readonly [Name in keyof OllamaRunnerOptions]?: NonNullable<OllamaRunnerOptions[Name]>;
};

/** The fields of `ChatOllama` with these settings. */
const FIELDS = {
  num_ctx: 'numCtx',
  num_batch: 'numBatch',
  num_gpu: 'numGpu',
  main_gpu: 'mainGpu',
  use_mmap: 'useMmap',
  num_thread: 'numThread',
  keep_alive: 'keepAlive',
} as const;

/** The settings of a `ChatOllama`, replaced by those that are given explicitly. */
export function runnerOf(
  client: OllamaClient | OllamaClientHolder | undefined,
  explicit: OllamaRunnerOptions,
): Runner {
  const fields = (client ?? {}) as Record<string, unknown>;
  const inherited = Object.entries(FIELDS).map(([name, field]) => [name, fields[field]]);
  const given = ([, value]: unknown[]) => value !== undefined && value !== null;
  return Object.fromEntries([...inherited, ...Object.entries(explicit)].filter(given));
}
