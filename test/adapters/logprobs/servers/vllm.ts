/**
 * vLLM's `POST /v1/completions`, `GET /v1/models` and `POST /tokenize`, with the numbers of a real small model; and the
 * differences between versions and similar servers.
 */
import type { Llama } from '../../../../adapters/gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { logprobsAfter } from './remembered.js';

export interface Quirks {
  /** The server refuses `max_tokens: 0`, as SGLang does. */
  wantsTokens?: boolean;
  /** The server generates and lists a token, even if none was requested. */
  alwaysGenerates?: boolean;
  /** The server does not echo the prompt and lists only generated tokens; or it refuses the parameter, as OpenAI does. */
  echo?: 'ignored' | 'refused';
  /** The server does not know `prompt_logprobs`. */
  promptLogprobs?: 'ignored' | 'refused';
  /** The server does not know `return_token_ids`. */
  hidesNumbers?: boolean;
  /** Tokens are named `token_id:17`, unless the request turns it off; `always`: it cannot be turned off. */
  numbered?: 'unless told' | 'always';
  /** Tokens that are parts of characters: as U+FFFD, or empty, the last one with the whole character. */
  parts?: 'replaced' | 'completed';
  /** The text of a token has no space in front, as in old tokenizers. */
  trims?: boolean;
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
  /** The server reports `prompt_tokens_details`. */
  tellsCache?: boolean;
}

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

