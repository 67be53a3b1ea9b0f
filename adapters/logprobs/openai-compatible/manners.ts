/**
 * How a server of completions likes to be asked: which of two ways makes it score a prompt, whether it must
 * generate a token, how many alternatives it tells. Learned from what it refuses and ignores.
 */
import type { ContextShapingError } from '../../../src/index.js';
import { wrongShape } from '../json-service.js';
import { objectionOf } from './batches.js';

/** One way to ask. */
export interface Manner {
  way: 'echo' | 'prompt_logprobs';
  maxTokens: number;
  /** How many alternatives are asked for. */
  top: number;
  /** Tokens are asked for by their texts, where the server would name them by their numbers. */
  namesTokens: boolean;
}

export class Manners {
  #way: Manner['way'] = 'echo';
  #maxTokens = 0;
  #namesTokens = false;
  #takesRepetitionPenalty = true;
  #mostTop: number;

  constructor(maxTopLogprobs: number) {
    this.#mostTop = maxTopLogprobs;
  }

  /** As far as it is known. What was asked is learned from, since others may have learned meanwhile. */
  manner(topLogprobs: number): Manner {
    return {
      way: this.#way,
      maxTokens: this.#way === 'echo' ? this.#maxTokens : 1,
      top: this.top(topLogprobs),
      namesTokens: this.#namesTokens,
    };
  }

  /** How many alternatives it tells, of those wanted. */
  top(wanted: number): number {
    return Math.min(wanted, this.#mostTop);
  }

  /** Draws from a refusal what to ask in another way, or throws it on. */
  refused(asked: Manner, error: unknown, name: string): void {
    const objection = objectionOf(error);
    if (objection === undefined || objection.isLength) throw error;
    if (this.refusedTop(asked.top, error)) return;
    if (asked.way === 'prompt_logprobs') throw scoresNothing(name, objection.message, error);
    if (asked.maxTokens === 0 && /max_(new_)?tokens/.test(objection.message)) this.#maxTokens = 1;
    else if (/echo/.test(objection.message)) this.#way = 'prompt_logprobs';
    else throw error;
  }

  /** Is it about too many alternatives, and are there fewer to ask for? */
  refusedTop(top: number, error: unknown): boolean {
    const { message, isLength } = objectionOf(error) ?? { message: '', isLength: true };
    const isCount = /logprobs/.test(message) && /max|most|greater|exceed|less|between/i.test(message);
    if (isLength || !isCount || top <= 1) return false;
    // The limit itself, if it is named; else what OpenAI allows.
    const named = Array.from(message.matchAll(/\d+/g), Number).filter((n) => n >= 1 && n < top);
    const limit = named.length > 0 ? Math.max(...named) : top > 5 ? 5 : 1;
    this.#mostTop = Math.min(this.#mostTop, limit);
    return true;
  }

  /** What makes it take the most probable token, whatever is set for the model. */
  greedy(): { temperature: number; repetition_penalty?: number } {
    const others = { temperature: 0, presence_penalty: 0, frequency_penalty: 0 };
    return this.#takesRepetitionPenalty ? { ...others, repetition_penalty: 1 } : others;
  }

  /** Is it about a penalty that OpenAI does not have, and that was asked for? */
  refusedPenalty({ repetition_penalty }: { repetition_penalty?: number }, error: unknown): boolean {
    const isIt =
      repetition_penalty !== undefined && /repetition_penalty/.test(objectionOf(error)?.message ?? '');
    if (isIt) this.#takesRepetitionPenalty = false;
    return isIt;
  }

  /** It answered as if it had not been asked to score. */
  ignored({ way }: Manner, answer: unknown, name: string): void {
    if (way === 'prompt_logprobs') throw scoresNothing(name, answer);
    this.#way = 'prompt_logprobs';
  }

  /** It named tokens by their numbers. */
  numbered({ namesTokens }: Manner, name: string): void {
    if (namesTokens) {
      const remedy = 'Start the server without --return-tokens-as-token-ids.';
      throw wrongShape(name, 'token_id:…', 'names tokens by their numbers alone', remedy);
    }
    this.#namesTokens = true;
  }
}

/** The part of a request that is for scoring. */
export function requestFor({ way, maxTokens: max_tokens, top, namesTokens }: Manner): object {
  // Without any, no probabilities are told at all.
  const logprobs = Math.max(1, top);
  if (way === 'prompt_logprobs') return { prompt_logprobs: logprobs, max_tokens, return_token_ids: true };
  const naming = namesTokens ? { return_tokens_as_token_ids: false } : {};
  return { echo: true, logprobs, max_tokens, ...naming };
}

function scoresNothing(name: string, value: unknown, cause?: unknown): ContextShapingError {
  const is = 'scores no prompts, since the server ignores echo and prompt_logprobs';
  const remedy =
    'Use llamaServer for llama.cpp and ollamaModel for Ollama; OpenAI itself has no way to score a text.';
  return wrongShape(name, value, is, remedy, cause);
}
