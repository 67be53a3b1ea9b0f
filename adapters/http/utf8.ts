import { isUtf8 } from 'node:buffer';

/** The text of a body, without a byte order mark; undefined where it is no UTF-8. Faster than a fatal `TextDecoder`. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  if (!isUtf8(body)) return undefined;
  const { buffer, byteOffset, byteLength } = body;
  return Buffer.from(buffer, byteOffset, byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}
