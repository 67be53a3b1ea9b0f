/**
 * Names for passages that nobody else can make: HMAC-SHA-256 (RFC 2104), the first 128 bits, in base64url.
 *
 *   handle = base64url(HMAC(key, JSON [kind, thread, …identity])[0..16])
 *
 * A handle holds nothing and opens nothing by itself: it is computed again for each passage of the thread that
 * asks, and compared. So neither a passage that names the handles of others, nor a model that was talked into
 * guessing, reaches what is not of its own thread.
 */
import type { DocumentInterface } from '@langchain/core/documents';
import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { randomBytes, utf8ToBytes } from '@noble/hashes/utils';

const BYTES = 16;

export interface Handles {
  ofPassage(thread: string, passage: DocumentInterface): string;
  /** Of all that one tool call found. */
  ofResult(thread: string, toolCallId: string): string;
  /** Of what its result does not show, or not in full. */
  ofRest(thread: string, toolCallId: string): string;
}

/** @param key secret; absent: one that this process alone knows. */
export function makeHandles(key: string | Uint8Array = randomBytes(32)): Handles {
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  const handleOf = (...parts: string[]) =>
    base64url(hmac(sha256, bytes, utf8ToBytes(JSON.stringify(parts))).subarray(0, BYTES));
  return {
    ofPassage: (thread, { id, pageContent }) => handleOf('passage', thread, id ?? '', pageContent),
    ofResult: (thread, toolCallId) => handleOf('result', thread, toolCallId),
    ofRest: (thread, toolCallId) => handleOf('rest', thread, toolCallId),
  };
}

/** Takes as long wherever the two differ, so that the time tells nothing about the right one. */
export function isSame(given: string, right: string): boolean {
  let difference = given.length ^ right.length;
  for (let at = 0; at < right.length; at++) difference |= given.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
