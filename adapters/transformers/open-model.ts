/** Opens models: finds their folder, loads tokenizer and session, and names the weights. */
import { ContextShapingError } from '../../src/index.js';
import { builtIns, messageOf, rethrowControlFlow, silence } from '../../src/internal.js';
import {
  freedBy,
  type InMemory,
  invalidOption,
  serviceError,
  type Turns,
  turns,
} from '../model-calls/index.js';
import {
  type Engine,
  type LoadOptions,
  loadEngine,
  type Model,
  type ModelClass,
  type ModelConfig,
  type Session,
  type Tokenizer,
} from './engine.js';
import type { CommonOptions } from './options.js';
import { plainText } from './plain-text.js';

/** A model that is loaded, and its tokenizer. */
export interface OpenModel {
  readonly engine: Engine;
  readonly tokenizer: Tokenizer;
  readonly model: Model;
  readonly session: Session;
  /** Makes a text plain: see {@link plainText}. */
  readonly plain: (text: string) => string;
  /** The fields that all models have. `modelId`: the id on the hub, or the name of the folder. */
  readonly common: { specificationVersion: 'v1'; provider: string; modelId: string } & InMemory;
  /** The largest number of tokens of a text, including those that the tokenizer adds. */
  readonly maxLength: number;
  /** Names the weights: the id, revision and number format, or a digest of the files of a folder. */
  identify(): Promise<string>;
  /** Runs one piece of work at a time. */
  readonly inTurn: Turns;
}

interface Place {
  /** The absolute path or the id that Transformers.js gets. */
  path: string;
  /** Whether the model is a folder of the user, named by a digest; else it is named by its id. */
  isFolder: boolean;
}

/**
 * @param field the function that opens the model.
 * @param outputs the outputs of which the model must have one.
 * @throws ContextShapingError `missing-dependency`, if the package is not installed; `invalid-input`, if the model is not
 *   found, lacks a file, or has another architecture; `invalid-options`, if `maxLength` or `device` is out of range.
 * @throws ContextShapingError `service`, if loading fails otherwise, for instance for lack of memory or network.
 */
