import type { ModelCall, ModelUsage } from '../../../src/index.js';
import { concurrently } from '../../model-calls/index.js';
import { Completions, contextExhausted, type ServerState } from './completions.js';
import type { LlamaServer } from './server.js';
import { readTemplate, type Template } from './template.js';
import { type Token, type Tokenized, tokenize, tokenizeTwice, tokensOf } from './tokens.js';

interface CallOptions {
  maxConcurrency: number;
  batchSize: number;
  parseSpecial: boolean;
  chatTemplate: boolean;
  onWarning: (message: string) => void;
}

/** Looks like a control token: `<|im_start|>`, `<start_of_turn>`, `[INST]`, `</s>`. */
const MAY_BE_CONTROL = /<[^<>\s]{1,60}>|\[\/?[A-Z_]{1,60}\]/g;

/** How many such texts to ask about. Those of a chat template stand before the first passage. */
const MOST_ASKED = 50;

/** One call of the port: its requests to the server, and their cost. */
export class ServerCall {
  readonly completions: Completions;
  #letter: number | undefined;

  constructor(
    readonly server: LlamaServer,
    readonly state: ServerState,
    readonly options: CallOptions,
    readonly call: ModelCall,
  ) {
    this.completions = new Completions(server, state, options.batchSize);
  }

  get usage(): ModelUsage {
    return this.completions.counter.usage(this.server.service.requests);
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
    const { parseSpecial, maxConcurrency, chatTemplate } = this.options;
    const tokenized = await tokenize(this.server, texts, { parseSpecial, maxConcurrency }, this.call.signal);
    this.#letter = tokenized.letter;
    if (!parseSpecial && !chatTemplate) await this.#warnOfControlTokens(texts);
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
      await this.completions.measureContext(this.call.signal);
      await run();
    }
  }

  /** Asks once whether texts that look like control tokens are some. */
  async #warnOfControlTokens(texts: readonly string[]): Promise<void> {
    if (this.state.isChecked) return;
    const found = new Set(texts.flatMap((text) => text.match(MAY_BE_CONTROL) ?? []));
    if (found.size === 0) return;
    this.state.isChecked = true;
    const asked = [...found].slice(0, MOST_ASKED);
    const [special, plain] = await tokenizeTwice(this.server, asked, this.call.signal);
    const lengthIn = ({ lists }: Tokenized, text: string) => lists.get(text)?.length ?? 0;
    const control = asked.filter((text) => lengthIn(special, text) < lengthIn(plain, text));
    if (control.length === 0) return;
    this.options.onWarning(
      `context-shaping: Prompts for llama-server have control tokens of the model, which are read as plain text: ${control.join(', ')}. ` +
        'If they are part of passages, that is right. If your prompt is a rendered chat template, give the bare prompt ' +
        'and `chatTemplate: true`.',
    );
  }
}
