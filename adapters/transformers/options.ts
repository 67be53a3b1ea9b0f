import * as z from 'zod';
import type { TransformersModule } from './engine.js';

const NUMBER_FORMATS = [
  ...(['auto', 'fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const),
  ...(['q2', 'q2f16', 'q1', 'q1f16'] as const),
] as const;

/** The number formats of ONNX files that Transformers.js knows. */
type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** The options of all models of Transformers.js. */
export interface TransformersOptions {
  /**
   * A folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`; or the id of a model on
   * the Hugging Face hub that has these files: `Xenova/ms-marco-MiniLM-L-6-v2`. A folder comes first. In a browser, a
   * folder is a path on the page's own server that begins with `/`, and needs `env.allowLocalModels = true`.
   */
  model: string;
  /** The revision of a model on the hub: a branch, a tag or a commit. Only a commit names fixed weights. Default `main`. */
  revision?: string | undefined;
  /**
   * The number format, which chooses the file: `fp32` is `model.onnx`, `q8` is `model_quantized.onnx`, and `fp16` is
   * `model_fp16.onnx`, as all others are named.
   * Default: `fp32` in Node, `q8` with WebAssembly in browsers.
   */
  dtype?: NumberFormat | undefined;
  /** The device: `cpu`, `cuda`, `coreml` or `webgpu`. Default: the processor; in browsers, WebAssembly. */
  device?: string | undefined;
  /**
   * The number of threads for arithmetic in Node. Default: the number of cores. Threads wait for each other in busy loops,
   * so on a machine with other work fewer threads can be faster.
   */
  threads?: number | undefined;
  /** The largest number of tokens of a text with its question or prompt, up to the limit of the model. Default: that limit. */
  maxLength?: number | undefined;
  /** Gets the progress of each file while it is loaded, in bytes. An error that it throws ends the loading. */
  onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Whether to take models from the disk only and download nothing. Default `false`. */
  localFilesOnly?: boolean | undefined;
  /** The folder for downloaded files. Default: that of the package, `env.cacheDir`. Not used in browsers. */
  cacheDir?: string | undefined;
  /** The module `@huggingface/transformers`. Give it where a bundler is used. Default: the installed package. */
  transformers?: TransformersModule | undefined;
}

export interface LoadProgress {
  /** The file, as a path inside the model. */
  readonly file: string;
  /** Bytes so far. */
  readonly loaded: number;
  /** All bytes. */
  readonly total: number;
}

const text = z.string().min(1);

/** The schemas of {@link TransformersOptions}. */
export const COMMON_OPTIONS = {
  model: text,
  revision: text.default('main'),
  // Transformers.js takes a name that it does not know for its default.
  dtype: z.enum(NUMBER_FORMATS).optional(),
  device: text.optional(),
  threads: z.int().min(1).optional(),
  maxLength: z.int().min(8).optional(),
  onProgress: z
    .custom<(progress: LoadProgress) => void>((value) => typeof value === 'function', 'must be a function')
    .optional(),
  localFilesOnly: z.boolean().default(false),
  cacheDir: text.optional(),
  transformers: z
    .custom<TransformersModule>(
      (value) => typeof (value as { AutoTokenizer?: unknown } | null)?.AutoTokenizer === 'function',
      'must be the module @huggingface/transformers',
    )
    .optional(),
};

const commonSchema = z.strictObject(COMMON_OPTIONS);
export type CommonOptions = z.output<typeof commonSchema>;