export async function openModel(
  options: CommonOptions,
  field: string,
  modelClass: ModelClass,
  outputs: readonly string[],
): Promise<OpenModel> {
  const engine = await loadEngine(options.transformers, field);
  const place = await placeOf(options, engine);
  const { tokenizer, model } = await load(engine, place, options, modelClass);
  try {
    const [session] = Object.values(model.sessions);
    if (session === undefined || !outputs.some((each) => session.outputNames.includes(each))) {
      throw invalid(options.model, {
        value: session?.outputNames.join(', '),
        is: `has no output ${outputs.join(' or ')}`,
        remedy: `Give a model that was exported for ${field}.`,
      });
    }
    const maxLength = maxLengthOf(options.maxLength, tokenizer, model.config);
    const dtype = session.config?.dtype ?? options.dtype ?? 'fp32';
    return opened({ engine, tokenizer, model, session, maxLength }, place, options, dtype);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

function opened(
  loaded: Pick<OpenModel, 'engine' | 'tokenizer' | 'model' | 'session' | 'maxLength'>,
  { path, isFolder }: Place,
  { model: id, revision }: CommonOptions,
  dtype: string,
): OpenModel {
  const inTurn = turns();
  let name: Promise<string> | undefined;
  let freed: Promise<void> | undefined;
  let isFree = false;
  return {
    ...loaded,
    plain: plainText(loaded.tokenizer),
    common: {
      specificationVersion: 'v1',
      provider: 'transformers.js',
      modelId: isFolder ? (path.split(/[/\\]/).findLast((part) => part !== '') ?? id) : id,
      ...freedBy(() => {
        freed ??= inTurn(async () => {
          isFree = true;
          await loaded.model.dispose();
        });
        return freed;
      }),
    },
    async identify() {
      if (!isFolder) return `transformers.js:${id}@${revision}:${dtype}`;
      // A file that cannot be read now may be readable later.
      name ??= digestOf(path, dtype).catch((error) => {
        name = undefined;
        throw error;
      });
      return name;
    },
    inTurn: (work, signal) =>
      inTurn(async () => {
        try {
          if (isFree) throw new Error('The model was disposed of.');
          return await work();
        } catch (cause) {
          rethrowControlFlow(cause, signal);
          throw ContextShapingError.isInstance(cause) ? cause : failed('cannot evaluate', cause);
        }
      }, signal),
  };
}

/** Ids of the hub: a name, or an owner and a name. */
const HUB_ID = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/** Folders are found here: Transformers.js takes a relative path for an id, and looks for it in its own folder. */
async function placeOf(
  { model, revision, localFilesOnly, cacheDir }: CommonOptions,
  { env }: Engine,
): Promise<Place> {
  const builtin = builtIns();
  // In a browser, Transformers.js itself takes a path that begins with a slash for one of the page's server.
  if (builtin === undefined) return { path: model, isFolder: false };
  const { stat } = builtin('node:fs/promises');
  const { join, resolve } = builtin('node:path');
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (await isFolder(model)) return { path: resolve(model), isFolder: true };
  if (!HUB_ID.test(model)) {
    throw invalid(model, {
      value: model,
      is: 'is neither a folder nor the id of a model',
      remedy: 'Give the path of a folder that exists, or an id such as Xenova/ms-marco-MiniLM-L-6-v2.',
    });
  }
  if (!localFilesOnly) return { path: model, isFolder: false };
  // With an id, Transformers.js asks the network for the files of the tokenizer, in spite of its options.
  const parents = [cacheDir ?? env?.cacheDir, env?.localModelPath].filter((each) => each != null);
  for (const parent of parents) {
    const path = resolve(join(parent, model, revision === 'main' ? '' : revision));
    if (await isFolder(path)) return { path, isFolder: false };
  }
  throw invalid(model, {
    value: parents.join(', '),
    is: 'is not on the disk',
    remedy:
      'Load it once without localFilesOnly, with the same cacheDir and revision, or give the path of a folder.',
  });
}

async function load(
  engine: Engine,
  { path }: Place,
  { model: id, revision, dtype, device, threads, onProgress, localFilesOnly, cacheDir }: CommonOptions,
  modelClass: ModelClass,
): Promise<{ tokenizer: Tokenizer; model: Model }> {
  const options: LoadOptions = {
    revision,
    local_files_only: localFilesOnly,
    ...(cacheDir === undefined ? {} : { cache_dir: cacheDir }),
    ...(onProgress === undefined
      ? {}
      : {
          progress_callback: ({ status, file, loaded, total }) => {
            if (status === 'progress' && file !== undefined)
              silence(onProgress({ file, loaded: loaded ?? 0, total: total ?? 0 }));
          },
        }),
  };
  try {
    const tokenizer = await engine.AutoTokenizer.from_pretrained(path, options);
    const model = await engine[modelClass].from_pretrained(path, {
      ...options,
      ...(dtype === undefined ? {} : { dtype }),
      ...(device === undefined ? {} : { device }),
      ...(threads === undefined ? {} : { session_options: { intraOpNumThreads: threads } }),
    });
    return { tokenizer, model };
  } catch (cause) {
    rethrowControlFlow(cause);
    throw notLoaded(id, cause);
  }
}

/** The message tells the cause: Transformers.js has a class of errors for missing files only. */
function notLoaded(model: string, cause: unknown): ContextShapingError {
  const value = messageOf(cause);
  const details = { value, cause };
  if (/^Unsupported model type/.test(value)) {
    return invalid(model, {
      ...details,
      is: 'has an architecture that Transformers.js does not run for this task',
      remedy: 'Give a model of another architecture, or one that was exported for this task.',
    });
  }
  // Without tokenizer_config.json, the loader of tokenizers reads a field of nothing.
  if ((cause as Error)?.name === 'ModelFileNotFoundError' || /tokenizer_class/.test(value)) {
    return invalid(model, {
      ...details,
      is: 'lacks a file, or does not exist',
      remedy:
        'Give a model with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx, or the dtype of an ONNX file that it has.',
    });
  }
  if (/^Unsupported device/.test(value)) {
    return new ContextShapingError('invalid-options', {
      field: 'device',
      ...details,
      is: 'is not on this machine',
      remedy: 'Give a device that the message lists, or leave it out.',
    });
  }
  return failed('cannot load the model', cause);
}

function invalid(
  field: string,
  details: { value: unknown; is: string; remedy: string; cause?: unknown },
): ContextShapingError {
  return new ContextShapingError('invalid-input', { field, ...details });
}

function failed(is: string, cause: unknown): ContextShapingError {
  return serviceError(
    '@huggingface/transformers',
    messageOf(cause),
    is,
    'Give a smaller model, batchSize or maxLength if memory is short; do not use a model after dispose().',
    cause,
  );
}

/** In these architectures, positions are counted from the number after that of padding. */
const POSITIONS_AFTER_PADDING = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet']);

/** @throws ContextShapingError `invalid-options`, if the length asked for is more than the model has. */
function maxLengthOf(asked: number | undefined, tokenizer: Tokenizer, config: ModelConfig): number {
  const { model_type, max_position_embeddings, n_positions, pad_token_id } = config;
  const reserved = POSITIONS_AFTER_PADDING.has(model_type ?? '') ? (pad_token_id ?? 0) + 1 : 0;
  const positions = (max_position_embeddings ?? n_positions ?? Number.POSITIVE_INFINITY) - reserved;
  const most = Math.min(positions, tokenizer.model_max_length);
  if (asked !== undefined && asked > most) {
    throw invalidOption(
      'maxLength',
      asked,
      `is more than the ${most} tokens of the model`,
      `Give at most ${most}, or leave it out.`,
    );
  }
  return asked ?? most;
}

/** The end of the name of the ONNX file, for each number format that does not name itself there. */
const SUFFIXES: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };

/**
 * A digest of the files in a folder that decide the outputs of the model, each after its name, in the order of the names.
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
    const names = [
      ...(await readdir(folder)).filter((name) =>
        /^(?:config|generation_config|tokenizer|tokenizer_config)\.json$/.test(name),
      ),
      // Weights of more than 2 GB are in files of their own: model.onnx_data, model.onnx_data_1.
      ...(await readdir(join(folder, 'onnx')))
        .filter((name) => name === weights || name.startsWith(`${weights}_data`))
        .map((name) => `onnx/${name}`),
    ].sort();
    for (const name of names) {
      path = join(folder, name);
      digest.update(`${name}\n`);
      for await (const bytes of createReadStream(path)) digest.update(bytes);
    }
  } catch (cause) {
    throw serviceError(
      path,
      messageOf(cause),
      'cannot be read to identify the model',
      'Leave the files in the folder from which the model was loaded.',
      cause,
    );
  }
  return `transformers.js:sha256:${digest.digest('hex')}`;
}
