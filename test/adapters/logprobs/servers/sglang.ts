/**
 * SGLang's `POST /generate`, `POST /tokenize`, `POST /detokenize` and `GET /model_info`, with the numbers of a real small
 * model and SGLang's own cache of prefixes: a prompt is matched token by token against finished ones, and at most up to
 * `logprob_start_len`.
 */
import type { Llama } from '../../../gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { logprobsAfter } from './remembered.js';

export interface SglangQuirks {
  maxModelLength?: number;
  /** The chat template, with `{}` for the message of the user; `missing`: an old version, which takes texts alone. */
  template?: string;
  /** An old version has `/get_model_info` alone. */
  oldModelInfo?: boolean;
  /** New versions ignore `add_special_tokens`. */
  alwaysAddsSpecialTokens?: boolean;
  /** The model has no token that begins every text. */
  bos?: boolean;
}

type Body = Asked['body'];
type Listed = [logprob: number | null, id: number, text: string | null];

import { TEMPLATE } from './vllm.js';

export function sglangServer(llama: Llama, quirks: SglangQuirks = {}): Promise<JsonServer> {
  const { tokenizer } = llama;
  const { maxModelLength = llama.contextLength, template = TEMPLATE, bos = true } = quirks;
  const tree: (readonly number[])[] = [];
  const isControl = (id: number) => tokenizer.pieces[id]?.length === 0;

  /** As in the tokenizers of Hugging Face, the name of a control token in a text is that token. */
  function encode(text: string, special: boolean): number[] {
    const ids = text.split(/(<\|[^|>]+\|>)/).flatMap((part) => {
      const id = part === '' ? -1 : tokenizer.names.indexOf(part);
      return id >= 0 && isControl(id) ? [id] : tokenizer.encode(part);
    });
    return special && bos ? [tokenizer.bos, ...ids] : ids;
  }

  const textOf = (id: number, special: boolean) =>
    isControl(id) ? (special ? (tokenizer.names[id] as string) : '') : tokenizer.decode([id]);

  function entry(before: readonly number[], id: number, withText: boolean): Listed {
    const logprob = before.length === 0 ? null : (logprobsAfter(llama, before)[id] as number);
    return [logprob, id, withText ? textOf(id, true) : null];
  }

  function top(before: readonly number[], count: number, withText: boolean): Listed[] | null {
    if (before.length === 0) return null;
    const logprobs = logprobsAfter(llama, before);
    const best = Array.from(logprobs.keys()).sort(
      (a, b) => (logprobs[b] as number) - (logprobs[a] as number),
    );
    return best.slice(0, count).map((id) => entry(before, id, withText));
  }

  function matched(ids: readonly number[], most: number): number {
    const common = tree.map((known) => {
      const differs = ids.findIndex((id, at) => id !== known[at]);
      return differs === -1 ? ids.length : differs;
    });
    return Math.max(0, Math.min(most, ...(common.length === 0 ? [0] : [Math.max(...common)])));
  }

  function generated(ids: readonly number[], { max_new_tokens: most = 128, stop = [] }: Body) {
    const out: number[] = [];
    const read = () => out.map((id) => tokenizer.pieces[id] as Uint8Array);
    const text = () => new TextDecoder().decode(Buffer.concat(read()));
    let finish: { type: string; [key: string]: unknown } = { type: 'length', length: most };
    while (out.length < most) {
      const logprobs = logprobsAfter(llama, [...ids, ...out]);
      const id = logprobs.indexOf(Math.max(...logprobs));
      out.push(id);
      const found = stop.find((each: string) => text().includes(each));
      if (id === tokenizer.eos || found !== undefined) {
        finish = { type: 'stop', matched: found ?? id };
        break;
      }
    }
    const end = typeof finish.matched === 'string' ? text().indexOf(finish.matched) : text().length;
    return { out, text: text().slice(0, end), finish };
  }

  function one(ids: readonly number[], params: Body, body: Body, start: number, hits: number) {
    const { top_logprobs_num: count = 0, return_text_in_logprobs: withText = false } = body;
    const { out, text, finish } = generated(ids, params);
    const whole = [...ids, ...out];
    // The first entry of the list has no probability.
    const listed = ids.slice(start).map((id, at) => {
      const { length } = ids.slice(0, start + at);
      return { id, before: at === 0 ? [] : ids.slice(0, length) };
    });
    const after = out.map((id, at) => ({ id, before: whole.slice(0, ids.length + at) }));
    const tokens = (all: typeof listed) => all.map(({ before, id }) => entry(before, id, withText));
    const tops = (all: typeof listed) => all.map(({ before }) => top(before, count, withText));
    return {
      text,
      output_ids: out,
      meta_info: {
        id: '0',
        finish_reason: finish,
        prompt_tokens: ids.length,
        completion_tokens: out.length,
        cached_tokens: hits,
        weight_version: 'default',
        ...(body.return_logprob && {
          input_token_logprobs: start < ids.length ? tokens(listed) : [],
          output_token_logprobs: tokens(after),
          ...(count > 0 && { input_top_logprobs: tops(listed), output_top_logprobs: tops(after) }),
        }),
      },
    };
  }

  function generate(body: Body): Reply {
    const prompts: number[][] = body.input_ids;
    const paramsAt = (at: number) => ([body.sampling_params].flat()[at] ?? body.sampling_params) as Body;
    const startAt = (at: number): number =>
      [body.logprob_start_len].flat()[at] ?? body.logprob_start_len ?? -1;
    for (const ids of prompts) {
      if (ids.length === 0) return refusal('input_ids cannot be empty.');
      if (ids.length >= maxModelLength) {
        return refusal(
          `The input (${ids.length} tokens) is longer than the model's context length (${maxModelLength} tokens).`,
        );
      }
    }
    // All prompts of a request are matched before the first one is finished.
    const hits = prompts.map((ids, at) => {
      const start = startAt(at);
      return matched(ids, Math.min(ids.length - 1, start >= 0 ? start : ids.length));
    });
    const answers = prompts.map((ids, at) => {
      const start = startAt(at);
      return one(ids, paramsAt(at), body, start >= 0 ? start : ids.length, hits[at] as number);
    });
    for (const [at, ids] of prompts.entries()) tree.push([...ids, ...(answers[at]?.output_ids ?? [])]);
    return { json: answers };
  }

  function tokenize({ messages, prompt, add_special_tokens }: Body): Reply {
    if (messages !== undefined) {
      if (template === 'missing') return { status: 422, json: { detail: 'prompt: Field required' } };
      const tokens = encode(
        template.replace('{}', () => messages[0].content),
        false,
      );
      return { json: { tokens, count: tokens.length, max_model_len: maxModelLength } };
    }
    const texts: string[] = [prompt].flat();
    if (texts.every((text) => text === '')) return refusal('Prompt cannot be empty');
    const special = quirks.alwaysAddsSpecialTokens || add_special_tokens !== false;
    const lists = texts.map((text) => encode(text, special));
    const tokens = Array.isArray(prompt) ? lists : lists[0];
    return { json: { tokens, count: lists.map(({ length }) => length), max_model_len: maxModelLength } };
  }

  return jsonServer(({ path, body }) => {
    if (path === '/generate') return generate(body);
    if (path === '/tokenize') return tokenize(body);
    if (path === '/detokenize') {
      const text = body.tokens.map((id: number) => textOf(id, body.skip_special_tokens === false)).join('');
      return { json: { text } };
    }
    if (path === (quirks.oldModelInfo ? '/get_model_info' : '/model_info')) {
      return {
        json: { model_path: 'test/ecs-tiny', is_generation: true, weight_version: 'default' },
      };
    }
    return { status: 404, json: { detail: 'Not Found' } };
  });
}

function refusal(message: string): Reply {
  return { status: 400, json: { error: { message } } };
}
