/**
 * The bill of recorded requests, as a provider with a prompt cache would write it. It knows only the sent bytes, and
 * nothing of how this package decided.
 */

/** A message or a tool, as it was sent. */
export interface Sent {
  text: string;
  tokens: number;
}

export interface PriceModel {
  /** In prices of one input token. */
  read: number;
  write: number;
  /** A shorter prefix is neither written nor read. */
  minimum: number;
  /** The cache knows prefixes that end inside a message. Otherwise only those that end with one. */
  inside: boolean;
}

export interface Bill {
  tokens: { read: number; write: number; input: number };
  /** In prices of one input token. */
  cost: number;
  /** Tokens of the messages that each request has in common with the one before, from the first on. */
  stable: number[];
  /** Requests that do not begin with the whole request before. */
  rewrites: number;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
export const tokensIn = (request: readonly Sent[]) => sum(request.map(({ tokens }) => tokens));

/** Number of first messages that are the same, byte for byte. */
function same(one: readonly Sent[], other: readonly Sent[]): number {
  const at = one.findIndex(({ text }, place) => text !== other[place]?.text);
  return at < 0 ? one.length : at;
}

/** The same, and the share of the first different message by its first characters. */
function sameInside(one: readonly Sent[], other: readonly Sent[]): number {
  const at = same(one, other);
  const [next, twin] = [one[at], other[at]];
  const tokens = tokensIn(one.slice(0, at));
  if (next === undefined || twin === undefined || next.text === '') return tokens;
  let characters = 0;
  while (characters < twin.text.length && next.text[characters] === twin.text[characters]) characters++;
  return tokens + Math.floor((next.tokens * characters) / next.text.length);
}

/**
 * The bill. A request reads the longest prefix that any earlier request has as well, and writes the rest.
 *
 * @param marks for each request, the indices of the messages whose ends were marked for the cache. Then a request reads only
 * up to a mark of an earlier one. Default: each message.
 */
export function priceRequests(
  requests: readonly (readonly Sent[])[],
  { read, write, minimum, inside }: PriceModel,
  marks?: readonly (readonly number[])[],
): Bill {
  const tokens = { read: 0, write: 0, input: 0 };
  const stable: number[] = [];
  let rewrites = 0;
  for (const [at, request] of requests.entries()) {
    const total = tokensIn(request);
    const known = requests.slice(0, at).map((earlier, place) => {
      const shared = same(request, earlier);
      if (marks !== undefined) {
        const ends = (marks[place] ?? []).map((mark) => mark + 1).filter((end) => end <= shared);
        return tokensIn(request.slice(0, Math.max(0, ...ends)));
      }
      return inside ? sameInside(request, earlier) : tokensIn(request.slice(0, shared));
    });
    const longest = Math.max(0, ...known);
    const found = longest < minimum ? 0 : longest;
    tokens.read += found;
    tokens[total < minimum ? 'input' : 'write'] += total - found;
    const previous = requests[at - 1];
    if (previous === undefined) continue;
    const shared = same(request, previous);
    stable.push(tokensIn(request.slice(0, shared)));
    if (shared < previous.length) rewrites++;
  }
  return {
    tokens,
    cost: tokens.read * read + tokens.write * write + tokens.input,
    stable,
    rewrites,
  };
}
