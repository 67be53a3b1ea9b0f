import { malformed } from './errors.js';
import { readSafetensors, type Tensor } from './safetensors.js';

export interface StaticTensors {
  /** Row by row. */
  rows: Tensor['values'];
  dimension: number;
  /** One weight per token id. */
  weights: Tensor['values'] | undefined;
  /** The row of each token id; undefined: the id is the row. */
  mapping: Tensor['values'] | undefined;
}

/**
 * Reads the tensors of a static model, and checks them against each other and the tokenizer.
 *
 * @param idCount the number of ids of the tokenizer: 0 to `idCount - 1`.
 * @throws ContextShapingError `invalid-input`.
 */
export function readTensors(safetensors: Uint8Array, idCount: number): StaticTensors {
  const tensor = readSafetensors(safetensors);
  // The second name is the one of Sentence Transformers.
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
    throw malformed(
      `model.safetensors: mapping[${wrong}]`,
      row,
      `must be the number of one of the ${count} rows`,
    );
  }
  return { rows: embeddings.values, dimension, weights: weights?.values, mapping: mapping?.values };
}

const NO_STATIC_MODEL = 'Use a model of the model2vec format, such as minishlab/potion-base-8M.';

const shapeOf = ({ shape }: Tensor) => `[${shape.join(', ')}]`;
