import { invalidInput, messageOf, orAborted } from '../../src/internal.js';
import { invalidOption, serviceError } from '../model-calls/index.js';
import { type Gpu, type LlamaModelLike, loadEngine } from './engine.js';

interface Given {
  modelPath?: string | undefined;
  model?: LlamaModelLike | undefined;
  gpu: Gpu;
}

interface Opened {
  model: LlamaModelLike;
  /** Frees a model that was loaded here. Leaves a model of the caller alone. */
  free(): Promise<void>;
}

/**
 * The given model, or the model of the given file.
 *
 * @param user the function that opens it, for errors.
 */
export async function openModel({ modelPath, model, gpu }: Given, user: string): Promise<Opened> {
  if (model !== undefined && modelPath === undefined) return { model, free: async () => {} };
  if (model !== undefined || modelPath === undefined) {
    throw invalidOption(
      'modelPath',
      modelPath,
      model === undefined ? 'is missing' : 'cannot be given together with model',
      'Give either modelPath or model.',
    );
  }
  const llama = await loadEngine(gpu, user);
  const free = () => llama.dispose();
  try {
    return { model: await llama.loadModel({ modelPath }), free };
  } catch (cause) {
    await free();
    const { code } = cause as NodeJS.ErrnoException;
    throw invalidInput(
      modelPath,
      messageOf(cause),
      code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be loaded',
      'Give the path of a GGUF file that llama.cpp can run and that fits into memory.',
      cause,
    );
  }
}

/**
 * A digest of the model's file, or of its files in order.
 *
 * @throws ContextShapingError `service`, naming the file that can no longer be read.
 */
async function identityOf({ fileInfo }: LlamaModelLike): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const digest = createHash('sha256');
  for (const { path } of fileInfo.sourceData) {
    try {
      // The engine loads models only from files, so there is a path.
      for await (const bytes of createReadStream(path as string)) digest.update(bytes);
    } catch (cause) {
      throw serviceError(
        path ?? 'model',
        messageOf(cause),
        'cannot be read to identify the model',
        'Leave the file in the place from which the model was loaded.',
        cause,
      );
    }
  }
  return `gguf:sha256:${digest.digest('hex')}`;
}

/** Returns the identity of a model, and keeps it. A file that cannot be read now may be readable later. */
export function keptIdentityOf(model: LlamaModelLike): (signal: AbortSignal | undefined) => Promise<string> {
  let name: Promise<string> | undefined;
  return async (signal) => {
    signal?.throwIfAborted();
    name ??= identityOf(model).catch((error) => {
      name = undefined;
      throw error;
    });
    return orAborted(name, signal);
  };
}
