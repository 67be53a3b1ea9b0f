import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import {
  type Answers,
  ContextShapingError,
  type Failed,
  type LogprobModel,
  type ModelCall,
} from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import { Llama } from './gguf/llama.js';
import { Run } from './gguf/run.js';
import { turns } from './turns.js';

/**
 * A language model from the bytes of a GGUF file, in plain TypeScript: exact, the same everywhere, and fast
 * enough for models of a few million weights. For larger ones use node-llama-cpp or a server.
 *
 * Prompts get the token that begins every text. Of one call's requests, and from call to call, what a prompt
 * begins with in common with the one before is not computed again. Calls at the same time take turns.
 *
 * @param bytes architecture `llama`, tokenizer `llama-bpe`, weights F32 or F16. They are copied, not changed.
 * @throws ContextShapingError `invalid-input`, naming what is malformed or not supported.
 */
export function ggufModel(bytes: Uint8Array): LogprobModel {
  const llama = Llama.parse(bytes);
  const name = `gguf:sha256:${bytesToHex(sha256(bytes))}`;
  const inTurn = turns();

  /** One request after another; the memory of prefixes is of no use to two calls at once. */
  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: Run, request: Request) => Promise<Result | Failed>,
  ): Promise<Answers<Result>> =>
    inTurn(async () => {
      const run = new Run(llama, call);
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
 * A language model from a GGUF file, for Node, Bun and Deno; elsewhere fetch the file and give its bytes to
 * {@link ggufModel}.
 *
 * @throws ContextShapingError `invalid-input`, if the file is missing, malformed or not supported;
 *   `missing-dependency` where there is no file system.
 */
export async function loadGgufModel(path: string): Promise<LogprobModel> {
  // Not an import: bundlers for browsers refuse what is Node's own, even where it is never reached.
  const builtin = globalThis.process?.getBuiltinModule;
  if (builtin === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field: 'loadGgufModel',
      value: path,
      is: 'needs a file system',
      remedy: 'Fetch the file and give its bytes to ggufModel.',
    });
  }
  let bytes: Uint8Array;
  try {
    bytes = await builtin('node:fs/promises').readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ContextShapingError('invalid-input', {
      field: path,
      value: code ?? messageOf(cause),
      is: code === 'ENOENT' || code === 'ENOTDIR' ? 'is not there' : 'cannot be read',
      remedy: 'Name a GGUF file.',
      cause,
    });
  }
  return ggufModel(bytes);
}
