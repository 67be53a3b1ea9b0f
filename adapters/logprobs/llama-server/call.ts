import type { Failed, ModelCall, ModelUsage } from '../../../src/index.js';
import { type Refusal, refusalOf } from '../../json-service/index.js';
import { concurrently, type Turns, UsageCounter } from '../../model-calls/index.js';
import { type Completion, completionsIn, propsIn } from './answers.js';
import type { LlamaServer } from './server.js';
import { readTemplate, type Template } from './template.js';
import { type Token, type Tokenized, tokenize, tokensOf } from './tokens.js';

/** Facts about a server that one call finds out for the next ones. */
export interface ServerState {
  /** The server accepts grammars of token numbers, and reports the probabilities of the tokens that they force. */
  tokenGrammar: boolean;
  /** The number of tokens that the slots hold together; undefined until the slots are found to share one context. */
  sharedContext: number | undefined;
  /** With a shared context, requests are sent one at a time. */
  inTurn: Turns;
  /** The chat template, if a call has read it. */
  template: Template | undefined;
  /** The name of the model with that of its template, if a call has asked for it. */
  identity: string | undefined;
}

/** The same for all prompts of a request. */
interface Settings {
  n_predict: number;
  n_probs: number;
  grammar?: string;
  logit_bias?: [id: number, bias: number][];
  samplers?: string[];
  stop?: readonly string[];
}

type Prompt = readonly number[];

const GRAMMAR_REFUSED = /parse grammar|empty grammar stack/i;
const EXHAUSTED = /context size has been exceeded/i;

const FIELDS = [
  'index',
  'content',
  'tokens',
  'completion_probabilities',
  'tokens_predicted',
  'stop_type',
  'truncated',
  'timings',
];

interface CallOptions {
  maxConcurrency: number;
  batchSize: number;
  parseSpecial: boolean;
  chatTemplate: boolean;
}

/** One call of the port: its requests to the server, and their cost. */
export class ServerCall {
  readonly #counter = new UsageCounter({ countsCached: true });
  #letter: number | undefined;

  constructor(
    readonly server: LlamaServer,
    readonly state: ServerState,
    readonly options: CallOptions,
    readonly call: ModelCall,
  ) {}

  get usage(): ModelUsage {
    return this.#counter.usage(this.server.service.requests);
  }

  get topLogprobs(): number {
    return this.call.topLogprobs ?? 0;
  }

  /** How many of the most probable tokens to request. With 0 the server would report no probabilities at all. */
  get listed(): number {
    return Math.max(1, this.topLogprobs);
  }

  /** The chat template, if prompts are put into it. It is read once. */
  async template(): Promise<Template | undefined> {
    if (!this.options.chatTemplate) return undefined;
    this.state.template ??= await readTemplate(this.server, this.call.signal);
    return this.state.template;
  }

  /** Splits texts into tokens. */
  async tokenize(texts: readonly string[]): Promise<Tokenized> {
    const { parseSpecial, maxConcurrency } = this.options;
    const tokenized = await tokenize(this.server, texts, { parseSpecial, maxConcurrency }, this.call.signal);
    this.#letter = tokenized.letter;
    return tokenized;
  }

  /** The tokens with these numbers. */
  tokensOf(ids: readonly number[]): Promise<ReadonlyMap<number, Token>> {
    return tokensOf(this.server, ids, this.call.signal);
  }

  /** A token that is a letter. It is forced where only the probabilities at its position are needed. */
  get letter(): number {
    return this.#letter as number;
  }

  /** Runs jobs that request completions. If the slots share too little context, all jobs run a second time. */
  async each<T>(jobs: readonly T[], work: (job: T, signal: AbortSignal) => Promise<void>): Promise<void> {
    const isKnown = this.state.sharedContext !== undefined;
    const run = () => concurrently(jobs, this.options.maxConcurrency, this.call.signal, work);
    try {
      await run();
    } catch (error) {
      if (isKnown || !contextExhausted(error)) throw error;
      await this.#measureContext();
      await run();
    }
  }

