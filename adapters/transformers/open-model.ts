/** Opens a model of Transformers.js and names its weights. The types are declared here, since the package may not be installed. */
import { ContextShapingError } from '../../src/index.js';
import { builtIns, importOptional, messageOf, rethrowControlFlow } from '../../src/internal.js';
import { serviceError } from '../model-calls/index.js';

/** The module `@huggingface/transformers`, or one with the same classes. */
export interface TransformersModule {
  readonly AutoTokenizer: unknown;
  readonly AutoModelForSequenceClassification: unknown;
  readonly Tensor: unknown;
}

/** The same, with all that this package uses of it. */
interface Engine {
  readonly AutoTokenizer: Loader<Tokenizer>;
  readonly AutoModelForSequenceClassification: Loader<Model>;
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

interface Loader<T> {
  from_pretrained(model: string, options: object): Promise<T>;
}

export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
  /** `cpu`, unless the numbers are in the memory of a graphics card. */
  readonly location: string;
  to(type: 'float32'): Tensor;
  dispose(): void;
}

export interface Tokenizer {
  (
    text: string,
    options: { text_pair: string; return_token_type_ids: true; return_tensor: false },
  ): {
    readonly input_ids: readonly number[];
    /** 1 for the second text of a pair. Absent if the tokenizer does not tell the texts apart. */
    readonly token_type_ids?: readonly number[];
  };
  readonly model_max_length: number;
  readonly pad_token_id?: number | undefined;
  readonly all_special_ids: readonly number[];
  readonly all_special_tokens: readonly string[];
}

interface Model {
  (inputs: Readonly<Record<string, Tensor>>): Promise<{ readonly logits: Tensor }>;
  readonly config: {
    readonly model_type?: string;
    readonly max_position_embeddings?: number;
    readonly pad_token_id?: number | null;
    readonly id2label?: Readonly<Record<string, string>>;
  };
  readonly sessions: Readonly<
    Record<string, { readonly outputNames: readonly string[]; readonly config?: { readonly dtype?: string } }>
  >;
  dispose(): Promise<unknown>;
}

export interface OpenModel {
  readonly tokenizer: Tokenizer;
  readonly model: Model;
  tensor(data: BigInt64Array, dims: readonly number[]): Tensor;
  /** The id on the hub, or the name of the folder. */
  readonly modelId: string;
  /** The largest number of tokens of a text, including those that the tokenizer adds. */
  readonly maxLength: number;
  /** Names the weights: the id, revision and number format, or a digest of the files of a folder. */
  identify(): Promise<string>;
}

/** Typed as `string`, so that compilers and bundlers do not resolve the package. */
const PACKAGE: string = '@huggingface/transformers';

/** Ids of the hub: a name, or an owner and a name. */
const HUB_ID = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/**
 * @throws ContextShapingError `missing-dependency`, if the package is not installed; `invalid-input`, if the model is not
 *   found, cannot be loaded, or has no logits.
 */
export async function openModel(
  model: string,
  loading: Readonly<Record<string, unknown>>,
  given: TransformersModule | undefined,
): Promise<OpenModel> {
  const load = async () => (await import(PACKAGE)) as TransformersModule;
  const engine = (given ?? (await importOptional(load, 'crossEncoder', `npm install ${PACKAGE}`))) as Engine;
  const folder = await folderOf(model);
  const opened = await loaded(engine, folder ?? model, loading).catch((cause) => {
    rethrowControlFlow(cause);
    throw invalid(model, messageOf(cause), 'cannot be loaded', cause);
  });
  const [session] = Object.values(opened.model.sessions);
  if (session?.outputNames.includes('logits') !== true) {
    await opened.model.dispose();
    throw invalid(model, session?.outputNames.join(', '), 'has no output logits');
  }
  const dtype = session.config?.dtype ?? String(loading.dtype ?? 'fp32');
  let name: Promise<string> | undefined;
  return {
    ...opened,
    tensor: (data, dims) => new engine.Tensor('int64', data, dims),
    modelId: folder?.split(/[/\\]/).findLast((part) => part !== '') ?? model,
    maxLength: maxLengthOf(opened),
    async identify() {
      if (folder === undefined) return `transformers.js:${model}@${loading.revision ?? 'main'}:${dtype}`;
      // A file that cannot be read now may be readable later.
      name ??= digestOf(folder, dtype).catch((error) => {
        name = undefined;
        throw error;
      });
      return name;
    },
  };
}

/**
 * The absolute path of a folder; undefined for an id. Transformers.js takes a relative path for an id. In a browser it
 * takes a path that begins with a slash for one of the page's server.
 */
async function folderOf(model: string): Promise<string | undefined> {
  const builtin = builtIns();
  if (builtin === undefined) return undefined;
  const { stat } = builtin('node:fs/promises');
  const isFolder = await stat(model).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return builtin('node:path').resolve(model);
  if (HUB_ID.test(model)) return undefined;
  throw invalid(model, model, 'is neither a folder nor the id of a model');
}

async function loaded(
  engine: Engine,
  path: string,
  loading: object,
): Promise<Pick<OpenModel, 'tokenizer' | 'model'>> {
  const tokenizer = await engine.AutoTokenizer.from_pretrained(path, loading);
  return { tokenizer, model: await engine.AutoModelForSequenceClassification.from_pretrained(path, loading) };
}

function invalid(field: string, value: unknown, is: string, cause?: unknown): ContextShapingError {
  const files = 'config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx';
  const remedy = `Give a folder, or the id of a model on the hub, that classifies pairs and has ${files}, or the file that loading.dtype names.`;
  return new ContextShapingError('invalid-input', { field, value, is, remedy, cause });
}

/** In these architectures, positions are counted from the number after that of padding. */
const POSITIONS_AFTER_PADDING = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet']);

function maxLengthOf({ tokenizer, model: { config } }: Pick<OpenModel, 'tokenizer' | 'model'>): number {
  const { model_type = '', max_position_embeddings = Number.POSITIVE_INFINITY, pad_token_id } = config;
  const reserved = POSITIONS_AFTER_PADDING.has(model_type) ? (pad_token_id ?? 0) + 1 : 0;
  return Math.min(max_position_embeddings - reserved, tokenizer.model_max_length);
}

/** The end of the name of the ONNX file, for each number format that does not name itself there. */
const SUFFIXES: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };

/**
 * A digest of the files in a folder that decide the scores, each after its name, in the order of the names.
 *
 * @throws ContextShapingError `service`, naming the file that can no longer be read.
 */
async function digestOf(folder: string, dtype: string): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const { readdir } = process.getBuiltinModule('node:fs/promises');
  const { join } = process.getBuiltinModule('node:path');
  const weights = `model${SUFFIXES[dtype] ?? `_${dtype}`}.onnx`;
  const digest = createHash('sha256');
  let path = folder;
  try {
    // Weights of more than 2 GB are in files of their own: model.onnx_data, model.onnx_data_1.
    const parts = (await readdir(join(folder, 'onnx'))).filter(
      (name) => name === weights || name.startsWith(`${weights}_data`),
    );
    const texts = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
    for (const name of [...texts, ...parts.map((part) => `onnx/${part}`)].sort()) {
      path = join(folder, name);
      digest.update(`${name}\n`);
      for await (const bytes of createReadStream(path)) digest.update(bytes);
    }
  } catch (cause) {
    const remedy = 'Leave the files in the folder from which the model was loaded.';
    throw serviceError(path, messageOf(cause), 'cannot be read to identify the model', remedy, cause);
  }
  return `transformers.js:sha256:${digest.digest('hex')}`;
}
