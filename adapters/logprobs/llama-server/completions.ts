import type { Failed } from '../../../src/index.js';
import { type JsonService, type Refusal, refusalOf } from '../json-service.js';
import type { turns } from '../turns.js';
import { type Completion, completionsIn, propsIn } from './answers.js';

/** What was found out about a server, for later calls. */
export interface Memory {
  /** Does it know grammars of token numbers, and tell how probable the tokens are that it takes by them? */
  tokenGrammar: boolean;
  /** For how many tokens its slots have room together, where they were found to share one context. */
  sharedContext: number | undefined;
  /** Where they do, one request waits for the other. */
  inTurn: ReturnType<typeof turns>;
}

/** The same for all prompts of a request. */
export interface Settings {
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

/** Asks for completions, and counts their tokens. */
export class Completions {
  tokens = 0;
  cachedTokens = 0;
  /** Did the server always say how many there were? */
  isCounted = true;

  constructor(
    readonly service: JsonService,
    readonly memory: Memory,
    readonly batchSize: number,
  ) {}

  /** Continues each prompt. Those that are too long fail; the others are sent again without them. */
  async of(
    prompts: readonly Prompt[],
    settings: Settings,
    signal: AbortSignal,
  ): Promise<(Completion | Failed)[]> {
    const results = new Array<Completion | Failed>(prompts.length);
    for (const pack of this.#packs(prompts, settings.n_predict)) {
      let places = pack;
      while (places.length > 0) {
        const sent = places.map((place) => prompts[place] as Prompt);
        const sending = this.#send(sent, settings, signal);
        const outcome = await sending.catch((error) => onlySomeFit(error, sent));
        if (Array.isArray(outcome)) {
          for (const [index, place] of places.entries()) results[place] = outcome[index] as Completion;
          break;
        }
        const fits = (place: number) => (prompts[place] as Prompt).length < outcome.room;
        for (const place of places) {
          if (!fits(place)) results[place] = tooLong((prompts[place] as Prompt).length, outcome.room);
        }
        places = places.filter(fits);
      }
    }
    return results;
  }

  /** Finds out for how many tokens the slots of the server have room together. */
  async measureContext(signal: AbortSignal | undefined): Promise<void> {
    const answer = await this.service.get('props', signal);
    const props = propsIn(answer, this.service.nameOf('GET', 'props'));
    this.memory.sharedContext = props.default_generation_settings?.n_ctx ?? 0;
  }

  /** Places of prompts that are sent at once: a batch, or as many as there is room for together. */
  #packs(prompts: readonly Prompt[], further: number): number[][] {
    const { sharedContext = Number.POSITIVE_INFINITY } = this.memory;
    const packs: number[][] = [];
    let room = 0;
    for (const [place, { length }] of prompts.entries()) {
      const last = packs.at(-1);
      if (last !== undefined && last.length < this.batchSize && length + further <= room) last.push(place);
      else {
        packs.push([place]);
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
      // What moves known text to another place is cheap, and not exact.
      n_cache_reuse: 0,
      return_tokens: true,
      response_fields: FIELDS,
    };
    const { sharedContext, inTurn } = this.memory;
    // Where requests are small enough for the context they share, it is others that fill it: they come to an end.
    const isFinal = (refusal: Refusal) =>
      tells(refusal, GRAMMAR_REFUSED) || (sharedContext === undefined && tells(refusal, EXHAUSTED));
    const send = () => this.service.post('completion', body, signal, isFinal);
    const answer = await (sharedContext === undefined ? send() : inTurn(send, signal));
    const completions = completionsIn(answer, this.service.nameOf('POST', 'completion'), prompts.length);
    for (const completion of completions) this.#count(completion);
    return completions;
  }

  #count({ timings, tokens_predicted, stop_type }: Completion): void {
    if (timings === undefined) {
      this.isCounted = false;
      return;
    }
    // The token that ends a text is none of it.
    const continued = Math.max(0, (tokens_predicted ?? 0) - (stop_type === 'eos' ? 1 : 0));
    this.tokens += timings.cache_n + timings.prompt_n + continued;
    this.cachedTokens += timings.cache_n;
  }
}

const tells = (refusal: Refusal | undefined, what: RegExp) => what.test(refusal?.message ?? '');

/** Do the slots of the server share a context that is too small for what was asked at once? */
export const contextExhausted = (error: unknown): boolean => tells(refusalOf(error), EXHAUSTED);

/** Can the server not be held to tokens by a grammar? `never`: to no tokens; `not these`: they are no text. */
export function grammarRefused(error: unknown): 'never' | 'not these' | undefined {
  const refusal = refusalOf(error);
  if (!tells(refusal, GRAMMAR_REFUSED)) return undefined;
  return refusal?.status === 400 ? 'never' : 'not these';
}

/** @returns for how many tokens a slot has room, if that is what the error is about; else throws it. */
function onlySomeFit(error: unknown, prompts: readonly Prompt[]): { room: number } {
  const body = refusalOf(error)?.body as { error?: { type?: unknown; n_ctx?: unknown } } | null | undefined;
  const { type, n_ctx: room } = body?.error ?? {};
  const isTooLong = type === 'exceed_context_size_error' && typeof room === 'number';
  if (isTooLong && prompts.some(({ length }) => length >= room)) return { room };
  throw error;
}

/** Of a text that a slot cannot take in. */
export function tooLong(length: number, room?: number): Failed {
  const most = room === undefined ? 'fewer' : `${room - 1}`;
  return {
    failure: `The text has ${length} tokens, and a slot of the server has room for ${most}: give the server a larger context (-c) or fewer slots (-np).`,
  };
}
