import type { ModelCall, ModelUsage } from '../../../src/index.js';
import { concurrently } from '../../model-calls/index.js';
import { Completions, contextExhausted, type ServerState } from './completions.js';
import type { LlamaServer } from './server.js';
import { readTemplate, type Template } from './template.js';
import { type Token, type Tokenized, tokenize, tokensOf } from './tokens.js';

interface CallOptions {
  maxConcurrency: number;
  batchSize: number;
  parseSpecial: boolean;
  chatTemplate: boolean;
  onWarning: (message: string) => void;
}

/** Looks like a control token: `<|im_start|>`, `<start_of_turn>`, `[INST]`, `</s>`. */
const MAY_BE_CONTROL = /<[|/]?\w+\|?>|\[\/?[A-Z_]+\]/;

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
    this.state.template ??= await readTemplate(this.server, this.options.maxConcurrency, this.call.signal);
    return this.state.template;
  }

  /** Splits texts into tokens. */
  async tokenize(texts: readonly string[]): Promise<Tokenized> {
    const { parseSpecial, maxConcurrency, chatTemplate } = this.options;
    const tokenized = await tokenize(this.server, texts, { parseSpecial, maxConcurrency }, this.call.signal);
    this.#letter = tokenized.letter;
    if (!parseSpecial && !chatTemplate) await this.#warnOfControlTokens(texts, tokenized);
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

  /** Asks once, of the first text that may have a control token, whether the model knows it. */
  async #warnOfControlTokens(texts: readonly string[], { lists }: Tokenized): Promise<void> {
    const text = this.state.isChecked ? undefined : texts.find((each) => MAY_BE_CONTROL.test(each));
    if (text === undefined) return;
    this.state.isChecked = true;
    const options = { parseSpecial: true, maxConcurrency: 1 };
    const special = await tokenize(this.server, [text], options, this.call.signal);
    if ((special.lists.get(text)?.length ?? 0) >= (lists.get(text)?.length ?? 0)) return;
    const [found] = MAY_BE_CONTROL.exec(text) ?? [];
    this.options.onWarning(
      `context-shaping: A prompt for llama-server has a text such as ${found}, which is a control token of the model, ` +
        'and it is read as plain text. If it is part of a passage, that is right. If your prompt is a rendered chat ' +
        'template, give the bare prompt and `chatTemplate: true`.',
    );
  }
}
