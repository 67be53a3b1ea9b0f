/**
 * Log-probabilities from logits x, over the whole vocabulary, in nats:
 *
 *   ln p(t) = x(t) − max x − ln Σ exp(x − max x)
 */
import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../../src/index.js';
import type { Evaluated, LlamaModelLike, LlamaSequence } from '../../llama-engine/index.js';
import {
  BYTES,
  continuationStart,
  type InProcessCall,
  type TokenLogprob,
  Transcript,
  tooLong,
} from '../../model-calls/index.js';

const EMPTY_PROMPT: Failed = {
  failure: 'The prompt is empty, and the model has no token that begins a text.',
};

/** Answers the requests of one call, one after another, and counts their cost. */
export class EngineCall implements InProcessCall {
  tokens = 0;
  cachedTokens = 0;

  constructor(
    readonly model: LlamaModelLike,
    readonly sequence: LlamaSequence,
    readonly parseSpecial: boolean,
    readonly call: ModelCall,
  ) {}

  async score({ prompt, continuation }: ScoreRequest): Promise<ScoredText | Failed> {
    const all = this.#encode(prompt + continuation);
    const start = continuationStart(all, this.#encode(prompt));
    if (start === -1) return { tokens: [], logprob: 0, exact: true };
    if (start === 0) return EMPTY_PROMPT;
    const most = this.sequence.contextSize;
    if (all.length > most) return tooLong('prompt and its continuation have', all, most);
    const kept = await this.#keep(all, start - 1);
    this.tokens += all.length;
    const scored = all.slice(start);
    const transcript = this.#transcript();
    for (const [index, listed] of (await this.#evaluate(all.slice(kept, -1), scored)).entries()) {
      const token = listed.find(([id]) => id === scored[index]) as TokenLogprob;
      transcript.add(token, this.#top(listed));
    }
    const { tokens } = transcript.upTo([]);
    return { tokens, logprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0), exact: true };
  }

  async generate({ prompt, maxTokens, stop = [] }: GenerateRequest): Promise<GeneratedText | Failed> {
    const all = this.#encode(prompt);
    const { length } = all;
    if (length === 0) return EMPTY_PROMPT;
    const kept = await this.#keep(all, length - 1);
    const transcript = this.#transcript();
    let pending = all.slice(kept);
    while (all.length < length + maxTokens && !transcript.holds(stop)) {
      // The engine keeps one position free. To get it, it would silently drop the start of the text.
      const most = this.sequence.contextSize - 1;
      if (all.length > most) return tooLong('prompt and the text so far have', all, most);
      const [listed] = (await this.#evaluate(pending, [undefined])) as [[TokenLogprob, ...TokenLogprob[]]];
      const [next] = listed;
      if (this.model.isEogToken(next[0])) break;
      transcript.add(next, this.#top(listed));
      pending = [next[0]];
      all.push(next[0]);
    }
    this.tokens += all.length;
    return transcript.upTo(stop);
  }

  #encode(text: string): number[] {
    const { bos, shouldPrependBosToken } = this.model.tokens;
    const tokens = this.model.tokenize(text, this.parseSpecial);
    return shouldPrependBosToken && bos !== null ? [bos, ...tokens] : tokens;
  }

  /**
   * Keeps the start of these tokens that is already in the engine's memory, and erases the rest of the memory.
   *
   * @returns the number of kept tokens, at most `most`.
   */
  async #keep(tokens: number[], most: number): Promise<number> {
    const { sequence } = this;
    const kept = Math.min(sequence.compareContextTokens(tokens).firstDifferentIndex, most);
    await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
    this.cachedTokens += kept;
    return kept;
  }

  /**
   * Evaluates the tokens. Each of the last ones, as many as there are followers, gets a list: its follower and the most
   * probable tokens after it, most probable first, equal ones by their numbers.
   */
  async #evaluate(
    tokens: readonly number[],
    followers: readonly (number | undefined)[],
  ): Promise<TokenLogprob[][]> {
    this.call.signal?.throwIfAborted();
    const silent = tokens.length - followers.length;
    const { topLogprobs = 0 } = this.call;
    // `includeMax` does not return the largest logit: the engine adds it only if it is there already. The greedily
    // selected token has the largest logit, too, and spares the engine a sort: 2 ms instead of 11 for 131,072 tokens.
    const largest = topLogprobs >= 1 ? { includeTop: topLogprobs } : { includeSelected: true };
    const evaluated = await this.sequence.controlledEvaluate(
      tokens.map((token, index) => {
        if (index < silent) return token;
        const filter = { tokens: [followers[index - silent] ?? []].flat(), ...largest };
        return [token, { generateNext: { logits: { filter }, totalLogitWeight: true } }];
      }),
    );
    return evaluated.slice(silent).map((each) => logprobs(each as Evaluated));
  }

  #transcript(): Transcript {
    return new Transcript((token) => pieceOf(this.model, token));
  }

  #top(listed: readonly TokenLogprob[]): readonly TokenLogprob[] | undefined {
    const { topLogprobs = 0 } = this.call;
    return topLogprobs >= 1 ? listed.slice(0, topLogprobs) : undefined;
  }
}

function logprobs({ next: { logits, totalLogitWeight } }: Evaluated): TokenLogprob[] {
  const sorted = Array.from(logits).sort(([a, one], [b, other]) => other - one || a - b);
  const largest = (sorted[0] as TokenLogprob)[1];
  return sorted.map(([token, logit]) => [token, logit - largest - Math.log(totalLogitWeight)]);
}

const encoder = new TextEncoder();

/**
 * The bytes that a token adds to a text, read from the vocabulary: the engine's own `detokenize` leaves out spaces
 * before punctuation, and bytes that are not a whole character.
 */
function pieceOf(model: LlamaModelLike, token: number): Uint8Array {
  const { model: kind, tokens } = model.fileInfo.metadata.tokenizer.ggml;
  const name = tokens[token] as string;
  const { control, unknown, userDefined } = model.getTokenAttributes(token);
  if (control || unknown) return new Uint8Array();
  if (userDefined) return encoder.encode(name);
  if (kind === 'gpt2') return Uint8Array.from(name, (letter) => BYTES.get(letter) as number);
  const byte = /^<0x([0-9A-F]{2})>$/.exec(name)?.[1];
  return byte === undefined
    ? encoder.encode(name.replaceAll('▁', ' '))
    : Uint8Array.of(Number.parseInt(byte, 16));
}
