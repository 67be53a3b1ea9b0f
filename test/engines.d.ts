/** The parts of two engines that an example, pages and tests use. The packages are installed for some tests alone. */
declare module 'node-llama-cpp' {
  import type { LlamaModelLike } from 'context-shaping/logprobs';

  export function getLlama(options?: object): Promise<{
    loadModel(options: { modelPath: string }): Promise<LlamaModelLike & { disposed: boolean }>;
    dispose(): Promise<void>;
  }>;
}

declare module '@huggingface/transformers' {
  export function pipeline(
    task: 'feature-extraction',
    model: string,
    options?: object,
  ): Promise<
    (
      texts: readonly string[],
      options: { pooling: 'mean'; normalize: boolean },
    ) => Promise<{ data: Float32Array; dims: readonly number[] }>
  >;
  export const env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    localModelPath: string;
    backends: { onnx: { wasm: { wasmPaths: object; numThreads: number } } };
  };
}
