/** The table of tensors in a GGUF file, and their numbers: F32 and F16 (IEEE 754 binary32, binary16). */
import type { ByteCursor } from './byte-cursor.js';
import { malformed, unsupported } from './errors.js';

export interface Tensor {
  /** The length of a row first. */
  sizes: readonly number[];
  type: number;
  /** Index of the first byte in the file. */
  start: number;
}

const F32 = 0;
const F16 = 1;
const BYTES: Record<number, number> = { [F32]: 4, [F16]: 2 };
const MOST_SIZES = 4;

/** @throws ContextShapingError `invalid-input`, if a tensor is malformed, ends after the file, or overlaps with another. */
export function tensorTable(cursor: ByteCursor, count: number, alignment: number): Map<string, Tensor> {
  if (!Number.isSafeInteger(alignment) || alignment < 1 || alignment > 2 ** 16) {
    throw malformed('general.alignment', alignment, 'must be a whole number, at least 1, at most 65,536');
  }
  const tensors = new Map<string, Tensor>();
  for (let index = 0; index < count; index++) {
    const name = cursor.at(`tensor[${index}]`).text();
    if (tensors.has(name)) throw malformed(name, name, 'occurs twice');
    const dimensions = cursor.at(name).uint32();
    if (dimensions > MOST_SIZES) throw malformed(name, dimensions, `has more than ${MOST_SIZES} dimensions`);
    const sizes = Array.from({ length: dimensions }, () => cursor.size());
    tensors.set(name, { sizes, type: cursor.uint32(), start: cursor.size() });
  }
  const dataStart = Math.ceil(cursor.position / alignment) * alignment;
  for (const tensor of tensors.values()) tensor.start += dataStart;
  checkBounds(tensors, cursor.view.byteLength);
  return tensors;
}

/** Tensors may not overlap: a small file could otherwise claim a lot of memory. */
function checkBounds(tensors: ReadonlyMap<string, Tensor>, fileLength: number): void {
  let end = 0;
  for (const [name, { sizes, type, start }] of [...tensors].sort(([, a], [, b]) => a.start - b.start)) {
    if (start < end) throw malformed(name, start, 'overlaps with another tensor');
    end = start + product(sizes) * (BYTES[type] ?? 0);
    if (!(end <= fileLength))
      throw malformed(name, fileLength, `is cut off: it ends at byte ${end} of the file`);
  }
}

export function readTensor(
  view: DataView,
  name: string,
  { sizes, type, start }: Tensor,
  expected: readonly number[],
): Float32Array {
  if (sizes.join() !== expected.join()) {
    throw malformed(name, sizes.join(' x '), `must be ${expected.join(' x ')}`);
  }
  const bytes = BYTES[type];
  if (bytes === undefined)
    throw unsupported(name, `type ${type}`, 'is quantised: only F32 and F16 can be read');
  const halves = type === F16 ? allHalves() : undefined;
  const values = new Float32Array(product(sizes));
  for (let index = 0; index < values.length; index++) {
    const at = start + index * bytes;
    const value = halves ? (halves[view.getUint16(at, true)] as number) : view.getFloat32(at, true);
    if (!Number.isFinite(value)) throw malformed(`${name}[${index}]`, value, 'must be finite');
    values[index] = value;
  }
  return values;
}

const product = (sizes: readonly number[]) => sizes.reduce((all, size) => all * size, 1);

/** The values of all binary16 numbers: one sign bit, five exponent bits (bias 15), ten fraction bits. */
function allHalves(): Float32Array {
  return Float32Array.from({ length: 2 ** 16 }, (_, bits) => {
    const sign = bits < 0x8000 ? 1 : -1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
  });
}
