/** Loads node-llama-cpp. Its types are declared here, since the package may not be installed. */
import { ContextShapingError } from '../../src/index.js';
import { importOptional, messageOf } from '../../src/internal.js';

/** The fields and methods that this package uses of node-llama-cpp's `LlamaModel`. */
export interface LlamaModelLike {
  readonly llama: {
    /** The number of processor cores that are useful for arithmetic. */
    readonly cpuMathCores: number;
  };
  readonly tokens: { readonly bos: number | null; readonly shouldPrependBosToken: boolean };
  readonly fileInfo: {
    /** The files of the model: large models have several. */
    readonly sourceData: readonly { readonly type: string; readonly path?: string }[];
    readonly metadata: {
      readonly tokenizer: { readonly ggml: { readonly model: string; readonly tokens: readonly string[] } };
    };
  };
  tokenize(text: string, parseSpecial: boolean): number[];
  getTokenAttributes(token: number): {
    readonly control: boolean;
    readonly unknown: boolean;
    readonly userDefined: boolean;
  };
  /** Whether the token ends the generated text. */
  isEogToken(token: number | undefined): boolean;
  createContext(options: ContextOptions): Promise<LlamaContext>;
  createRankingContext?(options: RankingContextOptions): Promise<RankingContextLike>;
}

interface RankingContextOptions {
  contextSize: number | { max: number };
  threads: number;
}

/** The fields and methods that this package uses of node-llama-cpp's `LlamaRankingContext`. */
export interface RankingContextLike {
  readonly model: LlamaModelLike;
  /** Returns a probability: the engine itself applies the logistic function where the model does not. */
  rank(query: string, document: string, options?: { onOverflow?: 'maxChunk' }): Promise<number>;
  /** The number of tokens that are evaluated for a query and a document. */
  calculateInputLength(query: string, document: string): number;
  dispose(): Promise<void>;
}

interface ContextOptions {
  contextSize: number | { max: number };
  threads: number;
  experimentalKvCacheKeyType?: 'F32';
  experimentalKvCacheValueType?: 'F32';
  flashAttention?: false;
}

export interface LlamaContext {
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaSequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  compareContextTokens(tokens: number[]): { firstDifferentIndex: number };
  eraseContextTokenRanges(ranges: { start: number; end: number }[]): Promise<void>;
  clearHistory(): Promise<void>;
  /** Returns an answer for each token whose options ask for one. */
  controlledEvaluate(input: (number | [token: number, options: object])[]): Promise<unknown[]>;
}

/** The prediction after a token: some logits, and Σ exp(x − max x) over all tokens. */
export interface Evaluated {
  next: { logits: ReadonlyMap<number, number>; totalLogitWeight: number };
}

export type Gpu = 'auto' | 'metal' | 'cuda' | 'vulkan' | false;

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<LlamaModelLike>;
  dispose(): Promise<void>;
}

interface Package {
  getLlama(options: { gpu: Gpu; build: 'never'; skipDownload: true; logLevel: 'error' }): Promise<Llama>;
  NoBinaryFoundError: new () => Error;
}

/** Typed as `string`, so that compilers and bundlers do not resolve the package. */
const PACKAGE: string = 'node-llama-cpp';

/**
 * Loads the engine. Nothing is built or downloaded.
 *
 * @param user the function that needs it, for the error.
 * @throws ContextShapingError `missing-dependency`, if the package or its binary for this machine is not installed.
 */
export async function loadEngine(gpu: Gpu, user: string): Promise<Llama> {
  // Without these flags npm installs 725 MB, for all kinds of graphics cards, or compiles for ten minutes.
  const install = `npm install ${PACKAGE} ${binary(gpu)} --omit=optional --ignore-scripts`;
  const engine = await importOptional(importPackage, user, install);
  try {
    return await engine.getLlama({ gpu, build: 'never', skipDownload: true, logLevel: 'error' });
  } catch (cause) {
    if (!(cause instanceof engine.NoBinaryFoundError)) throw cause;
    throw new ContextShapingError('missing-dependency', {
      field: binary(gpu),
      value: messageOf(cause),
      is: 'is not installed, or does not run on this machine',
      remedy: `Run: ${install}`,
      cause,
    });
  }
}

async function importPackage(): Promise<Package> {
  try {
    return await import(PACKAGE);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_REQUIRE_ASYNC_MODULE') throw cause;
    // In CommonJS the compiler turned `import()` into `require()`, which cannot load a module with a top-level await.
    // It does not change this text.
    return new Function('name', 'return import(name)')(PACKAGE);
  }
}

/** The package with the binary for this machine. */
function binary(gpu: Gpu): string {
  const { platform, arch } = process;
  const system = platform === 'darwin' ? 'mac' : platform === 'win32' ? 'win' : platform;
  const processor = arch === 'arm' ? 'armv7l' : arch;
  const card = system === 'mac' && arch === 'arm64' ? 'metal' : gpu === 'auto' ? false : gpu;
  return `@node-llama-cpp/${system}-${processor}${card === false ? '' : `-${card}`}`;
}
