/**
 * Reads safetensors: eight bytes with the length of the header (unsigned, little-endian), the header as JSON
 * (`{ name: { dtype, shape, data_offsets: [from, to] } }`), then the numbers, without gaps, little-endian and row by
 * row.
 *
 * Source: Hugging Face, "Safetensors: format", https://github.com/huggingface/safetensors#format.
 */
import { isObject } from '../../../src/internal.js';
import { malformed } from './errors.js';

const FILE = 'model.safetensors';

export interface Tensor {
  dtype: string;
  shape: readonly number[];
  /** All numbers, row by row; all finite. A copy: later changes of the file's bytes do not change it. */
  values: Int8Array | Int32Array | Float32Array | Float64Array;
}

interface Entry {
  dtype: string;
  shape: number[];
  from: number;
  to: number;
}

/** For each type: the bytes of a number, an array that holds it without loss, and how to read it. */
const TYPES: Record<
  string,
  {
    bytes: number;
    array: new (length: number) => Tensor['values'];
    read: (view: DataView, at: number) => number;
  }
> = {
  F64: { bytes: 8, array: Float64Array, read: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, array: Float32Array, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, array: Float32Array, read: (view, at) => halfPrecision(view.getUint16(at, true)) },
  BF16: { bytes: 2, array: Float32Array, read: (view, at) => brainFloat(view.getUint16(at, true)) },
  I8: { bytes: 1, array: Int8Array, read: (view, at) => view.getInt8(at) },
  I32: { bytes: 4, array: Int32Array, read: (view, at) => view.getInt32(at, true) },
  I64: { bytes: 8, array: Float64Array, read: (view, at) => Number(view.getBigInt64(at, true)) },
};

/**
 * Checks the header and the length of the file. The numbers of a tensor are read on demand.
 *
 * @returns a function from a name to its tensor, or undefined. Types: F64, F32, F16, BF16, I8, I32, I64.
 * @throws ContextShapingError `invalid-input`, at once if the header is malformed; when a tensor is requested, if it has
 *   another type or numbers that are not finite.
 */
export function readSafetensors(bytes: Uint8Array): (name: string) => Tensor | undefined {
  if (!ArrayBuffer.isView(bytes)) {
    throw malformed(FILE, bytes, 'must be a Uint8Array', 'Give the bytes of the file.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) throw malformed(FILE, bytes.length, 'is cut off: it has fewer than 8 bytes');
  const headerLength = Number(view.getBigUint64(0, true));
  const start = 8 + headerLength;
  if (start > bytes.length) {
    throw malformed(
      FILE,
      bytes.length,
      `is cut off, or not a safetensors file: its header ends at byte ${start}`,
    );
  }
  const entries = checkedEntries(parseHeader(bytes.subarray(8, start)), bytes.length - start);
  return (name) => {
    const entry = entries.get(name);
    return entry && readTensor(name, entry, new DataView(view.buffer, view.byteOffset + start));
  };
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed(`${FILE}: header`, bytes.length, 'is not JSON');
  }
  if (!isObject(header)) throw malformed(`${FILE}: header`, header, 'must be an object');
  return header;
}

/** The entries. Their bytes must cover the file without gaps, from the end of the header to the end of the file. */
function checkedEntries(header: Record<string, unknown>, dataLength: number): Map<string, Entry> {
  const entries = new Map(
    Object.entries(header)
      .filter(([name]) => name !== '__metadata__')
      .map(([name, entry]) => [name, checkedEntry(name, entry)]),
  );
  let end = 0;
  for (const [name, { from, to }] of [...entries].sort(([, a], [, b]) => a.from - b.from || a.to - b.to)) {
    if (from !== end) {
      throw malformed(`${FILE}: ${name}.data_offsets`, [from, to].join(), `must start at byte ${end}`);
    }
    end = to;
  }
  if (end !== dataLength) {
    const problem = end > dataLength ? 'is cut off' : 'is too long';
    throw malformed(FILE, dataLength, `${problem}: it must have ${end} bytes after its header`);
  }
  return entries;
}

function checkedEntry(name: string, entry: unknown): Entry {
  const field = `${FILE}: ${name}`;
  const { dtype, shape, data_offsets: offsets } = isObject(entry) ? entry : {};
  if (typeof dtype !== 'string') throw malformed(`${field}.dtype`, dtype, 'must be the name of a type');
  if (!isSizes(shape)) throw malformed(`${field}.shape`, shape, 'must be an array of whole numbers');
  if (!isSizes(offsets) || offsets.length !== 2 || at(offsets, 0) > at(offsets, 1)) {
    throw malformed(`${field}.data_offsets`, offsets, 'must be two whole numbers, the second not smaller');
  }
  const [from, to] = [at(offsets, 0), at(offsets, 1)];
  const expected = TYPES[dtype] && TYPES[dtype].bytes * shape.reduce((product, size) => product * size, 1);
  if (expected !== undefined && expected !== to - from) {
    const numbers = `${dtype} numbers of shape [${shape.join(', ')}]`;
    throw malformed(`${field}.data_offsets`, to - from, `must be ${expected} bytes apart, for ${numbers}`);
  }
  return { dtype, shape, from, to };
}

function readTensor(name: string, { dtype, shape, from, to }: Entry, data: DataView): Tensor {
  const type = TYPES[dtype];
  if (type === undefined) {
    const types = Object.keys(TYPES).join(', ');
    const remedy = `Use a model with one of these types: ${types}.`;
    throw malformed(`${FILE}: ${name}.dtype`, dtype, 'is not supported', remedy);
  }
  const { bytes, array, read } = type;
  const values = new array((to - from) / bytes);
  for (let index = 0; index < values.length; index++) {
    const value = read(data, from + index * bytes);
    if (!Number.isFinite(value)) throw malformed(`${FILE}: ${name}[${index}]`, value, 'must be finite');
    values[index] = value;
  }
  return { dtype, shape, values };
}

const isSizes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);

const at = (sizes: readonly number[], index: number) => sizes[index] as number;

/** IEEE 754 binary16: one sign bit, five exponent bits (bias 15), ten fraction bits. */
function halfPrecision(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new DataView(new ArrayBuffer(4));

/** bfloat16: the upper half of an IEEE 754 binary32. */
function brainFloat(bits: number): number {
  word.setUint16(0, bits);
  return word.getFloat32(0);
}
