/**
 * Vectors of whole collections by an embedding model, made once and kept in a folder: a sentence embedding model of
 * Transformers.js (the package `@huggingface/transformers`, installed beside this one), or a static model.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadStaticEmbedder } from 'context-shaping/embeddings';

/** A model with its vectors of unit length. */
export interface EmbeddingModel {
  readonly name: string;
  readonly isStatic: boolean;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/** The model of a folder. One with an `onnx` folder is a transformer: mean pooling, unit length. */
export async function loadModel(folder: string): Promise<EmbeddingModel> {
  const name = basename(folder);
  if (!existsSync(join(folder, 'onnx'))) {
    const embedder = await loadStaticEmbedder(folder);
    return {
      name,
      isStatic: true,
      embed: async (texts) =>
        (await embedder.embed(texts, {})).map((vector) => Float32Array.from(vector as number[])),
    };
  }
  const { env, pipeline } = await import('@huggingface/transformers');
  env.localModelPath = dirname(folder);
  env.allowRemoteModels = false;
  const extract = await pipeline('feature-extraction', name, { dtype: 'q8' });
  return {
    name,
    isStatic: false,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      // Texts of one length together: the shorter ones of a batch are filled up.
      const byLength = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
      for (let start = 0; start < texts.length; start += BATCH) {
        const places = byLength.slice(start, start + BATCH);
        const some = places.map((place) => texts[place] as string);
        const found = await extract(some, { pooling: 'mean', normalize: true });
        const width = found.dims[1] as number;
        for (const [at, place] of places.entries())
          vectors[place] = (found.data as Float32Array).slice(at * width, (at + 1) * width);
      }
      return vectors;
    },
  };
}

const BATCH = 16;

/** The same model, with vectors that it has made kept as one file for each list of texts. */
export function keptIn(folder: string, model: EmbeddingModel): EmbeddingModel {
  return {
    ...model,
    async embed(texts) {
      const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
      const file = join(folder, model.name, `${hash}.f32`);
      if (!existsSync(file)) {
        const vectors = await model.embed(texts);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, Buffer.concat(vectors.map((vector) => Buffer.from(vector.slice().buffer))));
      }
      const bytes = readFileSync(file);
      const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      const width = all.length / texts.length;
      return texts.map((_, at) => all.subarray(at * width, (at + 1) * width));
    },
  };
}
