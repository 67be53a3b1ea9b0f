import { BYTES } from '../byte-letters.js';
import type { LlamaModelLike } from './engine.js';

const encoder = new TextEncoder();

/**
 * What a token adds to a text. Read from the vocabulary: the engine's own `detokenize` leaves out spaces before
 * punctuation, and bytes that are no whole character.
 */
export function pieceOf(model: LlamaModelLike, token: number): Uint8Array {
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
