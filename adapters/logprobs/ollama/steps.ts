/**
 * The probability of a text from a service that does not score texts, but tells the most probable tokens at
 * each place it generates: of all ways to read the text as such tokens, that of the most probable one.
 *
 *   ln P(a | prompt) = max Σ ln P(t_i | prompt, t_1 … t_i−1)  over all t_1 t_2 … = a
 *
 * The tokens into which the model itself cuts the text are that way but for rare cases. Always to take the most
 * probable token would miss it: " New" is more probable than " Newton", and what follows it then is not. So the
 * search goes on with the most probable of all ways so far (E. W. Dijkstra, "A Note on Two Problems in Connexion
 * with Graphs", 1959), and ends when that one has read the whole text.
 *
 * Where no listed token begins the rest, the score is an upper bound: whatever the tokens are, at the first one
 * that is not listed the way is no more probable than that token, which has at most what the last of those
 * listed has, and what all of them leave: ln P(t) <= min(ln p_20, ln(1 − Σ p)). The token may be at any place
 * that was read, so the bound is that of the place where it is greatest. A way that is found but has less than
 * that bound need not be the most probable one: then the bound is the score.
 *
 * The spaces that the prompt ends with are read with the text. Where a token begins after them, they are the
 * prompt's own, and those before it do not count.
 */
import type { Failed, ScoredText, ScoredToken, ScoreRequest } from '../../../src/index.js';
import { partsOf } from './parts.js';

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

/** A way to read the text from its beginning. */
interface Way {
  /** Bytes read so far. */
  at: number;
  tokens: readonly ScoredToken[];
  logprob: number;
  /** What of `logprob` is of tokens that are the prompt's own: its spaces at the end. */
  ofPrompt: number;
  /** It ends here, and its probability is a bound: no listed token is next. */
  isBound: boolean;
}

/** What one request generates at most: what comes after a deviation is wasted. */
const MOST_AT_ONCE = 8;
/** Of ordinary text; where tokens are shorter, one request more is needed. */
const BYTES_PER_TOKEN = 3;
/** The most requests for places: the rest of the most probable way then counts as certain. */
const MOST_STEPS = 64;
/** What rounding may take from a sum of probabilities. */
const ROUNDING = 1e-6;

/**
 * @param topLogprobs how many alternatives to hand on at each place.
 * @returns not exact, if a token that is not listed may be more probable than the most probable way, or that
 *   cannot be asked for more: within a character, or after 64 steps.
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
  const places = new Map<number, GeneratedPlace>();
  const ways: Way[] = [{ at: 0, tokens: [], logprob: 0, ofPrompt: 0, isBound: false }];
  const read = new Set<number>();
  /** The most that a way can have that leaves what is listed, with the spaces of the prompt and without. */
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
    // Another way was here before, and more probable.
    if (read.has(at)) continue;
    read.add(at);
    if (!places.has(at)) {
      if (steps === MOST_STEPS || !beginsCharacter(text, at)) return bound;
      steps++;
      const soFar = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(0, at));
      const count = Math.min(MOST_AT_ONCE, Math.ceil((text.length - at) / BYTES_PER_TOKEN));
      const told = await ask(before + soFar, count);
      if (told.length === 0) return { failure: 'The service tells no tokens that may follow the text.' };
      keep(told, places, text, at);
    }
    const place = places.get(at) as GeneratedPlace;
    const fitting = listedAt(place).filter(({ bytes }) => bytes.length > 0 && fits(bytes, text, at));
    for (const token of fitting) {
      const scored = scoredToken(token, place.top, topLogprobs);
      const next = { tokens: [...tokens, scored], logprob: logprob + token.logprob };
      ways.push({ ...next, at: at + token.bytes.length, ofPrompt, isBound: false });
    }
    const other = logprob + boundOfOthers(place);
    // Where a listed token reads to the end, no longer one can stand.
    const readsAll = fitting.some(({ bytes }) => at + bytes.length === text.length);
    if (!readsAll) unlisted = Math.max(unlisted, other);
    ownUnlisted = Math.max(ownUnlisted, other - ofPrompt);
    if (fitting.length === 0) ways.push({ ...way, logprob: other, isBound: true });
  }
}

/** As the port has it. */
export function scoredToken(
  { text, logprob }: Listed,
  top: readonly Listed[],
  topLogprobs: number,
): ScoredToken {
  const wanted = top.slice(0, Math.max(0, topLogprobs)).map(({ text, logprob }) => ({ text, logprob }));
  return { text, logprob, ...(wanted.length > 0 ? { top: wanted } : {}) };
}

/** Takes out the most probable way; of equals the one that has read most. There is always one. */
function takeBest(ways: Way[]): Way {
  ways.sort((a, b) => a.logprob - b.logprob || a.at - b.at);
  return ways.pop() as Way;
}

/** Keeps what was told of each place of the text: as long as it is the text that was generated. */
function keep(
  told: readonly GeneratedPlace[],
  places: Map<number, GeneratedPlace>,
  text: Uint8Array,
  from: number,
): void {
  let at = from;
  for (const place of told) {
    places.set(at, place);
    const { bytes } = place.taken;
    if (bytes.length === 0 || !fits(bytes, text, at)) return;
    at += bytes.length;
  }
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

const fits = (bytes: Uint8Array, text: Uint8Array, at: number) =>
  bytes.every((byte, place) => byte === text[at + place]);

/** A prompt can only be asked for in whole characters. */
const beginsCharacter = (text: Uint8Array, at: number) => ((text[at] as number) & 0xc0) !== 0x80;
