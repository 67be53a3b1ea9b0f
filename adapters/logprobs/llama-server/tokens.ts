import { concurrently } from '../../model-calls/index.js';
import { pieceTokensIn, tokensIn } from './answers.js';
import type { LlamaServer } from './server.js';

export interface Token {
  id: number;
  bytes: Uint8Array;
  /** The bytes are valid UTF-8 by themselves. */
  isWhole: boolean;
}

type Ids = readonly number[];

/** How the model splits texts. */
export interface Tokenized {
  /** The tokens that begin every text; none, if the model has no such token. The lists do not have them. */
  begin: Ids;
  /** A token that is a letter. */
  letter: number;
  /** By text. */
  lists: ReadonlyMap<string, Ids>;
}

/** Stands between the tokens of two texts. It is the number of no token. */
const BORDER = -1;

/** The most characters of one request, which the server splits in a moment. A longer text has a request of its own. */
const MOST_CHARACTERS = 2 ** 20;

/**
 * Splits each distinct text, up to a million characters per request. The endpoint accepts lists of texts and token
 * numbers, splits each text by itself, and returns all numbers in one list.
 *
 * @param parseSpecial reads a text that looks like a control token as that token.
 */
export async function tokenize(
  server: LlamaServer,
  texts: readonly string[],
  { parseSpecial, maxConcurrency }: { parseSpecial: boolean; maxConcurrency: number },
  signal: AbortSignal | undefined,
): Promise<Tokenized> {
  // The server adds the tokens that begin and end every text only to the first text of a list.
  const packs: string[][] = [['a', 'a']];
  let room = MOST_CHARACTERS;
  for (const text of new Set(texts)) {
    room -= text.length;
    if (room >= 0) packs.at(-1)?.push(text);
    else {
      packs.push([text]);
      room = MOST_CHARACTERS - text.length;
    }
  }
  const endpoint = server.endpoint('POST', 'tokenize');
  const lists = await concurrently(packs, maxConcurrency, signal, async (pack, stop, index) => {
    const content = pack.flatMap((text, at) => (at === 0 ? [text] : [BORDER, text]));
    const body = { content, add_special: index === 0, parse_special: parseSpecial };
    const parts = split(tokensIn(await server.post('tokenize', body, stop), endpoint));
    if (parts.length === pack.length) return parts;
    throw endpoint.malformed(parts.length, `does not answer each of ${pack.length} texts`);
  });
  const [first, letters, ...rest] = lists.flat() as Ids[] as [Ids, Ids, ...Ids[]];
  const letter = letters.at(-1);
  if (letter === undefined) throw endpoint.malformed('a', 'has no token for a letter');
  const ordered = packs.flat().slice(2);
  return {
    begin: first.slice(0, Math.max(0, startOf(letters, first))),
    letter,
    lists: new Map(ordered.map((text, at) => [text, rest[at] as Ids])),
  };
}

function split(ids: Ids): number[][] {
  const parts: number[][] = [[]];
  for (const id of ids) {
    if (id === BORDER) parts.push([]);
    else parts.at(-1)?.push(id);
  }
  return parts;
}

/** The index at which a list is part of another; -1, if it is not. */
const startOf = (part: Ids, whole: Ids) =>
  whole.findIndex((_, start) => part.every((id, at) => whole[start + at] === id));

/** The tokens with these numbers. */
export async function tokensOf(
  server: LlamaServer,
  ids: Ids,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Token>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const body = { content: distinct, add_special: false, parse_special: false, with_pieces: true };
  const endpoint = server.endpoint('POST', 'tokenize');
  const tokens = pieceTokensIn(await server.post('tokenize', body, signal), endpoint);
  const known = new Map(
    tokens.map(({ id, piece }) => {
      const isWhole = typeof piece === 'string';
      return [id, { id, bytes: isWhole ? encoder.encode(piece) : Uint8Array.from(piece), isWhole }];
    }),
  );
  const missing = distinct.find((id) => !known.has(id));
  if (missing === undefined) return known;
  throw endpoint.malformed(missing, 'does not tell the text of a token');
}

const encoder = new TextEncoder();

/**
 * The text that each token adds. A token with a part of a character adds no text; the token that completes the
 * character adds all of it.
 */
export function textsOf(pieces: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = pieces.map((bytes) => decoder.decode(bytes, { stream: true }));
  const cutOff = decoder.decode();
  return texts.map((text, index) => (index === texts.length - 1 ? text + cutOff : text));
}

/** The bytes end inside a character. The server does not report such tokens. */
export function endsInsideCharacter(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes.at(-back) as number;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
