import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LogprobModel } from '../../src/index.js';
import { inProcess, turns } from '../model-calls/index.js';
import { GgufCall } from './call.js';
import { unreadable } from './errors.js';
import { Llama } from './llama.js';

/**
 * A language model from the bytes of a GGUF file, in plain TypeScript: exact, the same on every machine, and fast enough
 * for models of a few million weights.
 *
 * Prompts get the token that begins every text. The common start of a prompt and the prompt before it is not computed
 * again, also across calls. Concurrent calls run one at a time.
 *
 * @param bytes architecture `llama`, tokenizer `llama-bpe`, weights F32 or F16. They are copied, not changed.
 * @throws ContextShapingError `invalid-input`, naming the field that is malformed or not supported.
 */
export function ggufModel(bytes: Uint8Array): LogprobModel {
  const llama = Llama.parse(bytes);
  const name = `gguf:sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return {
    specificationVersion: 'v1',
    provider: 'gguf',
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return name;
    },
    ...inProcess(turns(), (call) => new GgufCall(llama, call)),
  };
}

/**
 * A language model from the path of a GGUF file.
 *
 * @throws ContextShapingError `invalid-input`, if the file is missing, malformed or not supported.
 */
export async function loadGgufModel(path: string): Promise<LogprobModel> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return ggufModel(bytes);
}