export function vllmServer(llama: Llama, quirks: Quirks = {}): Promise<JsonServer> {
  const { tokenizer } = llama;
  const { bos = true, maxLogprobs = 20, maxModelLength = llama.contextLength } = quirks;
  const encode = (text: string) => [...(bos ? [tokenizer.bos] : []), ...tokenizer.encode(text)];

  /** The text of a token by itself. */
  function nameOf(id: number): string {
    const bytes = tokenizer.pieces[id] as Uint8Array;
    const text = bytes.length === 0 ? (tokenizer.names[id] as string) : new TextDecoder().decode(bytes);
    return quirks.trims ? text.replace(/^ /, '') : text;
  }

  /** The texts of tokens that follow each other. */
  function namesOf(ids: readonly number[]): string[] {
    if (quirks.parts !== 'completed') return ids.map(nameOf);
    let open: number[] = [];
    return ids.map((id) => {
      open.push(id);
      const text = open.length === 1 ? nameOf(id) : tokenizer.decode(open);
      if (text.includes('\uFFFD')) return '';
      open = [];
      return text;
    });
  }

  function stepsOf(ids: readonly number[], from: number): Step[] {
    const names = namesOf(ids);
    return ids.slice(from).map((id, place) => ({
      id,
      text: names[from + place] as string,
      logprobs: from + place === 0 ? undefined : logprobsAfter(llama, ids.slice(0, from + place)),
    }));
  }

  function generate(prompt: readonly number[], count: number, stop: readonly string[]) {
    const ids = [...prompt];
    const text = () => tokenizer.decode(ids.slice(prompt.length));
    while (ids.length < prompt.length + count && ids.at(-1) !== tokenizer.eos) {
      const logprobs = logprobsAfter(llama, ids);
      ids.push(logprobs.indexOf(Math.max(...logprobs)));
      if (stop.some((each) => text().includes(each))) break;
    }
    const ends = stop.map((each) => text().indexOf(each)).filter((at) => at >= 0);
    const isStopped = ends.length > 0 || ids.at(-1) === tokenizer.eos;
    return {
      text: text().slice(0, ends.length > 0 ? Math.min(...ends) : undefined),
      steps: stepsOf(ids, prompt.length),
      finish_reason: isStopped ? 'stop' : 'length',
    };
  }

  /** The token itself and the most probable ones. */
  function alternatives({ id, logprobs }: Step, count: number): number[] {
    const all = Array.from(logprobs as Float64Array, (logprob, each) => ({ logprob, each }));
    const best = all.sort((a, b) => b.logprob - a.logprob).slice(0, count);
    return [...new Set([id, ...best.map(({ each }) => each)])];
  }

  function listed(steps: readonly Step[], count: number, asNumbers: boolean) {
    const name = (id: number, text: string) => (asNumbers ? `token_id:${id}` : text);
    const logprobOf = ({ logprobs }: Step, id: number) => Math.max(LOWEST, logprobs?.[id] as number);
    return {
      tokens: steps.map(({ id, text }) => name(id, text)),
      token_logprobs: steps.map((step) => (step.logprobs ? logprobOf(step, step.id) : null)),
      text_offset: steps.map(() => -1),
      top_logprobs: quirks.topless
        ? null
        : steps.map((step) =>
            step.logprobs === undefined
              ? null
              : Object.fromEntries(
                  alternatives(step, count).map((id) => [name(id, nameOf(id)), logprobOf(step, id)]),
                ),
          ),
    };
  }

  function promptLogprobs(steps: readonly Step[], count: number) {
    return steps.map((step) => {
      const { logprobs } = step;
      if (logprobs === undefined) return null;
      const entry = (id: number) => ({
        logprob: Math.max(LOWEST, logprobs[id] as number),
        rank: logprobs.filter((other) => other > (logprobs[id] as number)).length + 1,
        decoded_token: id === step.id ? step.text : nameOf(id),
      });
      return Object.fromEntries(alternatives(step, count).map((id) => [id, entry(id)]));
    });
  }

  function complete({ body }: Asked): Reply {
    const { model, echo, logprobs, prompt_logprobs, max_tokens: maxTokens = 16, stop = [] } = body;
    if (model !== VLLM_MODEL) return refusal(`The model \`${model}\` does not exist.`, 404);
    if (echo && quirks.echo === 'refused') {
      return refusal("Setting 'echo' and 'logprobs' at the same time is not supported for this model.");
    }
    if (prompt_logprobs !== undefined && quirks.promptLogprobs === 'refused') {
      return refusal('Unrecognized request argument supplied: prompt_logprobs');
    }
    for (const [kind, count] of [
      ['sample', logprobs ?? 0],
      ['prompt', prompt_logprobs ?? 0],
    ] as const) {
      if (count > maxLogprobs) {
        const text = `Requested ${kind} logprobs of ${count}, which is greater than max allowed: ${maxLogprobs}`;
        return refusal(text);
      }
    }
    if (quirks.wantsTokens && maxTokens < 1) return refusal('max_tokens must be positive');
    const echoes = echo && quirks.echo !== 'ignored';
    const count = maxTokens === 0 && echoes && !quirks.alwaysGenerates ? 0 : Math.max(1, maxTokens);
    const prompts: string[] = [body.prompt].flat();
    const all = prompts.map((prompt) => ({ prompt, ids: encode(prompt) }));
    for (const { ids } of all) {
      if (ids.length + count > maxModelLength) {
        return refusal(
          `This model's maximum context length is ${maxModelLength} tokens. However, you requested ` +
            `${ids.length + count} tokens (${ids.length} in the messages, ${count} in the completion).`,
        );
      }
    }
    const asNumbers =
      quirks.numbered === 'always' ||
      (quirks.numbered === 'unless told' && body.return_tokens_as_token_ids !== false);
    const choices = all.map(({ prompt, ids }, index) => {
      const { steps, text, finish_reason } = generate(ids, count, stop);
      const before = echoes || prompt_logprobs !== undefined ? stepsOf(ids, 0) : [];
      const tellsPrompt = prompt_logprobs !== undefined && quirks.promptLogprobs === undefined;
      return {
        index,
        text: (echoes ? prompt : '') + text,
        finish_reason,
        logprobs:
          logprobs === undefined ? null : listed(echoes ? [...before, ...steps] : steps, logprobs, asNumbers),
        prompt_logprobs: tellsPrompt ? promptLogprobs(before, prompt_logprobs) : null,
        prompt_token_ids: body.return_token_ids && !quirks.hidesNumbers ? ids : null,
      };
    });
    const prompt_tokens = all.reduce((sum, { ids }) => sum + ids.length, 0);
    const details = quirks.tellsCache ? { prompt_tokens_details: { cached_tokens: all.length } } : {};
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
    if (asked.path === '/tokenize' && quirks.tokenize !== 'missing') {
      const tokens = encode(asked.body.prompt);
      return { json: { tokens, count: tokens.length, max_model_len: maxModelLength } };
    }
    return { status: 404, json: { detail: 'Not Found' } };
  });
}

function refusal(message: string, status = 400): Reply {
  return { status, json: { error: { message, type: 'BadRequestError', code: status } } };
}
