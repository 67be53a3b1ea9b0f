const MEBIBYTES = 64;

/** Of a body that is longer than any answer. */
export class TooLarge extends Error {
  constructor() {
    super(`more than ${MEBIBYTES} MiB`);
  }
}

/**
 * The text of a body, of which no more is read than an answer may have.
 *
 * @throws TooLarge
 */
export async function textOfBody(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MEBIBYTES * 2 ** 20) throw new TooLarge();
    parts.push(decoder.decode(part, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
