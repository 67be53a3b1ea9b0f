/**
 * Reads GGUF, version 3: the magic `GGUF`, a version, the number of tensors, the number of metadata entries; the entries
 * (key, type, value); the tensors (name, sizes, type, offset); then their numbers, aligned. All little-endian; the first
 * size is that of a row.
 *
 * Source: ggml, "GGUF", https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
 */
import { ByteCursor } from './byte-cursor.js';
import { malformed } from './errors.js';
import { readTensor, type Tensor, tensorTable } from './tensors.js';

type MetadataValue = number | boolean | string | readonly (number | boolean | string)[];

/** The type numbers of the format, and how to read one value of each. */
const SCALARS: Record<number, { bytes: number; read: (cursor: ByteCursor) => number | boolean | string }> = {
  0: { bytes: 1, read: (cursor) => cursor.take(1, (view, at) => view.getUint8(at)) },
  1: { bytes: 1, read: (cursor) => cursor.take(1, (view, at) => view.getInt8(at)) },
  2: { bytes: 2, read: (cursor) => cursor.take(2, (view, at) => view.getUint16(at, true)) },
  3: { bytes: 2, read: (cursor) => cursor.take(2, (view, at) => view.getInt16(at, true)) },
  4: { bytes: 4, read: (cursor) => cursor.uint32() },
  5: { bytes: 4, read: (cursor) => cursor.take(4, (view, at) => view.getInt32(at, true)) },
  6: { bytes: 4, read: (cursor) => cursor.take(4, (view, at) => view.getFloat32(at, true)) },
  7: { bytes: 1, read: (cursor) => cursor.take(1, (view, at) => view.getUint8(at)) !== 0 },
  8: { bytes: 8, read: (cursor) => cursor.text() },
  10: { bytes: 8, read: (cursor) => cursor.take(8, (view, at) => Number(view.getBigUint64(at, true))) },
  11: { bytes: 8, read: (cursor) => cursor.take(8, (view, at) => Number(view.getBigInt64(at, true))) },
  12: { bytes: 8, read: (cursor) => cursor.take(8, (view, at) => view.getFloat64(at, true)) },
};
const ARRAY = 9;
const MAGIC = 0x46554747;
const VERSION = 3;

export class GgufFile {
  readonly #metadata: ReadonlyMap<string, MetadataValue>;
  readonly #tensors: ReadonlyMap<string, Tensor>;
  readonly #view: DataView;

  /**
   * Reads the metadata and the table of tensors. The numbers of a tensor are read on demand.
   *
   * @throws ContextShapingError `invalid-input`, naming the field that is malformed, cut off or too large for the file.
   */
  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array)) {
      throw malformed('file', bytes, 'must be a Uint8Array', 'Give the bytes of the file.');
    }
    const cursor = new ByteCursor(bytes);
    const magic = cursor.at('magic').uint32();
    if (magic !== MAGIC) throw malformed('magic', magic, 'is not that of a GGUF file');
    const version = cursor.at('version').uint32();
    if (version !== VERSION) throw malformed('version', version, `must be ${VERSION}, little-endian`);
    const tensorCount = cursor.at('tensor_count').size();
    const entryCount = cursor.at('metadata_kv_count').size();
    this.#metadata = metadataOf(cursor, entryCount);
    this.#tensors = tensorTable(cursor, tensorCount, this.number('general.alignment', 32));
    this.#view = cursor.view;
  }

  /** The names of all tensors. */
  get tensorNames(): Iterable<string> {
    return this.#tensors.keys();
  }

  /** A metadata value, or undefined. */
  value(key: string): MetadataValue | undefined {
    return this.#metadata.get(key);
  }

  /** @throws ContextShapingError `invalid-input`, if it has another type, or is missing and has no default `otherwise`. */
  number(key: string, otherwise?: number): number {
    const value = this.#metadata.get(key) ?? otherwise;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(key, value, 'must be a number');
    return value;
  }

  /** A whole number, at least `least`. */
  count(key: string, least: number, otherwise?: number): number {
    const value = this.number(key, otherwise);
    if (!Number.isSafeInteger(value) || value < least) {
      throw malformed(key, value, `must be a whole number, at least ${least}`);
    }
    return value;
  }

  /** @throws ContextShapingError `invalid-input`, if it is missing or is not an array of strings. */
  texts(key: string): readonly string[] {
    const value = this.#metadata.get(key);
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
      throw malformed(key, value, 'must be an array of strings');
    }
    return value;
  }

  /**
   * All numbers of a tensor, row by row; all finite. A copy.
   *
   * @param sizes the expected sizes, the length of a row first.
   * @throws ContextShapingError `invalid-input`, if it is missing, has other sizes, or a type other than
   *   F32 and F16.
   */
  tensor(name: string, sizes: readonly number[]): Float32Array {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw malformed(name, undefined, 'is missing');
    return readTensor(this.#view, name, tensor, sizes);
  }
}

function metadataOf(cursor: ByteCursor, count: number): Map<string, MetadataValue> {
  const metadata = new Map<string, MetadataValue>();
  for (let index = 0; index < count; index++) {
    const key = cursor.at(`metadata_kv[${index}]`).text();
    if (metadata.has(key)) throw malformed(key, key, 'occurs twice');
    const type = cursor.at(key).uint32();
    metadata.set(key, type === ARRAY ? arrayOf(cursor, key) : scalar(key, type).read(cursor));
  }
  return metadata;
}

function arrayOf(cursor: ByteCursor, key: string): (number | boolean | string)[] {
  const { bytes, read } = scalar(key, cursor.uint32());
  const length = cursor.size();
  // Checked before memory is allocated: a malicious file can claim any count.
  if (length * bytes > cursor.left)
    throw malformed(key, length, 'has more elements than the file has bytes for');
  return Array.from({ length }, () => read(cursor));
}

function scalar(key: string, type: number) {
  const known = SCALARS[type];
  if (known === undefined) throw malformed(key, type, 'has an unknown type');
  return known;
}
