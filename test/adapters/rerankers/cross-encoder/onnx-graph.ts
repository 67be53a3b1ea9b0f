/**
 * Writes ONNX files, so that tests can make models of their own: the messages of the format that small models need.
 *
 * Source: the schema `onnx/onnx.proto` of the ONNX project (the numbers of the fields), and the encoding of protocol
 * buffers. Operators are those of operator set 17.
 */

type Dimension = number | string;
type ElementType = 'float32' | 'int64';
type Attribute = number | string | readonly number[];

const ELEMENT_TYPES = { float32: 1, int64: 7 } as const;
const VARINT = 0;
const BYTES = 2;
const FLOAT = 5;

/** A number of 64 bits, seven bits to a byte, low bits first. */
function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

const concatenated = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const whole = (field: number, value: number): Uint8Array =>
  concatenated(varint(field * 8 + VARINT), varint(value));
const real = (field: number, value: number): Uint8Array =>
  concatenated(varint(field * 8 + FLOAT), new Uint8Array(Float32Array.of(value).buffer));
const nested = (field: number, ...parts: Uint8Array[]): Uint8Array => {
  const bytes = concatenated(...parts);
  return concatenated(varint(field * 8 + BYTES), varint(bytes.length), bytes);
};
const text = (field: number, value: string): Uint8Array => nested(field, new TextEncoder().encode(value));

function attribute(name: string, value: Attribute): Uint8Array {
  if (typeof value === 'string') return nested(5, text(1, name), text(4, value), whole(20, 3));
  if (typeof value !== 'number')
    return nested(5, text(1, name), ...value.map((each) => whole(8, each)), whole(20, 7));
  return Number.isInteger(value)
    ? nested(5, text(1, name), whole(3, value), whole(20, 2))
    : nested(5, text(1, name), real(2, value), whole(20, 1));
}

function valueInfo(field: number, name: string, type: ElementType, dims: readonly Dimension[]): Uint8Array {
  const sizes = dims.map((each) => nested(1, typeof each === 'number' ? whole(1, each) : text(2, each)));
  return nested(
    field,
    text(1, name),
    nested(2, nested(1, whole(1, ELEMENT_TYPES[type]), nested(2, ...sizes))),
  );
}

/** A graph of operators. Each method that adds something returns the name of the value that it makes. */
export class Graph {
  readonly #parts: Uint8Array[] = [];
  #values = 0;

  /** An input. A dimension with a name may have any size. */
  input(name: string, type: ElementType, dims: readonly Dimension[]): string {
    this.#parts.push(valueInfo(11, name, type, dims));
    return name;
  }

  /** Makes a value an output, under a name. */
  output(name: string, value: string, dims: readonly Dimension[]): void {
    this.#parts.push(nested(1, text(1, value), text(2, name), text(4, 'Identity')));
    this.#parts.push(valueInfo(12, name, 'float32', dims));
  }

  /** Numbers that are part of the model. */
  weights(values: Float32Array, dims: readonly number[]): string {
    return this.#tensor('float32', new Uint8Array(values.buffer, values.byteOffset, values.byteLength), dims);
  }

  /** Whole numbers, such as the dimensions of a shape. */
  integers(values: readonly number[], dims: readonly number[] = [values.length]): string {
    return this.#tensor('int64', new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer), dims);
  }

  /** A number. */
  number(value: number): string {
    return this.weights(Float32Array.of(value), []);
  }

  /** Applies an operator that has one output. */
  apply(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    const output = this.#name();
    this.#parts.push(
      nested(
        1,
        ...inputs.map((input) => text(1, input)),
        text(2, output),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ),
    );
    return output;
  }

  /** x W + b, over the last dimension. W has one row per input. */
  linear(input: string, { weight, bias, inputs, outputs }: Linear): string {
    const product = this.apply('MatMul', [input, this.weights(weight, [inputs, outputs])]);
    return bias === undefined ? product : this.apply('Add', [product, this.weights(bias, [outputs])]);
  }

  /** The bytes of the file. */
  file(): Uint8Array {
    const operatorSet = nested(8, text(1, ''), whole(2, 17));
    return concatenated(whole(1, 8), operatorSet, nested(7, text(2, 'model'), ...this.#parts));
  }

  #name(): string {
    return `v${this.#values++}`;
  }

  #tensor(type: ElementType, bytes: Uint8Array, dims: readonly number[]): string {
    const name = this.#name();
    this.#parts.push(
      nested(
        5,
        ...dims.map((size) => whole(1, size)),
        whole(2, ELEMENT_TYPES[type]),
        text(8, name),
        nested(9, bytes),
      ),
    );
    return name;
  }
}

/** A matrix, one row per input, and a bias. */
export interface Linear {
  weight: Float32Array;
  bias?: Float32Array;
  inputs: number;
  outputs: number;
}
