import { GgufFile } from '../../gguf/reader.js';
import { tinyModel } from './items.js';

const ALIGNMENT = 32;
const BYTES_OF_F16 = 2;

/** The small model with shuffled embeddings: each token has the embedding of another. The file is well-formed. */
export function brokenTinyModel(): Uint8Array {
  const bytes = Buffer.from(tinyModel());
  const entries = Array.from(new GgufFile(bytes).tensors.keys(), (name) => entryOf(bytes, name));
  const dataStart = Math.ceil(Math.max(...entries.map(({ end }) => end)) / ALIGNMENT) * ALIGNMENT;
  const { rowLength, rows, offset } = entryOf(bytes, 'token_embd.weight');
  const rowBytes = rowLength * BYTES_OF_F16;
  const start = dataStart + offset;
  const before = Buffer.from(bytes.subarray(start, start + rows * rowBytes));
  for (let row = 0; row < rows; row++) {
    before.copy(bytes, start + row * rowBytes, (rows - 1 - row) * rowBytes, (rows - row) * rowBytes);
  }
  return bytes;
}

/** Finds a tensor in the table of the file: name, number of sizes, sizes, type, offset. */
function entryOf(bytes: Buffer, name: string) {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(name.length));
  const sizesAt = bytes.indexOf(Buffer.concat([length, Buffer.from(name)])) + 8 + name.length;
  const dimensions = bytes.readUInt32LE(sizesAt);
  const size = (place: number) => Number(bytes.readBigUInt64LE(sizesAt + 4 + 8 * place));
  const offsetAt = sizesAt + 4 + 8 * dimensions + 4;
  return {
    rowLength: size(0),
    rows: dimensions > 1 ? size(1) : 1,
    offset: Number(bytes.readBigUInt64LE(offsetAt)),
    end: offsetAt + 8,
  };
}