  /** Continues each prompt. Prompts that are too long fail; the others are sent again without them. */
  async complete(
    prompts: readonly Prompt[],
    settings: Settings,
    signal: AbortSignal,
  ): Promise<(Completion | Failed)[]> {
    const results = new Array<Completion | Failed>(prompts.length);
    for (const pack of this.#packs(prompts, settings.n_predict)) {
      let indexes = pack;
      while (indexes.length > 0) {
        const sent = indexes.map((index) => prompts[index] as Prompt);
        const sending = this.#send(sent, settings, signal);
        const outcome = await sending.catch((error) => onlySomeFit(error, sent));
        if (Array.isArray(outcome)) {
          for (const [at, index] of indexes.entries()) results[index] = outcome[at] as Completion;
          break;
        }
        const fits = (index: number) => (prompts[index] as Prompt).length < outcome.room;
        for (const index of indexes) {
          if (!fits(index)) results[index] = tooLong((prompts[index] as Prompt).length, outcome.room);
        }
        indexes = indexes.filter(fits);
      }
    }
    return results;
  }

  /** Asks the server how many tokens its slots hold together. */
  async #measureContext(): Promise<void> {
    const answer = await this.server.get('props', this.call.signal);
    const props = propsIn(answer, this.server.endpoint('GET', 'props'));
    this.state.sharedContext = props.default_generation_settings?.n_ctx ?? 0;
  }

  /** The indexes of prompts that are sent together: a full batch, or as many as the shared context holds. */
  #packs(prompts: readonly Prompt[], further: number): number[][] {
    const { sharedContext = Number.POSITIVE_INFINITY } = this.state;
    const packs: number[][] = [];
    let room = 0;
    for (const [index, { length }] of prompts.entries()) {
      const last = packs.at(-1);
      if (last !== undefined && last.length < this.options.batchSize && length + further <= room)
        last.push(index);
      else {
        packs.push([index]);
        room = sharedContext;
      }
      room -= length + further;
    }
    return packs;
  }

  async #send(prompts: readonly Prompt[], settings: Settings, signal: AbortSignal): Promise<Completion[]> {
    const body = {
      prompt: prompts,
      ...settings,
      temperature: 0,
      cache_prompt: true,
      // Reuse that shifts cached text to another position is fast, but not exact.
      n_cache_reuse: 0,
      return_tokens: true,
      response_fields: FIELDS,
    };
    const { sharedContext, inTurn } = this.state;
    // Requests that fit the shared context fail only while other clients fill it, which ends.
    const isFinal = (refusal: Refusal) =>
      matches(refusal, GRAMMAR_REFUSED) || (sharedContext === undefined && matches(refusal, EXHAUSTED));
    const send = () => this.server.post('completion', body, signal, isFinal);
    const answer = await (sharedContext === undefined ? send() : inTurn(send, signal));
    const completions = completionsIn(answer, this.server.endpoint(), prompts.length);
    for (const completion of completions) this.#count(completion);
    return completions;
  }

  #count({ timings, tokens_predicted, stop_type }: Completion): void {
    // The token that ends a text is not part of it.
    const generated = Math.max(0, (tokens_predicted ?? 0) - (stop_type === 'eos' ? 1 : 0));
    this.#counter.add({
      tokens: timings && timings.cache_n + timings.prompt_n + generated,
      cachedTokens: timings?.cache_n,
    });
  }
}

const matches = (refusal: Refusal | undefined, message: RegExp) => message.test(refusal?.message ?? '');

/** The slots of the server share a context that is too small for the concurrent requests. */
const contextExhausted = (error: unknown): boolean => matches(refusalOf(error), EXHAUSTED);

/**
 * Reads an error about a grammar. `never`: the server cannot force tokens by a grammar; `not these`: it cannot force
 * these tokens, because they are not text.
 */
export function grammarRefused(error: unknown): 'never' | 'not these' | undefined {
  const refusal = refusalOf(error);
  if (!matches(refusal, GRAMMAR_REFUSED)) return undefined;
  return refusal?.status === 400 ? 'never' : 'not these';
}

/** @returns the number of tokens that a slot holds, if the error is about a prompt that is too long; else rethrows. */
function onlySomeFit(error: unknown, prompts: readonly Prompt[]): { room: number } {
  const body = refusalOf(error)?.body as { error?: { type?: unknown; n_ctx?: unknown } } | null | undefined;
  const { type, n_ctx: room } = body?.error ?? {};
  const isTooLong = type === 'exceed_context_size_error' && typeof room === 'number';
  if (isTooLong && prompts.some(({ length }) => length >= room)) return { room };
  throw error;
}

/** The failure of a text that is too long for a slot. */
export function tooLong(length: number, room?: number): Failed {
  const most = room === undefined ? 'fewer' : `${room - 1}`;
  return {
    failure: `The text has ${length} tokens, and a slot of the server holds ${most}: start the server with a larger context (-c) or fewer slots (-np).`,
  };
}
