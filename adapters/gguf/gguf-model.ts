import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type Answers,
  ContextShapingError,
  type Failed,
  type LogprobModel,
  type ModelCall,
} from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import { turns } from '../model-calls/index.js';
import { GgufCall } from './call.js';
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
  const inTurn = turns();

  /** One request after another: two concurrent calls could not share the memory of prefixes. */
  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: GgufCall, request: Request) => Promise<Result | Failed>,
  ): Promise<Answers<Result>> =>
    inTurn(async () => {
      const run = new GgufCall(llama, call);
      const results: (Result | Failed)[] = [];
      for (const request of requests) results.push(await answer(run, request));
      const { tokens, cachedTokens } = run;
      return { results, usage: { requests: requests.length, tokens, cachedTokens } };
    }, call.signal);

  return {
    specificationVersion: 'v1',
    provider: 'gguf',
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return name;
    },
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    generate: (requests, call = {}) => answers(requests, call, (run, request) => run.generate(request)),
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
    const { code } = cause as NodeJS.ErrnoException;
    throw new ContextShapingError('invalid-input', {
      field: path,
      value: code ?? messageOf(cause),
      is: code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be read',
      remedy: 'Give the path of a GGUF file.',
      cause,
    });
  }
  return ggufModel(bytes);
}
