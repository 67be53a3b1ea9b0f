/**
 * The probability of a text, from a service that does not score texts but reports the most probable tokens at each
 * position it generates. A text can be read as such tokens in several ways; the most probable way counts.
 *
 *   ln P(a | prompt) = max Σ ln P(t_i | prompt, t_1 … t_i−1)  over all t_1 t_2 … = a
 *
 * Except in rare cases these are the tokens into which the model itself splits the text. Taking the most probable
 * token at each position would miss them: " New" is more probable than " Newton", but its continuation is not. So the
 * search always extends the most probable way so far (E. W. Dijkstra, "A Note on Two Problems in Connexion with
 * Graphs", 1959), and ends when that way has read the whole text.
 *
 * If no listed token begins the rest of the text, the score is an upper bound. A way that leaves the list at some
 * position is at most as probable as its first unlisted token t. That token has at most the probability of the last
 * listed token, and at most the probability that all listed tokens leave: ln P(t) <= min(ln p_20, ln(1 − Σ p)). At a
 * position without alternatives nothing is known, not even of the generated token: ln P(t) <= 0. The
 * way may leave the list at any position that was read, so the bound is the greatest of all positions. If the way
 * that the search found is less probable than the bound, it need not be the most probable way, and the bound is the
 * score.
 *
 * Spaces at the end of the prompt are read together with the text. If a token begins after them, they are tokens of
 * the prompt itself, and do not count.
 */
import type { Failed, ScoredText, ScoredToken, ScoreRequest } from '../../../src/index.js';

/** A token with its bytes. It may be a part of a character. */
export interface ListedToken {
  text: string;
  bytes: Uint8Array;
  logprob: number;
}

/** A token position of a generated text. */
export interface GeneratedPosition {
  /** The token that was generated. */
  taken: ListedToken;
  /** The most probable tokens here, best first. Empty: no probability is known here, and that of `taken` is none. */
  top: readonly ListedToken[];
}

/** Whether the probabilities of a position are known. */
export const isTold = ({ top }: GeneratedPosition): boolean => top.length > 0;

/** Asks for the positions that follow a prompt: between one and `count`; none, if the service reports none. */
export type Ask = (prompt: string, count: number) => Promise<readonly GeneratedPosition[]>;

/** A way to read the text from its beginning. */
interface Way {
  /** The number of bytes read so far. */
  at: number;
  tokens: readonly ScoredToken[];
  logprob: number;
  /** The part of `logprob` that belongs to the spaces at the end of the prompt. */
  ofPrompt: number;
  /** The way ends here, since no listed token comes next. Its probability is an upper bound. */
  isBound: boolean;
}

/** The largest number of tokens of one request: everything after the first deviation is wasted. */
const MOST_AT_ONCE = 8;
/** In ordinary text. Shorter tokens take one more request. */
const BYTES_PER_TOKEN = 3;
/** The largest number of requests for positions. After it, the rest of the most probable way counts as certain. */
const MOST_STEPS = 64;
/** The most that rounding changes in a sum of probabilities. */
const ROUNDING = 1e-6;

/**
 * @param topLogprobs how many alternatives to return at each position.
 * @returns not exact, if an unlisted token may be more probable than the most probable way, or if the search stopped
 *   early: inside a character, or after 64 steps.
 */
