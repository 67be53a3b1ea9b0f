import { sha256 } from '@noble/hashes/sha2.js';

/** Characters to hash at once. */
const MOST_CHARACTERS = 2 ** 17;

/** SHA-256 of a text in UTF-8, hexadecimal. */
export const digestOf = (text: string): string => digestOfPieces([text]);

/**
 * The same of a text in pieces. Node, Deno and Bun have a synchronous implementation that takes a quarter of the
 * time; elsewhere `@noble/hashes` computes it. `node:crypto` is not imported: bundlers for browsers could not resolve it, and
 * Node would spend milliseconds to load it before there is anything to digest.
 *
 * @param pieces no piece ends within a surrogate pair.
 */
export function digestOfPieces(pieces: Iterable<string>): string {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const hash: Hash = crypto?.createHash?.('sha256') ?? sha256.create();
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < MOST_CHARACTERS) continue;
    hash.update(encoder.encode(text));
    text = '';
  }
  hash.update(encoder.encode(text));
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}
