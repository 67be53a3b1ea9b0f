/** Bundled for a browser: the cross-encoder of a server's folder, with the WebAssembly files of that server. */
import { AutoModelForSequenceClassification, AutoTokenizer, env, Tensor } from '@huggingface/transformers';
import { crossEncoder } from 'context-shaping/rerankers';

const FILE = 'ort-wasm-simd-threaded.asyncify';

export async function run(query: string, texts: readonly string[]): Promise<unknown> {
  env.allowLocalModels = true;
  env.allowRemoteModels = false;
  env.backends.onnx.wasm.wasmPaths = { mjs: `/wasm/${FILE}.mjs`, wasm: `/wasm/${FILE}.wasm` };
  env.backends.onnx.wasm.numThreads = 1;
  const folder = '/models/cross-encoder';
  const tokenizer = await AutoTokenizer.from_pretrained(folder);
  const model = await AutoModelForSequenceClassification.from_pretrained(folder, { dtype: 'fp32' });
  const reranker = crossEncoder({ name: 'tiny', tokenizer, model, Tensor });
  return (await reranker.rerank(query, texts)).scores;
}
