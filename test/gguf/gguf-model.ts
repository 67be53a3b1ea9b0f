import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  alternativesOf,
  continuationStart,
  LISTED,
  type Piece,
  tokensOf,
} from '../../adapters/logprobs/tokens.js';
import { turns } from '../../adapters/model-calls/index.js';
import type { Failed, LogprobModel, ModelCall } from '../../src/index.js';
import { Llama } from './llama.js';

/**
 * A language model from the bytes of a GGUF file, in plain TypeScript: exact, the same on every machine, and fast enough
 * for models of a few million weights. An oracle for tests, and the model behind their servers.
 *
 * @param bytes architecture `llama`, tokenizer `llama-bpe`, weights F32 or F16.
 * @param listed how many of the most probable tokens it tells.
 */
export function ggufModel(bytes: Uint8Array, listed = LISTED): LogprobModel {
  const llama = Llama.parse(bytes);
  const inTurn = turns();
  const name = `gguf:sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return {
    specificationVersion: 'v1',
    provider: 'gguf',
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      return name;
    },
    score: (requests, call = {}) =>
      inTurn(() =>
        answered(llama, requests, call, ({ prompt, continuation }, run) => {
          const all = run.encode(prompt + continuation);
          const start = continuationStart(all, run.encode(prompt));
          if (start === -1) return { tokens: [], logprob: 0, exact: true };
          if (all.length > llama.contextLength) return tooLong(all);
          run.count(Math.min(llama.known(all), start - 1), all.length);
          const pieces = all.flatMap((id, at) =>
            at < start ? [] : [run.pieceOf(llama.logprobs(all.slice(0, at)), id)],
          );
          const tokens = tokensOf(pieces);
          return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
        }),
      ),
    nextTokens: (prompts, call = {}) =>
      inTurn(() =>
        answered(llama, prompts, call, (prompt, run) => {
          const all = run.encode(prompt);
          if (all.length > llama.contextLength) return tooLong(all);
          run.count(llama.known(all), all.length);
          const logprobs = llama.logprobs(all);
          const best = Array.from(logprobs.keys()).sort(
            (a, b) => (logprobs[b] as number) - (logprobs[a] as number) || a - b,
          );
          return alternativesOf(best.slice(0, listed).map((id) => run.pieceOf(logprobs, id)));
        }),
      ),
  };
}

const tooLong = ({ length }: readonly number[]): Failed => ({ failure: `The text has ${length} tokens.` });

/** Answers each request. Lets an abort take effect between requests. */
async function answered<Request, Result>(
  llama: Llama,
  requests: readonly Request[],
  { signal }: ModelCall,
  answer: (request: Request, run: ReturnType<typeof runOf>) => Result | Failed,
) {
  const run = runOf(llama);
  const results: (Result | Failed)[] = [];
  for (const request of requests) {
    await setImmediate();
    signal?.throwIfAborted();
    results.push(answer(request, run));
  }
  return { results, usage: { requests: requests.length, ...run.cost } };
}

function runOf(llama: Llama) {
  const { tokenizer } = llama;
  const cost = { tokens: 0, cachedTokens: 0 };
  return {
    cost,
    encode: (text: string) => [tokenizer.bos, ...tokenizer.encode(text)],
    count(known: number, tokens: number) {
      cost.cachedTokens += known;
      cost.tokens += tokens;
    },
    pieceOf: (logprobs: ArrayLike<number>, id: number): Piece => ({
      id,
      bytes: tokenizer.pieces[id] as Uint8Array,
      logprob: logprobs[id] as number,
    }),
  };
}
