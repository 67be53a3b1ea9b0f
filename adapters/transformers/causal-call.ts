import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../src/index.js';
import {
  continuationStart,
  type InProcessCall,
  type TokenLogprob,
  Transcript,
  tooLong,
} from '../model-calls/index.js';
import type { CausalText } from './causal-text.js';
import type { Numbers, Tensor } from './engine.js';
import { NextToken } from './next-token.js';
import type { OpenModel } from './open-model.js';
import type { PrefixCache } from './prefix-cache.js';

const EMPTY_PROMPT: Failed = {
  failure: 'The prompt is empty, and the model has no token that begins a text.',
};

/** Answers the requests of one call, one after another, and counts their cost. */
export class CausalCall implements InProcessCall {
  tokens = 0;
  cachedTokens = 0;

  constructor(
    readonly open: OpenModel,
    readonly text: CausalText,
    readonly cache: PrefixCache,
    readonly call: ModelCall,
  ) {}

  async score(request: ScoreRequest): Promise<ScoredText | Failed> {
    const { all, prompt } = this.text.pair(request);
    const start = continuationStart(all, prompt);
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (start === 0) return EMPTY_PROMPT;
    const most = this.open.maxLength;
    if (all.length > most) return tooLong('prompt and its continuation have', all, most);
    const scored = all.slice(start);
    const kept = this.#keep(all, start - 1);
    this.tokens += all.length;
    const transcript = this.#transcript();
    // The last token has no follower, so the model does not get it.
    for (const [at, next] of (await this.#run(all.slice(kept, -1), kept, scored.length)).entries()) {
      const id = scored[at] as number;
      transcript.add([id, next.logprobOf(id)], this.#top(next));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const all = this.text.prompt(prompt);
    const { length } = all;
    if (length === 0) return EMPTY_PROMPT;
    const most = this.open.maxLength;
    const transcript = this.#transcript();
    let first = true;
    while (all.length < length + maxTokens && !transcript.holds(stop)) {
      if (all.length > most) return tooLong('prompt and the text so far have', all, most);
      // Without a cache that can be kept, all tokens so far run again.
      const kept = first ? this.#keep(all, length - 1) : this.cache.keep(all, all.length - 1);
      first = false;
      const [next] = (await this.#run(all.slice(kept), kept, 1)) as [NextToken];
      const [best] = next.top(1) as [TokenLogprob];
      if (this.#ends(best[0])) break;
      transcript.add(best, this.#top(next));
      all.push(best[0]);
    }
    this.tokens += all.length;
    return transcript.upTo(stop);
  }

  #keep(tokens: readonly number[], most: number): number {
    const kept = this.cache.keep(tokens, most);
    this.cachedTokens += kept;
    return kept;
  }

  /**
   * Runs tokens after those in the cache.
   *
   * @param rows how many of the last tokens need the probabilities of their followers.
   */
  async #run(tokens: readonly number[], kept: number, rows: number): Promise<NextToken[]> {
    this.call.signal?.throwIfAborted();
    const { engine, model } = this.open;
    const integers = (values: readonly number[], dims: readonly number[]) =>
      new engine.Tensor('int64', BigInt64Array.from(values, BigInt), dims);
    const outputs = await model({
      input_ids: integers(tokens, [1, tokens.length]),
      attention_mask: integers(new Array(kept + tokens.length).fill(1), [1, kept + tokens.length]),
      // Not all graphs have this input. The others compute the logits of all tokens.
      num_logits_to_keep: integers([rows], []),
      ...this.cache.inputs,
    });
    this.cache.add(tokens, outputs);
    const output = outputs.logits as Tensor;
    const logits = output.to('float32');
    const [vocabulary, count] = [logits.dims.at(-1) as number, logits.dims.at(-2) as number];
    const data = logits.data as Numbers as Float32Array;
    const next = Array.from({ length: rows }, (_, row) => {
      const from = (count - rows + row) * vocabulary;
      return new NextToken(data.subarray(from, from + vocabulary));
    });
    if (output.location !== 'cpu') output.dispose();
    return next;
  }

  /** Whether the token ends the text. */
  #ends(id: number): boolean {
    const { model, tokenizer } = this.open;
    const ends = [model.generation_config?.eos_token_id, model.config.eos_token_id, tokenizer.eos_token_id];
    return ends.flat().includes(id);
  }

  #transcript(): Transcript {
    return new Transcript((id) => this.text.piece(id));
  }

  #top(next: NextToken): readonly TokenLogprob[] | undefined {
    const { topLogprobs = 0 } = this.call;
    return topLogprobs >= 1 ? next.top(topLogprobs) : undefined;
  }
}
