/**
 * Reads GGUF, version 3: the magic `GGUF`, a version, the number of tensors, the number of metadata entries; the entries
 * (key, type, value); the tensors (name, sizes, type, offset); then their numbers, aligned. All little-endian; the first
 * size is that of a row. Trusts the file.
 *
 * Source: ggml, "GGUF", https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
 */
type MetadataValue = number | boolean | string | readonly (number | boolean | string)[];

interface Tensor {
  sizes: readonly number[];
  type: number;
  /** Index of the first byte in the file. */
  start: number;
}

const ARRAY = 9;
const F16 = 1;
const ALIGNMENT = 32;

export class GgufFile {
  readonly metadata = new Map<string, MetadataValue>();
  readonly tensors = new Map<string, Tensor>();
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 4;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#uint32();
    const [tensors, entries] = [this.#size(), this.#size()];
    for (let entry = 0; entry < entries; entry++)
      this.metadata.set(this.#text(), this.#value(this.#uint32()));
    for (let tensor = 0; tensor < tensors; tensor++) {
      const name = this.#text();
      const sizes = Array.from({ length: this.#uint32() }, () => this.#size());
      this.tensors.set(name, { sizes, type: this.#uint32(), start: this.#size() });
    }
    const data = Math.ceil(this.#at / ALIGNMENT) * ALIGNMENT;
    for (const tensor of this.tensors.values()) tensor.start += data;
  }

  number(key: string, otherwise?: number): number {
    return (this.metadata.get(key) ?? otherwise) as number;
  }

  texts(key: string): readonly string[] {
    return this.metadata.get(key) as readonly string[];
  }

  /** All numbers of a tensor, row by row. A copy. */
  tensor(name: string): Float32Array {
    const { sizes, type, start } = this.tensors.get(name) as Tensor;
    const length = sizes.reduce((product, size) => product * size, 1);
    return Float32Array.from({ length }, (_, index) =>
      type === F16
        ? halfPrecision(this.#view.getUint16(start + 2 * index, true))
        : this.#view.getFloat32(start + 4 * index, true),
    );
  }

  #take<T>(bytes: number, read: (at: number) => T): T {
    const value = read(this.#at);
    this.#at += bytes;
    return value;
  }

  #uint32(): number {
    return this.#take(4, (at) => this.#view.getUint32(at, true));
  }

  #size(): number {
    return Number(this.#take(8, (at) => this.#view.getBigUint64(at, true)));
  }

  #text(): string {
    const length = this.#size();
    return this.#take(length, (at) => new TextDecoder().decode(this.#bytes.subarray(at, at + length)));
  }

  #value(type: number): MetadataValue {
    if (type !== ARRAY) return this.#scalar(type);
    const of = this.#uint32();
    return Array.from({ length: this.#size() }, () => this.#scalar(of));
  }

  /** The types that llama.cpp writes for models of the llama architecture. */
  #scalar(type: number): number | boolean | string {
    if (type === 8) return this.#text();
    if (type === 7) return this.#take(1, (at) => this.#view.getUint8(at) !== 0);
    if (type === 6) return this.#take(4, (at) => this.#view.getFloat32(at, true));
    if (type === 5) return this.#take(4, (at) => this.#view.getInt32(at, true));
    if (type === 4) return this.#uint32();
    throw new Error(`This reader knows no values of type ${type}.`);
  }
}

/** IEEE 754 binary16: one sign bit, five exponent bits (bias 15), ten fraction bits. */
function halfPrecision(bits: number): number {
  const sign = bits < 0x8000 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}
