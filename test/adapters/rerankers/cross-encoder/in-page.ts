/** Bundled for a browser: the cross-encoder of a server's folder, with the WebAssembly files of that server. */
import { crossEncoder, type TransformersModule } from 'context-shaping/rerankers';

interface Environment {
  allowLocalModels: boolean;
  allowRemoteModels: boolean;
  backends: { onnx: { wasm: { wasmPaths: object; numThreads: number } } };
}

export interface Outputs {
  scores: unknown;
  name: string;
}

const FILE = 'ort-wasm-simd-threaded.asyncify';

export async function run(
  transformers: TransformersModule & { env: Environment },
  query: string,
  texts: readonly string[],
): Promise<Outputs> {
  const { env } = transformers;
  env.allowLocalModels = true;
  env.allowRemoteModels = false;
  env.backends.onnx.wasm.wasmPaths = { mjs: `/wasm/${FILE}.mjs`, wasm: `/wasm/${FILE}.wasm` };
  env.backends.onnx.wasm.numThreads = 1;
  const options = { transformers, loading: { dtype: 'fp32' }, model: '/models/cross-encoder' };
  await using reranker = await crossEncoder(options);
  return { scores: (await reranker.rerank(query, texts)).scores, name: await reranker.identify() };
}
