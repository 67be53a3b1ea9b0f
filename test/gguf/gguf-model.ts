import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inProcess, type NextToken, type TokenEngine, turns } from '../../adapters/model-calls/index.js';
import type { LogprobModel } from '../../src/index.js';
import { Llama } from './llama.js';

/**
 * A language model from the bytes of a GGUF file, in plain TypeScript: exact, the same on every machine, and fast enough
 * for models of a few million weights. An oracle for tests, and the model behind their servers.
 *
 * @param bytes architecture `llama`, tokenizer `llama-bpe`, weights F32 or F16.
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
    ...inProcess(engineOf(llama), turns()),
  };
}

function engineOf(llama: Llama): TokenEngine {
  const { tokenizer, contextLength } = llama;
  return {
    contextLength,
    reserve: 0,
    encode: (prompt, continuation = '') => [tokenizer.bos, ...tokenizer.encode(prompt + continuation)],
    pieceOf: (id) => tokenizer.pieces[id] as Uint8Array,
    isEnd: (id) => id === tokenizer.eos,
    // Results have the same bits with and without the memory.
    clear() {},
    keep: (tokens, most) => Math.min(llama.known(tokens), most),
    async run(tokens, _, { length }) {
      // Lets an abort take effect between requests.
      await setImmediate();
      const first = tokens.length - length + 1;
      return Array.from({ length }, (_, nth) => nextToken(llama.logprobs(tokens.slice(0, first + nth))));
    },
  };
}

const nextToken = (logprobs: Float64Array): NextToken => ({
  logprobOf: (id) => logprobs[id] as number,
  top: (count) =>
    Array.from(logprobs.entries())
      .sort(([a, one], [b, other]) => other - one || a - b)
      .slice(0, count),
});
