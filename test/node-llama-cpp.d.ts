/** What an example and tests use of the package, which is installed for some tests alone. */
declare module 'node-llama-cpp' {
  import type { LlamaModelLike } from 'context-shaping/logprobs';

  export function getLlama(options?: object): Promise<{
    loadModel(options: { modelPath: string }): Promise<LlamaModelLike & { disposed: boolean }>;
    dispose(): Promise<void>;
  }>;
}
