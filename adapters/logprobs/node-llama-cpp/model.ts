import { ContextShapingError } from '../../../src/index.js';
import { messageOf } from '../../../src/internal.js';
import { type Gpu, type LlamaModelLike, loadEngine } from './engine.js';

interface Given {
  modelPath?: string | undefined;
  model?: LlamaModelLike | undefined;
  gpu: Gpu;
}

interface Opened {
  model: LlamaModelLike;
  /** Frees what was loaded here, and leaves what was given. */
  free(): Promise<void>;
}

/** The model that is given, or that of the file. */
export async function openModel({ modelPath, model, gpu }: Given): Promise<Opened> {
  if (model !== undefined && modelPath === undefined) return { model, free: async () => {} };
  if (model !== undefined || modelPath === undefined) {
    throw new ContextShapingError('invalid-options', {
      field: 'modelPath',
      value: modelPath,
      is: model === undefined ? 'is missing' : 'is given, and a model as well',
      remedy: 'Give either modelPath or model.',
    });
  }
  const llama = await loadEngine(gpu);
  const free = () => llama.dispose();
  try {
    return { model: await llama.loadModel({ modelPath }), free };
  } catch (cause) {
    await free();
    const { code } = cause as NodeJS.ErrnoException;
    throw new ContextShapingError('invalid-input', {
      field: modelPath,
      value: messageOf(cause),
      is: code === 'ENOENT' || code === 'ENOTDIR' ? 'is not there' : 'cannot be loaded',
      remedy: 'Name a GGUF file that llama.cpp can run, and that fits into memory.',
      cause,
    });
  }
}

/**
 * A digest of the file that the model is of, or of its parts one after the other.
 *
 * @throws ContextShapingError `service`, naming the file that cannot be read any more.
 */
export async function identityOf({ fileInfo }: LlamaModelLike): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const digest = createHash('sha256');
  for (const { path } of fileInfo.sourceData) {
    try {
      // The engine loads models from files alone.
      for await (const bytes of createReadStream(path as string)) digest.update(bytes);
    } catch (cause) {
      throw new ContextShapingError('service', {
        field: path ?? 'model',
        value: messageOf(cause),
        is: 'cannot be read again to name the model',
        remedy: 'Leave the file where the model was loaded from.',
        cause,
      });
    }
  }
  return `gguf:sha256:${digest.digest('hex')}`;
}
