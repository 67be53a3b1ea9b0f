/** Reading JSON bodies: encoding and nesting. */
import { isUtf8 } from 'node:buffer';

/** Decodes a body, without a byte order mark; undefined if it is not UTF-8. Faster than a fatal `TextDecoder`. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  if (!isUtf8(body)) return undefined;
  const { buffer, byteOffset, byteLength } = body;
  return Buffer.from(buffer, byteOffset, byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

const MOST_LEVELS = 1000;

/** Whether JSON has more than 1,000 levels. Writing JSON is recursive, and deeper nesting would overflow the thread's stack. */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; depth < MOST_LEVELS; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
