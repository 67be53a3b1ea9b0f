import { malformed } from './malformed.js';
import { readSafetensors, type Tensor } from './safetensors.js';

export interface StaticTensors {
  /** Row by row. */
  rows: Tensor['values'];
  dimension: number;
  /** Of each token id. */
  weights: Tensor['values'] | undefined;
  /** From token id to row; undefined: the row of that number. */
  mapping: Tensor['values'] | undefined;
}

/**
 * The tensors of a static model, checked against each other and the tokenizer.
 *
 * @param idCount how many ids the tokenizer may give: 0 to `idCount - 1`.
 * @throws ContextShapingError `invalid-input`.
 */
export function readTensors(safetensors: Uint8Array, idCount: number): StaticTensors {
  const tensor = readSafetensors(safetensors);
  // The second name is that of Sentence Transformers.
  const embeddings = tensor('embeddings') ?? tensor('embedding.weight');
  if (embeddings === undefined) {
    throw malformed('model.safetensors: embeddings', undefined, 'is missing', NO_STATIC_MODEL);
  }
  const [count, dimension] = embeddings.shape;
  if (count === undefined || dimension === undefined || embeddings.shape.length > 2 || dimension === 0) {
    throw malformed(
      'model.safetensors: embeddings.shape',
      shapeOf(embeddings),
      'must be [rows, dimension]',
      NO_STATIC_MODEL,
    );
  }
  const weights = tensor('weights');
  const mapping = tensor('mapping');
  for (const [each, perToken] of Object.entries({ weights, mapping })) {
    if (perToken === undefined || shapeOf(perToken) === `[${idCount}]`) continue;
    throw malformed(
      `model.safetensors: ${each}.shape`,
      shapeOf(perToken),
      `must be [${idCount}]: one number per token of tokenizer.json`,
    );
  }
  if (mapping === undefined && count !== idCount) {
    throw malformed(
      'model.safetensors: embeddings.shape',
      shapeOf(embeddings),
      `must have ${idCount} rows: one per token of tokenizer.json`,
    );
  }
  const wrong = mapping?.values.findIndex((row) => !Number.isInteger(row) || row < 0 || row >= count) ?? -1;
  if (wrong !== -1) {
    const row = mapping?.values[wrong];
    throw malformed(`model.safetensors: mapping[${wrong}]`, row, `must be a row of the ${count} there are`);
  }
  return { rows: embeddings.values, dimension, weights: weights?.values, mapping: mapping?.values };
}

const NO_STATIC_MODEL =
  'Fetch a model of the model2vec format: context-shaping pull minishlab/potion-base-8M.';

const shapeOf = ({ shape }: Tensor) => `[${shape.join(', ')}]`;
