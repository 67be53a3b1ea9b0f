/**
 * vLLM's `POST /v1/completions`, `GET /v1/models`, `POST /tokenize` and `POST /detokenize`,
 * with the numbers of a real small model and vLLM's own cache of prefixes; and the differences between versions and
 * similar servers.
 */
import type { Llama } from '../../../gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { logprobsAfter } from './remembered.js';

export interface Quirks {
  /** The server refuses `max_tokens: 0`, as SGLang does. */
  wantsTokens?: boolean;
  /** The server generates and lists a token, even if none was requested. */
  alwaysGenerates?: boolean;
  /** The server does not echo the prompt and lists only generated tokens; or it refuses the parameter, as OpenAI does. */
  echo?: 'ignored' | 'refused';
  /** The server does not know `return_token_ids`. */
  hidesNumbers?: boolean;
  /** The server has no `/tokenize`. */
  tokenize?: 'missing';
  /** The choices come in reverse order. */
  backwards?: boolean;
  /** No alternatives are listed. */
  topless?: boolean;
  /** The server adds the token that begins every text; without it the first token has no probability. */
  bos?: boolean;
  maxLogprobs?: number;
  maxModelLength?: number;
  /** The server reports `prompt_tokens_details`: vLLM the count of the last prompt, SGLang a sum that is not 0. */
  tellsCache?: 'last' | 'sum';
  /** The chat template: a function, or a text with `{}` for the message of the user; `missing`: the model has none. */
  template?: string | ((message: string) => string);
}

/** A template with control tokens of the small model, one of them at the beginning. */
export const TEMPLATE = '<|bos|>User: {}<|eos|>\nAssistant:';

export const VLLM_MODEL = 'tiny';

/** A token at its position, as the model sees it. */
interface Step {
  id: number;
  text: string;
  /** Log-probabilities of all tokens at this position; absent before the first token. */
  logprobs: Float64Array | undefined;
}

/** The value that vLLM sends for a probability of zero. */
const LOWEST = -9999;

/** vLLM caches whole blocks of this many tokens, and computes at least one token of a prompt. */
const BLOCK = 16;

