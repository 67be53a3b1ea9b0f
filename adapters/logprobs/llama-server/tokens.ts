import type { JsonService } from '../../json-service/index.js';
import { endpointOf, tokensIn } from './answers.js';

export interface Token {
  id: number;
  bytes: Uint8Array;
  /** The bytes are valid UTF-8 by themselves. */
  isWhole: boolean;
}

const encoder = new TextEncoder();

/** The tokens of a text. Their bytes are made on demand, since prompts are long and few tokens are looked at. */
export interface TokenizedText {
  ids: readonly number[];
  /** As the server sends them: bytes, if they are not valid UTF-8. */
  pieces: readonly (string | readonly number[])[];
}

/**
 * @param options `isBeginning`: adds the token that begins every text, if the model has one; `parseSpecial`: reads a
 *   text that looks like a control token as that token.
 */
export async function tokenize(
  service: JsonService,
  text: string,
  { isBeginning, parseSpecial }: { isBeginning: boolean; parseSpecial: boolean },
  signal: AbortSignal,
): Promise<TokenizedText> {
  const body = { content: text, add_special: isBeginning, parse_special: parseSpecial, with_pieces: true };
  const answer = await service.post('tokenize', body, signal);
  const tokens = tokensIn(answer, endpointOf(service, 'POST', 'tokenize'));
  return { ids: tokens.map(({ id }) => id), pieces: tokens.map(({ piece }) => piece) };
}

/** The tokens from an index to the end. */
export function tokensFrom({ ids, pieces }: TokenizedText, start: number): Token[] {
  return pieces.slice(start).map((piece, index) => {
    const isWhole = typeof piece === 'string';
    const bytes = isWhole ? encoder.encode(piece) : Uint8Array.from(piece);
    return { id: ids[start + index] as number, bytes, isWhole };
  });
}

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
