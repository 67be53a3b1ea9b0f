/**
 * The differences between servers with a completions API: which of two parameters makes the server score a prompt,
 * whether it must generate a token, how many alternatives it reports. The client learns them from requests that the
 * server refuses and parameters that it ignores.
 */
import type { ContextShapingError } from '../../../src/index.js';
import { type Endpoint, objectionOf } from '../../json-service/index.js';

/** One form of a scoring request. */
export interface RequestForm {
  way: 'echo' | 'prompt_logprobs';
  maxTokens: number;
  /** The number of requested alternatives. */
  top: number;
  /** Asks for the texts of tokens, since the server names them by their numbers otherwise. */
  namesTokens: boolean;
  /** Asks for the numbers of tokens, which only some servers report. */
  numbers: boolean;
}

export class Dialect {
  #way: RequestForm['way'] = 'echo';
  #maxTokens = 0;
  #namesTokens = false;
  #takesNumbers = true;
  #takesRepetitionPenalty = true;
  #mostTop: number;

  constructor(maxTopLogprobs: number) {
    this.#mostTop = maxTopLogprobs;
  }

  /**
   * The form for the next request, according to the answers so far. Pass the same form to the methods that learn:
   * concurrent requests may change the dialect meanwhile.
   */
  form(topLogprobs: number): RequestForm {
    return {
      way: this.#way,
      maxTokens: this.#way === 'echo' ? this.#maxTokens : 1,
      top: this.top(topLogprobs),
      namesTokens: this.#namesTokens,
      numbers: this.#takesNumbers,
    };
  }

  /** The number of alternatives to request: at most what the server reports. */
  top(wanted: number): number {
    return Math.min(wanted, this.#mostTop);
  }

  /** Learns from a refusal, or rethrows it if there is nothing to learn. */
  refused(asked: RequestForm, error: unknown, endpoint: Endpoint): void {
    const objection = objectionOf(error);
    if (objection === undefined || objection.isLength) throw error;
    if (asked.numbers && /return_token_ids/.test(objection.message)) {
      this.#takesNumbers = false;
      return;
    }
    if (this.refusedTop(asked.top, error)) return;
    if (asked.way === 'prompt_logprobs') throw scoresNothing(endpoint, objection.message, error);
    if (asked.maxTokens === 0 && /max_(new_)?tokens/.test(objection.message)) this.#maxTokens = 1;
    else if (/echo/.test(objection.message)) this.#way = 'prompt_logprobs';
    else throw error;
  }

  /** Learns the limit, if the error is about too many alternatives. Returns whether fewer can be requested. */
  refusedTop(top: number, error: unknown): boolean {
    const { message, isLength } = objectionOf(error) ?? { message: '', isLength: true };
    const isCount = /logprobs/.test(message) && /max|most|greater|exceed|less|between/i.test(message);
    if (isLength || !isCount || top <= 1) return false;
    // The limit that the message names; else the limit of OpenAI.
    const named = Array.from(message.matchAll(/\d+/g), Number).filter((n) => n >= 1 && n < top);
    const limit = named.length > 0 ? Math.max(...named) : top > 5 ? 5 : 1;
    this.#mostTop = Math.min(this.#mostTop, limit);
    return true;
  }

  /** Parameters that make the server take the most probable token, against the model's own settings. */
  greedy(): { temperature: number; repetition_penalty?: number } {
    const others = { temperature: 0, presence_penalty: 0, frequency_penalty: 0 };
    return this.#takesRepetitionPenalty ? { ...others, repetition_penalty: 1 } : others;
  }

  /** Learns from an error about the penalty that OpenAI does not have. Returns whether the error is one. */
  refusedPenalty({ repetition_penalty }: { repetition_penalty?: number }, error: unknown): boolean {
    const isIt =
      repetition_penalty !== undefined && /repetition_penalty/.test(objectionOf(error)?.message ?? '');
    if (isIt) this.#takesRepetitionPenalty = false;
    return isIt;
  }

  /** Learns that the server ignored the parameter and did not score the prompt. */
  ignored({ way }: RequestForm, answer: unknown, endpoint: Endpoint): void {
    if (way === 'prompt_logprobs') throw scoresNothing(endpoint, answer);
    this.#way = 'prompt_logprobs';
  }

  /** Learns that the server named tokens by their numbers. */
  numbered({ namesTokens }: RequestForm, endpoint: Endpoint): void {
    if (namesTokens) {
      const remedy = 'Start the server without --return-tokens-as-token-ids.';
      throw endpoint.malformed('token_id:…', 'names tokens only by their numbers', { remedy });
    }
    this.#namesTokens = true;
  }
}

/** The scoring parameters of a request. */
export function requestFor({ way, maxTokens: max_tokens, top, namesTokens, numbers }: RequestForm): object {
  // With 0 alternatives the server would report no probabilities at all.
  const logprobs = Math.max(1, top);
  const telling = numbers ? { return_token_ids: true } : {};
  if (way === 'prompt_logprobs') return { prompt_logprobs: logprobs, max_tokens, ...telling };
  const naming = namesTokens ? { return_tokens_as_token_ids: false } : {};
  return { echo: true, logprobs, max_tokens, ...naming, ...telling };
}

function scoresNothing(endpoint: Endpoint, value: unknown, cause?: unknown): ContextShapingError {
  const is = 'cannot score prompts, since the server ignores echo and prompt_logprobs';
  const remedy =
    'Use llamaServer for llama.cpp and ollamaModel for Ollama; OpenAI itself has no way to score a text.';
  return endpoint.malformed(value, is, { remedy, cause });
}
