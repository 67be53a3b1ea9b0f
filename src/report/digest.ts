import { sha256 } from '@noble/hashes/sha2';

/**
 * SHA-256 of a text in UTF-8, hexadecimal: the runtime's own where there is one that answers at once (Node, Deno, Bun),
 * which takes a quarter of the time, elsewhere that of `@noble/hashes`. It is not imported, for bundles for browsers could
 * not follow, and Node would load it, which takes it milliseconds, before there is anything to digest.
 */
export function digestOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const digest: Uint8Array = crypto?.createHash?.('sha256').update(bytes).digest() ?? sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
