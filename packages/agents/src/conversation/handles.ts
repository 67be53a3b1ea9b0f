/**
 * Unforgeable names for left-out passages of a result, by HMAC-SHA-256 (RFC 2104), in base64url.
 *
 *   handle = tag, HMAC(key, JSON [rest or result, thread, id of the call, tag])[0..13]
 *   tag    = HMAC(key, JSON [text, text of the result])[0..3]
 *
 * A handle contains no data. An entry of a store counts only if its handle is right for the requesting thread.
 * So neither a passage that contains foreign handles nor a model that was tricked into guessing can reach passages of
 * another thread. Some providers give several calls of one thread the same id: the tag tells their results apart.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const BYTES = 16;
const TAG_BYTES = 3;

export interface Handles {
  /** Tag of a result, by its text as it was before it was shaped. */
  tagOf(text: string): string;
  /** The handle of the passages that a result does not show; or of all that it showed, after it was cut again. */
  of(of: 'rest' | 'result', thread: string, callId: string, tag: string): string;
  /** Whether the handle is of a result of this call, with any text. */
  isOf(handle: string, thread: string, callId: string): boolean;
}

/** @param key secret; absent: a random key of this process. */
export function makeHandles(key: string | Uint8Array = randomBytes(32)): Handles {
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  const mac = (length: number, ...parts: string[]) =>
    base64url(hmac(sha256, bytes, utf8ToBytes(JSON.stringify(parts))).subarray(0, length));
  const handleOf: Handles['of'] = (of, thread, callId, tag) =>
    tag + mac(BYTES - TAG_BYTES, of, thread, callId, tag);
  return {
    tagOf: (text) => mac(TAG_BYTES, 'text', text),
    of: handleOf,
    isOf: (handle, thread, callId) =>
      (['rest', 'result'] as const).some((of) => isSame(handle, handleOf(of, thread, callId, tagIn(handle)))),
  };
}

/** The tag in a handle. Three bytes are four characters. */
export const tagIn = (handle: string): string => handle.slice(0, 4);

/** Compares in constant time, so that the duration reveals nothing about the right handle. */
function isSame(given: string, right: string): boolean {
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
