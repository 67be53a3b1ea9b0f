/** Bundled for a browser: the models of a server's folder, with the WebAssembly files of that server. */
import {
  causalModel,
  crossEncoder,
  sentenceEncoder,
  type TransformersModule,
} from 'context-shaping/transformers';

interface Environment {
  allowLocalModels: boolean;
  allowRemoteModels: boolean;
  backends: { onnx: { wasm: { wasmPaths: object; numThreads: number } } };
}

export interface Outputs {
  scores: unknown;
  vectors: number[][];
  logprobs: unknown;
  text: unknown;
  names: string[];
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
  const options = { transformers, dtype: 'fp32' } as const;
  await using reranker = await crossEncoder({ ...options, model: '/models/cross-encoder' });
  await using encoder = await sentenceEncoder({ ...options, model: '/models/encoder' });
  await using model = await causalModel({ ...options, model: '/models/causal' });
  const scored = await model.score(texts.map((continuation) => ({ prompt: query, continuation })));
  const generated = await model.generate([{ prompt: query, maxTokens: 4 }]);
  return {
    scores: (await reranker.rerank(query, texts)).scores,
    vectors: (await encoder.embed(texts, {})).map((vector) => Array.from(vector)),
    logprobs: scored.results.map((each) => ('logprob' in each ? each.logprob : each)),
    text: generated.results.map((each) => ('text' in each ? each.text : each)),
    names: await Promise.all([reranker.identify(), model.identify(), encoder.modelId]),
  };
}
