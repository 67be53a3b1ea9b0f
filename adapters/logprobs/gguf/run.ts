import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../../src/index.js';
import { continuationStart } from '../continuation-start.js';
import { type Scored, Transcript } from '../transcript.js';
import type { Llama } from './llama.js';

/** Work between two turns of the event loop, in which an abort can arrive. The clock decides no result. */
const SLICE_MILLISECONDS = 12;

/** Answers the requests of one call, and counts what they cost. */
export class Run {
  tokens = 0;
  cachedTokens = 0;
  #since = performance.now();

  constructor(
    readonly llama: Llama,
    readonly call: ModelCall,
  ) {}

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const all = this.#encode(prompt + continuation);
    const start = continuationStart(all, this.#encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (all.length > this.llama.contextLength) return this.#tooLong('prompt and its continuation have', all);
    this.cachedTokens += this.llama.known(all.slice(0, start));
    this.tokens += all.length;
    const transcript = this.#transcript();
    for (let place = start; place < all.length; place++) {
      const token = all[place] as number;
      const logprobs = await this.#logprobs(all.slice(0, place));
      transcript.add([token, logprobs[token] as number], this.#top(logprobs));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const { contextLength, tokenizer } = this.llama;
    const tokens = this.#encode(prompt);
    if (tokens.length > contextLength) return this.#tooLong('prompt has', tokens);
    const end = tokens.length + maxTokens;
    const transcript = this.#transcript();
    this.cachedTokens += this.llama.known(tokens);
    this.tokens += tokens.length;
    while (tokens.length < end && !transcript.holds(stop)) {
      if (tokens.length > contextLength) return this.#tooLong('prompt and the text so far have', tokens);
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

  /** As many of the most probable tokens as are asked for; of those as probable the lower number comes first. */
  #top(logprobs: Float64Array): Scored[] | undefined {
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
    while (!this.llama.prepare(tokens, 1)) await this.#breathe();
    await this.#breathe();
    return this.llama.logprobs(tokens);
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MILLISECONDS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.call.signal?.throwIfAborted();
    this.#since = performance.now();
  }

  #tooLong(what: string, { length }: { length: number }): Failed {
    const most = this.llama.contextLength;
    return { failure: `The ${what} ${length} tokens, more than the ${most} that the model looks at.` };
  }
}
