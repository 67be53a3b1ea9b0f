/**
 * Ollama's `POST /api/generate`, `/api/chat` and `GET /api/tags`, with the numbers of a real small model; and
 * the differences between versions. Like Ollama since 0.30 it keeps the attributes with which the model was loaded, and
 * counts how often a request makes it load the model anew (`needsReload` in Ollama's scheduler).
 */
import type { Llama } from '../../../gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { logprobsAfter } from './remembered.js';

export interface Quirks {
  /** Before 0.12.11: no log-probabilities. */
  old?: boolean;
  contextLength?: number;
  /** The model can think: unless `think` is false, a generated text that begins with a thought is taken apart. */
  thinks?: boolean;
  /** The rendered template of a message. */
  template?: (message: string, isThinking: boolean) => string;
}

export interface OllamaServer extends JsonServer {
  /** How often a loaded model was loaded anew. */
  readonly reloads: number;
  /** How long the model stays loaded. */
  readonly keepAlive: string | number;
}

/** The values that Ollama compares, by the names of `Runner` in its API; `shift` belongs to it since 0.30. */
const DEFAULTS = { num_batch: 512, num_gpu: -1, main_gpu: null, num_thread: 0, draft_num_predict: 0 };
const AUTOMATIC_CONTEXT = 4096;

/** The text of the model in a chat, in the form of llama.cpp's template for ChatML. */
const chatMl = (message: string) => `<|im_start|>user\n${message}<|im_end|>\n<|im_start|>assistant\n`;

export const OLLAMA_MODEL = 'tiny:latest';
export const OLLAMA_DIGEST = `sha256:${'5e'.repeat(32)}`;

export async function ollamaServer(llama: Llama, quirks: Quirks = {}): Promise<OllamaServer> {
  const { tokenizer } = llama;
  const { contextLength = llama.contextLength, template = chatMl } = quirks;
  let loaded: ReturnType<typeof launchOf> | undefined;
  let reloads = 0;
  let keepAlive: string | number = '5m';

  function launchOf({ options = {}, shift = true }: { options?: Record<string, unknown>; shift?: boolean }) {
    const { num_ctx, use_mmap } = options;
    const others = Object.entries(DEFAULTS).map(([name, value]) => [name, options[name] ?? value]);
    return {
      shift,
      others: Object.fromEntries(others) as Record<string, unknown>,
      contextIsAutomatic: num_ctx === undefined,
      context: Math.min((num_ctx as number | undefined) ?? AUTOMATIC_CONTEXT, llama.contextLength),
      batchIsAutomatic: options.num_batch === undefined,
      use_mmap: use_mmap ?? 'automatic',
    };
  }

  /** As Ollama's scheduler: a value that both sides left to Ollama is not compared. */
  function needsReload(runner: ReturnType<typeof launchOf>, wanted: ReturnType<typeof launchOf>): boolean {
    const isSame = (name: string) =>
      (name === 'num_batch' && runner.batchIsAutomatic && wanted.batchIsAutomatic) ||
      (name === 'num_gpu' && (wanted.others[name] as number) < 0) ||
      runner.others[name] === wanted.others[name];
    return (
      runner.shift !== wanted.shift ||
      (runner.context !== wanted.context && !(runner.contextIsAutomatic && wanted.contextIsAutomatic)) ||
      (runner.use_mmap !== wanted.use_mmap &&
        !(runner.use_mmap === 'automatic' && wanted.use_mmap === 'automatic')) ||
      !Object.keys(DEFAULTS).every(isSame)
    );
  }

  function schedule(body: Asked['body']): void {
    const wanted = launchOf(body);
    if (loaded === undefined || needsReload(loaded, wanted)) {
      if (loaded !== undefined) reloads++;
      loaded = wanted;
      keepAlive = '5m';
    }
    keepAlive = body.keep_alive ?? keepAlive;
  }

  /** As Ollama's parser of thoughts. A text that may be the beginning of a tag is held back. */
  function withoutThought(text: string): { response: string; thinking?: string } {
    const trimmed = text.trimStart();
    if ('<think>'.startsWith(trimmed)) return { response: '' };
    if (!trimmed.startsWith('<think>')) return { response: text };
    const [thinking = '', ...rest] = trimmed.slice('<think>'.length).trimStart().split('</think>');
    return { response: rest.join('</think>').trimStart(), thinking };
  }

  function named(id: number, logprob: number) {
    const piece = tokenizer.pieces[id] as Uint8Array;
    const text = new TextDecoder().decode(piece);
    // Since 0.30 parts of characters have no text, and the bytes are those of the text.
    const isPart = text.includes('\uFFFD');
    const bytes = isPart || piece.length === 0 ? {} : { bytes: [...piece] };
    return { token: isPart ? '' : text, logprob, ...bytes };
  }

  function place(id: number, logprobs: Float64Array) {
    const all = Array.from(logprobs, (logprob, each) => ({ each, logprob }));
    const top = all.sort((a, b) => b.logprob - a.logprob).slice(0, 20);
    return {
      ...named(id, logprobs[id] as number),
      top_logprobs: top.map(({ each, logprob }) => named(each, logprob)),
    };
  }

  function generate({ body }: Asked): Reply {
    const { model, top_logprobs = 0, options = {}, think = quirks.thinks } = body;
    if (![OLLAMA_MODEL, 'tiny'].includes(model)) return refusal(404, `model '${model}' not found`);
    if (top_logprobs > 20) return refusal(400, 'top_logprobs must be between 0 and 20');
    if (think && !quirks.thinks) return refusal(400, `"${model}" does not support thinking`);
    schedule(body);
    const prompt = body.raw || body.prompt === '' ? body.prompt : template(body.prompt, think === true);
    if (prompt === '') return { json: { model, response: '', done: true, done_reason: 'load' } };
    if (options.num_predict !== 1) throw new Error('This imitation generates one token.');
    const ids = [tokenizer.bos, ...tokenizer.encode(prompt)];
    if (ids.length > contextLength) return refusal(400, tooLong(ids.length, contextLength));
    const told = logprobsAfter(llama, ids);
    const next = told.indexOf(Math.max(...told));
    const added = next === tokenizer.eos ? '' : tokenizer.decode([next]);
    const isWhole = !added.includes('\uFFFD');
    const text = isWhole ? added : '';
    const logprobs = next === tokenizer.eos || !isWhole ? [] : [place(next, told)];
    const tellsLogprobs = body.logprobs && !quirks.old && logprobs.length > 0;
    return {
      json: {
        model,
        ...(think ? withoutThought(text) : { response: text }),
        done: true,
        done_reason: next === tokenizer.eos ? 'stop' : 'length',
        prompt_eval_count: ids.length,
        eval_count: 1,
        ...(tellsLogprobs ? { logprobs } : {}),
      },
    };
  }

  function chat({ body }: Asked): Reply {
    schedule(body);
    const message = { role: 'assistant', content: 'Hello.' };
    const end = {
      model: body.model,
      message,
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 9,
      eval_count: 2,
    };
    return { text: `${JSON.stringify(end)}\n` };
  }

  const server = await jsonServer((asked) => {
    if (asked.path === '/api/generate') return generate(asked);
    if (asked.path === '/api/chat') return chat(asked);
    if (asked.path === '/api/tags') {
      return { json: { models: [{ name: OLLAMA_MODEL, model: OLLAMA_MODEL, digest: OLLAMA_DIGEST }] } };
    }
    return { status: 404, text: '404 page not found' };
  });
  return Object.defineProperties(server, {
    reloads: { get: () => reloads },
    keepAlive: { get: () => keepAlive },
  }) as OllamaServer;
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