export async function scoreBySteps(
  request: ScoreRequest,
  topLogprobs: number,
  ask: Ask,
): Promise<ScoredText | Failed> {
  if (request.continuation === '') return { tokens: [], logprob: 0, exact: true };
  const parts = partsOf(request);
  if ('failure' in parts) return parts;
  const { before, spaces, continuation } = parts;
  const text = new TextEncoder().encode(spaces + continuation);
  const positions = new Map<number, GeneratedPosition>();
  const ways: Way[] = [{ at: 0, tokens: [], logprob: 0, ofPrompt: 0, isBound: false }];
  const read = new Set<number>();
  /** The bound of all ways that leave the listed tokens, with the spaces of the prompt and without them. */
  let unlisted = Number.NEGATIVE_INFINITY;
  let ownUnlisted = Number.NEGATIVE_INFINITY;
  for (let steps = 0; ; ) {
    const way = takeBest(ways);
    const { at, isBound } = way;
    if (at === spaces.length && !isBound) Object.assign(way, { tokens: [], ofPrompt: way.logprob });
    const { tokens, logprob, ofPrompt } = way;
    const isAtEnd = at === text.length && !isBound;
    if (isAtEnd && logprob >= unlisted) return { tokens, logprob: logprob - ofPrompt, exact: true };
    const most = Math.max(ownUnlisted, ...[way, ...ways].map((each) => each.logprob - each.ofPrompt));
    const bound = { tokens, logprob: most, exact: false };
    if (isAtEnd || isBound) return bound;
    // A more probable way was here before.
    if (read.has(at)) continue;
    read.add(at);
    if (!positions.has(at)) {
      if (steps === MOST_STEPS || !beginsCharacter(text, at)) return bound;
      steps++;
      const soFar = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(0, at));
      const count = Math.min(MOST_AT_ONCE, Math.ceil((text.length - at) / BYTES_PER_TOKEN));
      const reported = await ask(before + soFar, count);
      if (reported.length === 0) {
        return { failure: 'The service reports no tokens that may follow the text.' };
      }
      keep(reported, positions, text, at);
    }
    const position = positions.get(at) as GeneratedPosition;
    const fitting = listedAt(position).filter(({ bytes }) => bytes.length > 0 && fits(bytes, text, at));
    for (const token of fitting) {
      const scored = scoredToken(token, position.top, topLogprobs);
      const next = { tokens: [...tokens, scored], logprob: logprob + token.logprob };
      ways.push({ ...next, at: at + token.bytes.length, ofPrompt, isBound: false });
    }
    const other = logprob + boundOfOthers(position);
    // If a listed token reads to the end of the text, no unlisted token can read further.
    const readsAll = fitting.some(({ bytes }) => at + bytes.length === text.length);
    if (!readsAll) unlisted = Math.max(unlisted, other);
    ownUnlisted = Math.max(ownUnlisted, other - ofPrompt);
    if (fitting.length === 0) ways.push({ ...way, logprob: other, isBound: true });
  }
}

export const EMPTY_PROMPT: Failed = { failure: 'Ollama generates nothing after an empty prompt.' };
const INSIDE_A_WORD: Failed = {
  failure:
    'The prompt ends inside a word that the continuation completes: Ollama does not report the tokens there.',
};

/** All spaces at the end: the first one follows another character. Line breaks seldom begin a continuation's token. */
const SPACES_AT_END = /(?<![ \t])[ \t]*$/;
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}]/u;

/**
 * Separates the spaces at the end of the prompt. They can form one token with the start of the continuation, and the
 * model can no longer generate that token after the spaces. The same holds inside a word, which only a tokenizer could
 * split.
 */
function partsOf({ prompt, continuation }: ScoreRequest) {
  if (ENDS_IN_WORD.test(prompt) && BEGINS_IN_WORD.test(continuation)) return INSIDE_A_WORD;
  const spaces = SPACES_AT_END.exec(prompt)?.[0] as string;
  const before = prompt.slice(0, prompt.length - spaces.length);
  return before === '' ? EMPTY_PROMPT : { before, spaces, continuation };
}

/** A token in the form of the port. */
export function scoredToken(
  { text, logprob }: ListedToken,
  top: readonly ListedToken[],
  topLogprobs: number,
): ScoredToken {
  const wanted = top.slice(0, Math.max(0, topLogprobs)).map(({ text, logprob }) => ({ text, logprob }));
  return { text, logprob, ...(wanted.length > 0 ? { top: wanted } : {}) };
}

/** Removes and returns the most probable way; of equal ones the way that has read most. There is always one. */
function takeBest(ways: Way[]): Way {
  ways.sort((a, b) => a.logprob - b.logprob || a.at - b.at);
  return ways.pop() as Way;
}

/** Keeps the reported positions of the text, as long as the generated text agrees with it. */
function keep(
  reported: readonly GeneratedPosition[],
  positions: Map<number, GeneratedPosition>,
  text: Uint8Array,
  from: number,
): void {
  let at = from;
  for (const position of reported) {
    positions.set(at, position);
    const { bytes } = position.taken;
    if (bytes.length === 0 || !fits(bytes, text, at)) return;
    at += bytes.length;
  }
}

/** The largest log-probability that an unlisted token can have. */
function boundOfOthers(position: GeneratedPosition): number {
  const others = listedAt(position).reduce((rest, { logprob }) => rest - Math.exp(logprob), 1 + ROUNDING);
  return Math.min(0, position.top.at(-1)?.logprob ?? 0, Math.log(Math.max(others, ROUNDING)));
}

/** Each listed token once. The generated token need not be among the most probable ones. */
function listedAt(position: GeneratedPosition): ListedToken[] {
  const { taken, top } = position;
  if (!isTold(position)) return [];
  const isTaken = ({ text, logprob }: ListedToken) => text === taken.text && logprob === taken.logprob;
  return [taken, ...top.filter((token) => !isTaken(token))];
}

const fits = (bytes: Uint8Array, text: Uint8Array, at: number) =>
  bytes.every((byte, index) => byte === text[at + index]);

/** A prompt consists of whole characters. */
const beginsCharacter = (text: Uint8Array, at: number) => ((text[at] as number) & 0xc0) !== 0x80;
