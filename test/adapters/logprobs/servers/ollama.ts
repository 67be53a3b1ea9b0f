/**
 * Ollama's `POST /api/generate` and `GET /api/tags`, with the numbers of a real small model; and the differences between
 * versions.
 */
import type { Llama } from '../../../../adapters/gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { logprobsAfter } from './remembered.js';

export interface Quirks {
  /** Before 0.12.11: no log-probabilities. */
  old?: boolean;
  /**
   * Tokens that are parts of characters: left out with their alternatives, as since 0.30; or listed with their bytes.
   */
  parts?: 'left out' | 'listed';
  /** The answer has no `bytes`. */
  byteless?: boolean;
  /** The largest number of tokens reported at each position. */
  most?: number;
  contextLength?: number;
  /** Every sampled token ends the text. */
  onlyEnds?: boolean;
}

export const OLLAMA_MODEL = 'tiny:latest';
export const OLLAMA_DIGEST = `sha256:${'5e'.repeat(32)}`;

export function ollamaServer(llama: Llama, quirks: Quirks = {}): Promise<JsonServer> {
  const { tokenizer } = llama;
  const { most = 20, contextLength = llama.contextLength, parts = 'left out' } = quirks;

  function named(id: number, logprob: number) {
    const piece = tokenizer.pieces[id] as Uint8Array;
    const text = new TextDecoder().decode(piece);
    // Since 0.30 parts of characters have no text, and the bytes are those of the text.
    const isPart = parts === 'left out' && text.includes('\uFFFD');
    const bytes = isPart || piece.length === 0 || quirks.byteless ? {} : { bytes: [...piece] };
    return { token: isPart ? '' : text, logprob, ...bytes };
  }

  function place(id: number, logprobs: Float64Array) {
    const all = Array.from(logprobs, (logprob, each) => ({ each, logprob }));
    const top = all.sort((a, b) => b.logprob - a.logprob).slice(0, most);
    return {
      ...named(id, logprobs[id] as number),
      top_logprobs: top.map(({ each, logprob }) => named(each, logprob)),
    };
  }

  function generate({ body }: Asked): Reply {
    const { model, prompt, top_logprobs = 0, options = {} } = body;
    if (![OLLAMA_MODEL, 'tiny'].includes(model)) return refusal(404, `model '${model}' not found`);
    if (top_logprobs > 20) return refusal(400, 'top_logprobs must be between 0 and 20');
    if (prompt === '') return { json: { model, response: '', done: true, done_reason: 'load' } };
    const { num_predict: count = 128, temperature = 0.8, seed = 0, stop = [] } = options;
    const ids = [tokenizer.bos, ...tokenizer.encode(prompt)];
    const start = ids.length;
    if (start > contextLength) return refusal(400, tooLong(start, contextLength));
    const random = generator(seed);
    // For Ollama, 0 and negative numbers are no limit: it generates until the context is full.
    const end = count > 0 ? start + count : contextLength;
    const logprobs = [];
    let open: number[] = [];
    let text = '';
    let done_reason = 'length';
    let eval_count = 0;
    while (ids.length < Math.min(end, contextLength) && done_reason === 'length') {
      const told = logprobsAfter(llama, ids);
      const next = quirks.onlyEnds ? tokenizer.eos : sampled(told, temperature, random);
      eval_count++;
      ids.push(next);
      if (next === tokenizer.eos) {
        done_reason = 'stop';
        break;
      }
      open.push(next);
      const added = tokenizer.decode(open);
      const isWhole = !added.includes('\uFFFD');
      if (isWhole || parts === 'listed') logprobs.push(place(next, told));
      if (!isWhole) continue;
      open = [];
      text += added;
      if (stop.some((each: string) => text.includes(each))) {
        text = text.slice(
          0,
          Math.min(...stop.map((each: string) => text.indexOf(each)).filter((at: number) => at >= 0)),
        );
        done_reason = 'stop';
      }
    }
    const tellsLogprobs = body.logprobs && !quirks.old && logprobs.length > 0;
    return {
      json: {
        model,
        response: text,
        done: true,
        done_reason,
        prompt_eval_count: start,
        eval_count,
        ...(tellsLogprobs ? { logprobs } : {}),
      },
    };
  }

  return jsonServer((asked) => {
    if (asked.path === '/api/generate') return generate(asked);
    if (asked.path === '/api/tags') {
      return { json: { models: [{ name: OLLAMA_MODEL, model: OLLAMA_MODEL, digest: OLLAMA_DIGEST }] } };
    }
    return { status: 404, text: '404 page not found' };
  });
}

const refusal = (status: number, error: string): Reply => ({ status, json: { error } });

/** The error of llama.cpp inside Ollama, passed on unchanged. */
const tooLong = (tokens: number, most: number) =>
  JSON.stringify({
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${most} tokens), try increasing it`,
      type: 'exceed_context_size_error',
    },
  });

/** At temperature 0 the most probable token, else a random one: softmax of the logits over the temperature. */
function sampled(logprobs: Float64Array, temperature: number, random: () => number): number {
  const best = logprobs.indexOf(Math.max(...logprobs));
  if (temperature === 0) return best;
  const weights = Array.from(logprobs, (each) => Math.exp((each - (logprobs[best] as number)) / temperature));
  let rest = random() * weights.reduce((sum, each) => sum + each, 0);
  const place = weights.findIndex((each) => {
    rest -= each;
    return rest < 0;
  });
  return place === -1 ? best : place;
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
