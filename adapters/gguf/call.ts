import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../src/index.js';
import { Pacer } from '../../src/internal.js';
import {
  continuationStart,
  type InProcessCall,
  type TokenLogprob,
  Transcript,
  tooLong,
} from '../model-calls/index.js';
import type { Llama } from './llama.js';

/** Answers the requests of one call, and counts their cost. */
export class GgufCall implements InProcessCall {
  tokens = 0;
  cachedTokens = 0;
  readonly #pacer: Pacer;

  constructor(
    readonly llama: Llama,
    readonly call: ModelCall,
  ) {
    this.#pacer = new Pacer(call.signal);
  }

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const all = this.#encode(prompt + continuation);
    const start = continuationStart(all, this.#encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (all.length > this.llama.contextLength)
      return tooLong('prompt and its continuation have', all, this.llama.contextLength);
    this.cachedTokens += this.llama.known(all.slice(0, start));
    this.tokens += all.length;
    const transcript = this.#transcript();
    for (let index = start; index < all.length; index++) {
      const token = all[index] as number;
      const logprobs = await this.#logprobs(all.slice(0, index));
      transcript.add([token, logprobs[token] as number], this.#top(logprobs));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const { contextLength, tokenizer } = this.llama;
    const tokens = this.#encode(prompt);
    if (tokens.length > contextLength) return tooLong('prompt has', tokens, this.llama.contextLength);
    const end = tokens.length + maxTokens;
    const transcript = this.#transcript();
    this.cachedTokens += this.llama.known(tokens);
    this.tokens += tokens.length;
    while (tokens.length < end && !transcript.holds(stop)) {
      if (tokens.length > contextLength)
        return tooLong('prompt and the text so far have', tokens, this.llama.contextLength);
      const logprobs = await this.#logprobs(tokens);
      const next = logprobs.indexOf(logprobs.reduce((most, logprob) => Math.max(most, logprob)));
      if (next === tokenizer.eos) break;
      tokens.push(next);
      this.tokens++;
      transcript.add([next, logprobs[next] as number], this.#top(logprobs));
    }
    return transcript.upTo(stop);
  }

  #transcript(): Transcript {
    return new Transcript((id) => this.llama.tokenizer.pieces[id] as Uint8Array);
  }

  /** The requested number of most probable tokens; equally probable ones by their numbers. */
  #top(logprobs: Float64Array): TokenLogprob[] | undefined {
    const { topLogprobs = 0 } = this.call;
    if (topLogprobs < 1) return undefined;
    return Array.from(logprobs.entries())
      .sort(([a, logprobOfA], [b, logprobOfB]) => logprobOfB - logprobOfA || a - b)
      .slice(0, topLogprobs);
  }

  #encode(text: string): number[] {
    const { tokenizer } = this.llama;
    return [tokenizer.bos, ...tokenizer.encode(text)];
  }

  async #logprobs(tokens: readonly number[]): Promise<Float64Array> {
    while (!this.llama.prepare(tokens, 1)) if (this.#pacer.due()) await this.#pacer.pause();
    if (this.#pacer.due()) await this.#pacer.pause();
    return this.llama.logprobs(tokens);
  }
}
