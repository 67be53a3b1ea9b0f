import { ContextShapingError } from '../../../src/index.js';
import { builtIns, messageOf } from '../../../src/internal.js';
import { malformed, unreadable } from './errors.js';
import { type StaticEmbedder, type StaticEmbedderOptions, staticEmbedder } from './static.js';

/**
 * An embedder from a folder with a model of the model2vec format: `config.json`, `tokenizer.json` and
 * `model.safetensors`, as `hf download OWNER/MODEL config.json tokenizer.json model.safetensors --local-dir FOLDER` leaves
 * them. For Node, Bun and Deno; in other runtimes fetch the files and pass them to {@link staticEmbedder}.
 *
 * @throws ContextShapingError `invalid-input`, naming the file that is missing, malformed or not supported;
 *   `missing-dependency` where there is no file system.
 */
export async function loadStaticEmbedder(
  folder: string,
  options: StaticEmbedderOptions = {},
): Promise<StaticEmbedder> {
  const builtin = builtIns();
  if (builtin === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field: 'loadStaticEmbedder',
      value: folder,
      is: 'needs a file system',
      remedy: 'Fetch the three files and pass them to staticEmbedder.',
    });
  }
  const { readFile } = builtin('node:fs/promises');
  const { basename, join, resolve } = builtin('node:path');
  const bytesOf = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (cause) {
      throw unreadable(join(folder, name), cause);
    }
  };
  // One after the other, so that the error always names the same one of several missing files.
  const config = await bytesOf('config.json');
  const tokenizer = await bytesOf('tokenizer.json');
  const safetensors = await bytesOf('model.safetensors');
  const embedder = staticEmbedder(
    {
      config: parse(join(folder, 'config.json'), config),
      tokenizer: parse(join(folder, 'tokenizer.json'), tokenizer),
      safetensors,
    },
    options,
  );
  return { ...embedder, modelId: basename(resolve(folder)) };
}

function parse(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed(path, `${bytes.length} bytes`, `is not JSON: ${messageOf(cause)}`);
  }
}