export function vllmServer(llama: Llama, quirks: Quirks = {}): Promise<JsonServer> {
  const { tokenizer } = llama;
  const { bos = true, maxLogprobs = 20, maxModelLength = llama.contextLength } = quirks;
  const encode = (text: string, special = bos) => [...(special ? [tokenizer.bos] : []), ...withControl(text)];
  const blocks = new Set<string>();

  /** The tokens of a text. As in the tokenizers of Hugging Face, the name of a control token is that token. */
  function withControl(text: string): number[] {
    return text.split(/(<\|[^|>]+\|>)/).flatMap((part) => {
      const id = part === '' ? -1 : tokenizer.names.indexOf(part);
      return id >= 0 && tokenizer.pieces[id]?.length === 0 ? [id] : tokenizer.encode(part);
    });
  }

  const decode = (ids: readonly number[]) =>
    ids
      .map((id) => (tokenizer.pieces[id]?.length === 0 ? tokenizer.names[id] : tokenizer.decode([id])))
      .join('');

  /** Puts a prompt into the cache of prefixes, and counts the tokens that were there, unless the cache is not read. */
  function cached(ids: readonly number[], isRead: boolean): number {
    let hits = 0;
    for (let end = BLOCK; end <= ids.length; end += BLOCK) {
      const key = ids.slice(0, end).join();
      if (isRead && hits === end - BLOCK && end < ids.length && blocks.has(key)) hits = end;
      blocks.add(key);
    }
    return hits;
  }

  /** The text of a token by itself. */
  function nameOf(id: number): string {
    const bytes = tokenizer.pieces[id] as Uint8Array;
    return bytes.length === 0 ? (tokenizer.names[id] as string) : new TextDecoder().decode(bytes);
  }

  function stepsOf(ids: readonly number[], from: number): Step[] {
    return ids.slice(from).map((id, place) => ({
      id,
      text: nameOf(id),
      logprobs: from + place === 0 ? undefined : logprobsAfter(llama, ids.slice(0, from + place)),
    }));
  }

  function generate(prompt: readonly number[], count: number) {
    const ids = [...prompt];
    while (ids.length < prompt.length + count && ids.at(-1) !== tokenizer.eos) {
      const logprobs = logprobsAfter(llama, ids);
      ids.push(logprobs.indexOf(Math.max(...logprobs)));
    }
    return {
      text: tokenizer.decode(ids.slice(prompt.length)),
      steps: stepsOf(ids, prompt.length),
      finish_reason: ids.at(-1) === tokenizer.eos ? 'stop' : 'length',
    };
  }

  /** The token itself and the most probable ones. */
  function alternatives({ id, logprobs }: Step, count: number): number[] {
    const all = Array.from(logprobs as Float64Array, (logprob, each) => ({ logprob, each }));
    const best = all.sort((a, b) => b.logprob - a.logprob).slice(0, count);
    return [...new Set([id, ...best.map(({ each }) => each)])];
  }

  function listed(steps: readonly Step[], count: number) {
    const logprobOf = ({ logprobs }: Step, id: number) => Math.max(LOWEST, logprobs?.[id] as number);
    return {
      tokens: steps.map(({ text }) => text),
      token_logprobs: steps.map((step) => (step.logprobs ? logprobOf(step, step.id) : null)),
      text_offset: steps.map(() => -1),
      top_logprobs: quirks.topless
        ? null
        : steps.map((step) =>
            step.logprobs === undefined
              ? null
              : Object.fromEntries(alternatives(step, count).map((id) => [nameOf(id), logprobOf(step, id)])),
          ),
    };
  }

  function complete({ body }: Asked): Reply {
    const { model, echo, logprobs, max_tokens: maxTokens = 16 } = body;
    if (model !== VLLM_MODEL) return refusal(`The model \`${model}\` does not exist.`, 404);
    if (echo && quirks.echo === 'refused') {
      return refusal("Setting 'echo' and 'logprobs' at the same time is not supported for this model.");
    }
    if (logprobs > maxLogprobs) {
      const text = `Requested sample logprobs of ${logprobs}, which is greater than max allowed: ${maxLogprobs}`;
      return refusal(text);
    }
    if (quirks.wantsTokens && maxTokens < 1) return refusal('max_tokens must be positive');
    const echoes = echo && quirks.echo !== 'ignored';
    const count = maxTokens === 0 && echoes && !quirks.alwaysGenerates ? 0 : Math.max(1, maxTokens);
    const prompts: (string | number[])[] = typeof body.prompt === 'string' ? [body.prompt] : body.prompt;
    const all = prompts.map((prompt) => {
      const isText = typeof prompt === 'string';
      const ids = isText ? encode(prompt, bos && body.add_special_tokens !== false) : prompt;
      return { prompt: isText ? prompt : decode(ids), ids };
    });
    const tellsIds = body.return_token_ids && !quirks.hidesNumbers;
    const isScored = Boolean(echoes && logprobs !== undefined);
    const hits = all.map(({ ids }) => cached(ids, !isScored));
    for (const { ids } of all) {
      if (ids.length + count > maxModelLength) {
        return refusal(
          `This model's maximum context length is ${maxModelLength} tokens. However, you requested ` +
            `${ids.length + count} tokens (${ids.length} in the messages, ${count} in the completion).`,
        );
      }
    }
    const choices = all.map(({ prompt, ids }, index) => {
      const { steps, text, finish_reason } = generate(ids, count);
      const before = echoes ? stepsOf(ids, 0) : [];
      return {
        index,
        text: (echoes && !tellsIds ? prompt : '') + (maxTokens === 0 && echoes ? '' : text),
        finish_reason,
        logprobs: logprobs === undefined ? null : listed([...before, ...steps], logprobs),
        prompt_token_ids: tellsIds ? ids : null,
        token_ids: tellsIds ? steps.map(({ id }) => id) : null,
      };
    });
    const prompt_tokens = all.reduce((sum, { ids }) => sum + ids.length, 0);
    const sum = hits.reduce((a, b) => a + b, 0);
    const told = quirks.tellsCache === 'sum' ? sum || undefined : quirks.tellsCache && hits.at(-1);
    const details = told === undefined ? {} : { prompt_tokens_details: { cached_tokens: told } };
    return {
      json: {
        object: 'text_completion',
        model,
        choices: quirks.backwards ? choices.reverse() : choices,
        usage: { prompt_tokens, completion_tokens: all.length, ...details },
      },
    };
  }

  return jsonServer((asked) => {
    if (asked.path === '/v1/completions') return complete(asked);
    if (asked.path === '/v1/models') {
      return {
        json: {
          object: 'list',
          data: [{ id: VLLM_MODEL, root: 'test/ecs-tiny', max_model_len: maxModelLength }],
        },
      };
    }
    if (asked.path === '/tokenize' && quirks.tokenize !== 'missing') return tokenize(asked.body);
    if (asked.path === '/detokenize') return { json: { prompt: decode(asked.body.tokens) } };
    return { status: 404, json: { detail: 'Not Found' } };
  });

  function tokenize({ messages, prompt, add_special_tokens }: Asked['body']): Reply {
    const { template = TEMPLATE } = quirks;
    if (messages !== undefined && template === 'missing') {
      return refusal('As of transformers v4.44, default chat template is no longer allowed.');
    }
    const tokens =
      messages === undefined
        ? encode(prompt, bos && add_special_tokens !== false)
        : encode(
            typeof template === 'function'
              ? template(messages[0].content)
              : template.replace('{}', () => messages[0].content),
            false,
          );
    return { json: { tokens, count: tokens.length, max_model_len: maxModelLength } };
  }
}

function refusal(message: string, status = 400): Reply {
  return { status, json: { error: { message, type: 'BadRequestError', code: status } } };
}
