/** Loads Transformers.js. Its types are declared here, since the package may not be installed. */
import { importOptional } from '../../src/internal.js';

/** The module `@huggingface/transformers`, or one with the same classes. */
export interface TransformersModule {
  readonly AutoTokenizer: unknown;
  readonly AutoModel: unknown;
  readonly AutoModelForSequenceClassification: unknown;
  readonly AutoModelForCausalLM: unknown;
  readonly Tensor: unknown;
}

/** The same, with all that this package uses of it. */
export interface Engine {
  readonly AutoTokenizer: Loader<Tokenizer>;
  readonly AutoModel: Loader<Model>;
  readonly AutoModelForSequenceClassification: Loader<Model>;
  readonly AutoModelForCausalLM: Loader<Model>;
  readonly Tensor: new (type: string, data: ArrayLike<number | bigint>, dims: readonly number[]) => Tensor;
  readonly env?: { readonly cacheDir?: string | null; readonly localModelPath?: string };
}

export type ModelClass = 'AutoModel' | 'AutoModelForSequenceClassification' | 'AutoModelForCausalLM';

interface Loader<T> {
  from_pretrained(model: string, options: LoadOptions): Promise<T>;
}

export interface LoadOptions {
  revision: string;
  local_files_only: boolean;
  cache_dir?: string;
  dtype?: string;
  device?: string;
  session_options?: { intraOpNumThreads: number };
  progress_callback?: (event: ProgressEvent) => void;
}

interface ProgressEvent {
  readonly status: string;
  readonly file?: string;
  readonly loaded?: number;
  readonly total?: number;
}

export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: Numbers;
  /** `cpu`, unless the numbers are in the memory of a graphics card. */
  readonly location: string;
  to(type: 'float32'): Tensor;
  dispose(): void;
}

/** A typed array of any kind. */
export type Numbers = Float32Array | Uint16Array | BigInt64Array;

export interface Encoding {
  readonly input_ids: readonly number[];
  /** 1 for the second text of a pair. Absent if the tokenizer does not tell the texts apart. */
  readonly token_type_ids?: readonly number[];
}

export interface Tokenizer {
  (
    text: string,
    options: {
      text_pair?: string;
      add_special_tokens?: boolean;
      return_token_type_ids?: boolean;
      return_tensor: false;
    },
  ): Encoding;
  readonly model_max_length: number;
  readonly pad_token_id?: number | undefined;
  readonly eos_token_id?: number | undefined;
  readonly all_special_ids: readonly number[];
  readonly all_special_tokens: readonly string[];
  readonly chat_template: unknown;
  get_vocab(): ReadonlyMap<string, number> | Readonly<Record<string, number>>;
  apply_chat_template(messages: readonly { role: string; content: string }[], options: object): string;
  /** The content of `tokenizer.json`. */
  readonly _tokenizerJSON: {
    readonly decoder?: unknown;
    readonly added_tokens?: readonly {
      readonly id: number;
      readonly content: string;
      readonly special: boolean;
    }[];
  };
}

export type Outputs = Readonly<Record<string, Tensor>>;

export interface Model {
  (inputs: Readonly<Record<string, unknown>>): Promise<Outputs>;
  readonly config: ModelConfig;
  readonly generation_config?: { readonly eos_token_id?: number | readonly number[] | null } | null;
  readonly sessions: Readonly<Record<string, Session>>;
  dispose(): Promise<unknown>;
}

export interface ModelConfig {
  readonly model_type?: string;
  readonly max_position_embeddings?: number;
  readonly n_positions?: number;
  readonly pad_token_id?: number | null;
  readonly eos_token_id?: number | readonly number[] | null;
  readonly id2label?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** The number format of the file that was loaded. */
  readonly config?: { readonly dtype?: string };
}

/** Typed as `string`, so that compilers and bundlers do not resolve the package. */
const PACKAGE: string = '@huggingface/transformers';

/**
 * The given module, or the installed package.
 *
 * @param field the function that needs it.
 * @throws ContextShapingError `missing-dependency`, if the package is not installed or cannot be loaded.
 */
export async function loadEngine(given: TransformersModule | undefined, field: string): Promise<Engine> {
  const load = async () => (await import(PACKAGE)) as TransformersModule;
  return (given ?? (await importOptional(load, field, `npm install ${PACKAGE}`))) as Engine;
}
