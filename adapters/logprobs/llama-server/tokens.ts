import type { JsonService } from '../json-service.js';
import { tokensIn } from './answers.js';

export interface Token {
  id: number;
  bytes: Uint8Array;
  /** Is it UTF-8 by itself? */
  isWhole: boolean;
}

const encoder = new TextEncoder();

/** The tokens of a text. Prompts are long: bytes are made only of the tokens that are looked at. */
export interface Tokenised {
  ids: readonly number[];
  /** As the server tells them: bytes, where they are no UTF-8. */
  pieces: readonly (string | readonly number[])[];
}

/**
 * @param options `isBeginning`: with the token that begins every text, for models that have one;
 *   `parseSpecial`: does what looks like a control token stand for it?
 */
export async function tokensOf(
  service: JsonService,
  text: string,
  { isBeginning, parseSpecial }: { isBeginning: boolean; parseSpecial: boolean },
  signal: AbortSignal,
): Promise<Tokenised> {
  const body = { content: text, add_special: isBeginning, parse_special: parseSpecial, with_pieces: true };
  const answer = await service.post('tokenize', body, signal);
  const tokens = tokensIn(answer, service.nameOf('POST', 'tokenize'));
  return { ids: tokens.map(({ id }) => id), pieces: tokens.map(({ piece }) => piece) };
}

/** Those at a place and after it. */
export function tokensFrom({ ids, pieces }: Tokenised, start: number): Token[] {
  return pieces.slice(start).map((piece, place) => {
    const isWhole = typeof piece === 'string';
    const bytes = isWhole ? encoder.encode(piece) : Uint8Array.from(piece);
    return { id: ids[start + place] as number, bytes, isWhole };
  });
}

/** What each token adds to the text: half a character adds nothing, its end all of it. */
export function textsOf(pieces: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = pieces.map((bytes) => decoder.decode(bytes, { stream: true }));
  const cutOff = decoder.decode();
  return texts.map((text, place) => (place === texts.length - 1 ? text + cutOff : text));
}

/** Does the character that begins last in these bytes end after them? The server tells nothing of such tokens. */
export function endsInsideCharacter(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes.at(-back) as number;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}
