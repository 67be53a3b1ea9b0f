import type { Llama } from '../../../gguf/llama.js';

/** Remembers a model's predictions after each prefix: tests request the same prefixes many times. */
const known = new WeakMap<Llama, Map<string, Float64Array>>();

export function logprobsAfter(llama: Llama, ids: readonly number[]): Float64Array {
  const prefixes = known.get(llama) ?? new Map<string, Float64Array>();
  known.set(llama, prefixes);
  const key = ids.join();
  const logprobs = prefixes.get(key) ?? llama.logprobs(ids);
  prefixes.set(key, logprobs);
  return logprobs;
}
