import { ContextShapingError } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import { malformed } from './malformed.js';
import { type StaticEmbedder, type StaticEmbedderOptions, staticEmbedder } from './static.js';

/**
 * An embedder from a folder with a model of the model2vec format: `config.json`, `tokenizer.json` and
 * `model.safetensors`, as `context-shaping pull OWNER/MODEL` leaves it. For Node, Bun and Deno; elsewhere
 * fetch the files and give them to {@link staticEmbedder}.
 *
 * @throws ContextShapingError `invalid-input`, naming the file that is missing, malformed or not supported;
 *   `missing-dependency` where there is no file system.
 */
export async function loadStaticEmbedder(
  folder: string,
  options: StaticEmbedderOptions = {},
): Promise<StaticEmbedder> {
  // Not an import: bundlers for browsers refuse what is Node's own, even where it is never reached.
  const builtin = globalThis.process?.getBuiltinModule;
  if (builtin === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field: 'loadStaticEmbedder',
      value: folder,
      is: 'needs a file system',
      remedy: 'Fetch the three files and give them to staticEmbedder.',
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
  // One after the other, so that of several missing files the same one is always named.
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

function unreadable(path: string, cause: unknown): ContextShapingError {
  const { code } = cause as NodeJS.ErrnoException;
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  return new ContextShapingError('invalid-input', {
    field: path,
    value: code ?? messageOf(cause),
    is: missing ? 'is not there' : 'cannot be read',
    remedy: 'Name a folder that was filled by: context-shaping pull OWNER/MODEL.',
    cause,
  });
}

function parse(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed(path, `${bytes.length} bytes`, `is no JSON: ${messageOf(cause)}`);
  }
}
