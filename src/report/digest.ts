import { sha256 } from '@noble/hashes/sha2.js';
import { builtIns } from '../runtime/built-ins.js';

/**
 * SHA-256 of a text in UTF-8, hexadecimal. Node, Deno and Bun have a synchronous implementation that takes a quarter of the
 * time; elsewhere `@noble/hashes` computes it. Node spends milliseconds to load it, so it waits for something to digest.
 */
export function digestOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const hash = builtIns()?.('node:crypto')?.createHash?.('sha256');
  const digest = hash?.update(bytes).digest() ?? sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
