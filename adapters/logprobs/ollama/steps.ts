/**
 * The probability of a text from a service that does not score texts, but tells the most probable tokens at
 * each place it generates: step by step, each time with the most probable token that the rest of the text
 * begins with.
 *
 *   ln P(a | prompt) = Σ ln P(t_i | prompt, t_1 … t_i−1),  t_1 t_2 … = a
 *
 * Where no listed token begins the rest, the next one is less probable than the last that is listed, and than
 * all that are not listed together: ln P(t) <= min(ln p_20, ln(1 − Σ p)). What was summed up with this bound
 * is an upper bound of the whole, since no probability is above 1.
 */
import type { Failed, ScoredText, ScoredToken, ScoreRequest } from '../../../src/index.js';

/** A token with its bytes: it may be a part of a character. */
export interface Listed {
  text: string;
  bytes: Uint8Array;
  logprob: number;
}

/** A place of what was generated. */
export interface GeneratedPlace {
  /** The token that it goes on with. */
  taken: Listed;
  /** The most probable ones, best first. */
  top: readonly Listed[];
}

/** The places that follow a prompt, at least one and at most so many; none, if they cannot be told. */
export type Ask = (prompt: string, count: number) => Promise<readonly GeneratedPlace[]>;

/** What one request generates at most: what comes after a deviation is wasted. */
const MOST_AT_ONCE = 8;
/** Of ordinary text; where tokens are shorter, one request more is needed. */
const BYTES_PER_TOKEN = 3;
/** The most places where it asks again: what is left then counts as certain. */
export const MOST_STEPS = 64;
/** What rounding may take from a sum of probabilities. */
const ROUNDING = 1e-6;

/**
 * @param topLogprobs how many alternatives to hand on at each place.
 * @returns not exact, if it came to a place where no listed token fits, or {@link MOST_STEPS} were not enough.
 */
export async function scoreBySteps(
  { prompt, continuation }: ScoreRequest,
  topLogprobs: number,
  ask: Ask,
): Promise<ScoredText | Failed> {
  const text = new TextEncoder().encode(continuation);
  const tokens: ScoredToken[] = [];
  let logprob = 0;
  let done = 0;
  for (let step = 0; step < MOST_STEPS && done < text.length && isWhole(text, done); step++) {
    const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(0, done));
    const count = Math.min(MOST_AT_ONCE, Math.ceil((text.length - done) / BYTES_PER_TOKEN));
    const places = await ask(prompt + read, count);
    if (places.length === 0) return { failure: 'The service tells no tokens that may follow the text.' };
    for (const place of places) {
      const token = mostProbable(place, text.subarray(done));
      if (token === undefined) return { tokens, logprob: logprob + boundOfOthers(place), exact: false };
      tokens.push(scoredToken(token, place.top, topLogprobs));
      logprob += token.logprob;
      done += token.bytes.length;
      // What was generated after another token tells nothing of this text.
      if (done === text.length || token !== place.taken) break;
    }
  }
  return { tokens, logprob, exact: done === text.length };
}

/** As the port has it. */
export function scoredToken(
  { text, logprob }: Listed,
  top: readonly Listed[],
  topLogprobs: number,
): ScoredToken {
  const wanted = top.slice(0, topLogprobs).map(({ text, logprob }) => ({ text, logprob }));
  return { text, logprob, ...(wanted.length > 0 ? { top: wanted } : {}) };
}

/** The most probable token that the text begins with; of equals the longest. */
function mostProbable(place: GeneratedPlace, text: Uint8Array): Listed | undefined {
  const fitting = listedAt(place).filter(
    ({ bytes }) => bytes.length > 0 && bytes.every((byte, at) => byte === text[at]),
  );
  return fitting.toSorted((a, b) => b.logprob - a.logprob || b.bytes.length - a.bytes.length)[0];
}

/** The most that a token can have that is not listed. */
function boundOfOthers(place: GeneratedPlace): number {
  const others = listedAt(place).reduce((rest, { logprob }) => rest - Math.exp(logprob), 1 + ROUNDING);
  return Math.min(0, place.top.at(-1)?.logprob ?? 0, Math.log(Math.max(others, ROUNDING)));
}

/** Each once; the one that was taken need not be among the most probable. */
function listedAt({ taken, top }: GeneratedPlace): Listed[] {
  const isTaken = ({ text, logprob }: Listed) => text === taken.text && logprob === taken.logprob;
  return [taken, ...top.filter((token) => !isTaken(token))];
}

/** Does a character begin here? A prompt can only be asked for in whole ones. */
function isWhole(text: Uint8Array, at: number): boolean {
  return ((text[at] as number) & 0xc0) !== 0x80;
}
