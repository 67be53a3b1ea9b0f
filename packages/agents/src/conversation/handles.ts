/**
 * Unforgeable names for passages: the first 128 bits of HMAC-SHA-256 (RFC 2104), in base64url.
 *
 *   handle = base64url(HMAC(key, JSON [kind, thread, …identity])[0..16])
 *
 * A handle contains no data. To resolve one, the code recomputes the handles of all passages of the requesting thread and
 * compares them. So neither a passage that contains foreign handles nor a model that was tricked into guessing can reach
 * passages of another thread.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const BYTES = 16;

export interface Handles {
  ofPassage(thread: string, passage: { id: string; text: string }): string;
  /** Handle of all passages that one tool call found. */
  ofResult(thread: string, callId: string): string;
  /** Handle of the passages that its result does not show in full. */
  ofRest(thread: string, callId: string): string;
}

/** @param key secret; absent: a random key of this process. */
export function makeHandles(key: string | Uint8Array = randomBytes(32)): Handles {
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  const handleOf = (...parts: string[]) =>
    base64url(hmac(sha256, bytes, utf8ToBytes(JSON.stringify(parts))).subarray(0, BYTES));
  return {
    ofPassage: (thread, { id, text }) => handleOf('passage', thread, id, text),
    ofResult: (thread, callId) => handleOf('result', thread, callId),
    ofRest: (thread, callId) => handleOf('rest', thread, callId),
  };
}

/** Compares in constant time, so that the duration reveals nothing about the right handle. */
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
