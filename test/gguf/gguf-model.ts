import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { continuationStart, type Piece, Transcript } from '../../adapters/logprobs/tokens.js';
import { turns } from '../../adapters/model-calls/index.js';
import type { Failed, LogprobModel, ModelCall } from '../../src/index.js';
import { Llama } from './llama.js';

/**
 * A language model from the bytes of a GGUF file, in plain TypeScript: exact, the same on every machine, and fast enough
 * for models of a few million weights. An oracle for tests, and the model behind their servers.
 *
 * @param bytes architecture `llama`, tokenizer `llama-bpe`, weights F32 or F16.
 */
export function ggufModel(bytes: Uint8Array): LogprobModel {
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
          const transcript = new Transcript();
          const known = Math.min(llama.known(all), start - 1);
          for (const [at, id] of all.entries()) if (at >= start) run.add(transcript, all.slice(0, at), id);
          run.count(known, all.length);
          const { tokens } = transcript.upTo([]);
          return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
        }),
      ),
    generate: (requests, call = {}) =>
      inTurn(() =>
        answered(llama, requests, call, ({ prompt, maxTokens, stop = [] }, run) => {
          const all = run.encode(prompt);
          const { length } = all;
          const known = llama.known(all);
          const transcript = new Transcript();
          while (all.length < length + maxTokens && !transcript.holds(stop)) {
            if (all.length > llama.contextLength) return tooLong(all);
            const logprobs = llama.logprobs(all);
            const best = logprobs.indexOf(Math.max(...logprobs));
            if (best === llama.tokenizer.eos) break;
            run.add(transcript, all, best);
            all.push(best);
          }
          run.count(known, all.length);
          return transcript.upTo(stop);
        }),
      ),
  };
}

const tooLong = ({ length }: readonly number[]): Failed => ({ failure: `The text has ${length} tokens.` });

/** Answers each request. Lets an abort take effect between requests. */
async function answered<Request, Result>(
  llama: Llama,
  requests: readonly Request[],
  { topLogprobs = 0, signal }: ModelCall,
  answer: (request: Request, run: ReturnType<typeof runOf>) => Result | Failed,
) {
  const run = runOf(llama, topLogprobs);
  const results: (Result | Failed)[] = [];
  for (const request of requests) {
    await setImmediate();
    signal?.throwIfAborted();
    results.push(answer(request, run));
  }
  return { results, usage: { requests: requests.length, ...run.cost } };
}

function runOf(llama: Llama, topLogprobs: number) {
  const { tokenizer } = llama;
  const cost = { tokens: 0, cachedTokens: 0 };
  return {
    cost,
    encode: (text: string) => [tokenizer.bos, ...tokenizer.encode(text)],
    count(known: number, tokens: number) {
      cost.cachedTokens += known;
      cost.tokens += tokens;
    },
    /** Adds a token after others, with the most probable tokens there. */
    add(transcript: Transcript, before: readonly number[], id: number) {
      const logprobs = llama.logprobs(before);
      const pieceOf = (each: number): Piece => ({
        id: each,
        bytes: tokenizer.pieces[each] as Uint8Array,
        logprob: logprobs[each] as number,
      });
      const best = Array.from(topLogprobs < 1 ? [] : logprobs.keys()).sort(
        (a, b) => (logprobs[b] as number) - (logprobs[a] as number) || a - b,
      );
      transcript.add(pieceOf(id), topLogprobs < 1 ? undefined : best.slice(0, topLogprobs).map(pieceOf));
    },
  };
}
