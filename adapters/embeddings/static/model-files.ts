/** The files of a static model: their errors, and the tensors in `model.safetensors`. */
import * as z from 'zod';
import type { ContextShapingError } from '../../../src/index.js';
import { invalidInput, isObject, messageOf, parseJson } from '../../../src/internal.js';

/** The command of Hugging Face that downloads a model into a folder. */
const DOWNLOAD = 'hf download OWNER/MODEL config.json tokenizer.json model.safetensors --local-dir FOLDER';

/** The error for a malformed file of a model. `field` begins with the name of the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = `Download the model again: ${DOWNLOAD}.`,
): ContextShapingError {
  return invalidInput(field, value, is, remedy);
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, cause: unknown): ContextShapingError {
  const { code } = cause as NodeJS.ErrnoException;
  const is = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be read';
  const remedy = `Give the path of a folder that this command has filled: ${DOWNLOAD}.`;
  return invalidInput(path, code ?? messageOf(cause), is, remedy, cause);
}

const FILE = 'model.safetensors';
const NO_STATIC_MODEL = 'Use a model of the model2vec format, such as minishlab/potion-base-8M.';

interface Tensor {
  shape: readonly number[];
  /** All numbers, row by row; all finite. A copy: later changes of the file's bytes do not change it. */
  values: Int8Array | Float32Array;
}

/** The vectors of a static model, row by row: the row of a token is its id. */
export interface Rows {
  values: Tensor['values'];
  dimension: number;
}

/**
 * Reads the vectors of a static model, and checks them against the tokenizer.
 *
 * @param idCount the number of ids of the tokenizer: 0 to `idCount - 1`.
 * @throws ContextShapingError `invalid-input`.
 */
export function readRows(safetensors: Uint8Array, idCount: number): Rows {
  const tensors = readSafetensors(safetensors);
  for (const name of ['mapping', 'weights'])
    if (tensors.has(name))
      throw malformed(`${FILE}: ${name}`, 'a tensor', 'is of a quantised vocabulary', NO_STATIC_MODEL);
  // The second name is the one of Sentence Transformers.
  const read = tensors.get('embeddings') ?? tensors.get('embedding.weight');
  if (read === undefined) throw malformed(`${FILE}: embeddings`, undefined, 'is missing', NO_STATIC_MODEL);
  const embeddings = read();
  const [count, dimension] = embeddings.shape;
  const wrongShape = (is: string, remedy?: string) =>
    malformed(`${FILE}: embeddings.shape`, `[${embeddings.shape.join(', ')}]`, is, remedy);
  if (count === undefined || !dimension || embeddings.shape.length > 2)
    throw wrongShape('must be [rows, dimension]', NO_STATIC_MODEL);
  if (count !== idCount) throw wrongShape(`must have ${idCount} rows: one per token of tokenizer.json`);
  return { values: embeddings.values, dimension };
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
  F32: { bytes: 4, array: Float32Array, read: (view, at) => view.getFloat32(at, true) },
  I8: { bytes: 1, array: Int8Array, read: (view, at) => view.getInt8(at) },
};

const size = z.int().min(0);
const headerSchema = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(size), data_offsets: z.tuple([size, size]) }),
);

/**
 * Reads safetensors: eight bytes with the length of the header (unsigned, little-endian), the header as JSON
 * (`{ name: { dtype, shape, data_offsets: [from, to] } }`), then the numbers, little-endian and row by row.
 *
 * Source: Hugging Face, "Safetensors: format", https://github.com/huggingface/safetensors#format.
 *
 * @returns a function for each tensor, which reads it. Types: F32, I8.
 * @throws ContextShapingError `invalid-input`, at once if the header is malformed, or the file cut off or too long; when a
 *   tensor is read, if it has another type or size, or numbers that are not finite.
 */
function readSafetensors(bytes: Uint8Array): ReadonlyMap<string, () => Tensor> {
  if (!ArrayBuffer.isView(bytes)) {
    throw malformed(FILE, bytes, 'must be a Uint8Array', 'Give the bytes of the file.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + (bytes.length < 8 ? 0 : Number(view.getBigUint64(0, true)));
  const header = start > bytes.length ? undefined : headerIn(bytes.subarray(8, start));
  if (header === undefined) throw malformed(FILE, bytes.length, 'is cut off, or not a safetensors file');
  const end = Math.max(0, ...Object.values(header).map(({ data_offsets: [, to] }) => to));
  const length = bytes.length - start;
  if (end !== length) {
    throw malformed(FILE, length, `is cut off or too long: it must have ${end} bytes after its header`);
  }
  const data = new DataView(view.buffer, view.byteOffset + start);
  return new Map(Object.entries(header).map(([name, entry]) => [name, () => readTensor(name, entry, data)]));
}

function headerIn(bytes: Uint8Array): z.output<typeof headerSchema> | undefined {
  const header = parseJson(new TextDecoder().decode(bytes));
  if (!isObject(header)) return undefined;
  const { __metadata__: _, ...entries } = header;
  return headerSchema.safeParse(entries).data;
}

function readTensor(
  name: string,
  { dtype, shape, data_offsets: [from, to] }: z.output<typeof headerSchema>[string],
  data: DataView,
): Tensor {
  const type = TYPES[dtype];
  if (type === undefined) {
    const remedy = `Use a model with one of these types: ${Object.keys(TYPES).join(', ')}.`;
    throw malformed(`${FILE}: ${name}.dtype`, dtype, 'is not supported', remedy);
  }
  const { bytes, array, read } = type;
  const expected = bytes * shape.reduce((product, length) => product * length, 1);
  if (expected !== to - from) {
    const is = `must be ${expected} bytes apart, for ${dtype} numbers of shape [${shape.join(', ')}]`;
    throw malformed(`${FILE}: ${name}.data_offsets`, to - from, is);
  }
  const values = new array(expected / bytes);
  for (let index = 0; index < values.length; index++) {
    const value = read(data, from + index * bytes);
    if (!Number.isFinite(value)) throw malformed(`${FILE}: ${name}[${index}]`, value, 'must be finite');
    values[index] = value;
  }
  return { shape, values };
}
