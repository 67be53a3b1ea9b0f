/**
 * Dense vectors: validation, scaling to unit length, cosine similarity.
 *
 *   cos(a, b) = a·b / (|a| |b|), and 0 if either is all zero.
 *
 * Unit vectors are stored as 32-bit floats: half the memory traffic of 64-bit floats, and the precision that embedding
 * models return. Sums are 64-bit floats, in index order, so that results are the same on every machine.
 *
 * Source: G. Salton, A. Wong, C. S. Yang, "A vector space model for automatic indexing",
 * Communications of the ACM 18(11), 1975.
 */
import { invalidInput } from '../errors.js';

/**
 * Validates a vector and returns a copy of unit length. An all-zero vector is legal and stays zero.
 *
 * @param field the path of the vector in error messages.
 * @param expected the dimension of an earlier vector, and that vector's path.
 * @throws ContextShapingError `invalid-input`: not array-like, empty, of another dimension, or with a component that is
 *   not a finite number.
 */
export function packVector(
  vector: ArrayLike<number>,
  field: string,
  expected?: { of: number; field: string },
): Float32Array {
  const length = (vector as ArrayLike<number> | null)?.length as number;
  if (typeof vector !== 'object' || !Number.isSafeInteger(length) || length < 1) {
    throw invalidInput(
      field,
      vector,
      'must be a non-empty array of numbers',
      'Give one number per dimension, or leave it out.',
    );
  }
  if (expected !== undefined && length !== expected.of) {
    throw invalidInput(
      field,
      length,
      (name) => `has another dimension than ${name(expected.field)}, which has ${expected.of}`,
      'Embed the query and all chunks with one model.',
    );
  }
  // Dividing by the largest component first keeps the squares from overflowing and from vanishing.
  let largest = 0;
  for (let i = 0; i < length; i++) {
    const component = vector[i];
    if (typeof component !== 'number' || !Number.isFinite(component)) {
      throw invalidInput(
        `${field}[${i}]`,
        component,
        'must be a finite number',
        'Check the embedding model’s output.',
      );
    }
    largest = Math.max(largest, Math.abs(component));
  }
  const unit = new Float32Array(length);
  if (largest === 0) return unit;
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const part = (vector[i] as number) / largest;
    squares += part * part;
  }
  const norm = Math.sqrt(squares);
  for (let i = 0; i < length; i++) unit[i] = (vector[i] as number) / largest / norm;
  return unit;
}

/** Returns the dot product of two vectors of one length. For unit vectors this is their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * Returns the cosine similarity of two unit (or zero) vectors, -1..1. It is clamped, because rounding can carry the dot
 * product of parallel vectors past 1, and a distance must not become negative.
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  return Math.max(-1, Math.min(1, dot(a, b)));
}
