/** Splits bytes into lines, no further than the reader asks. */

/** A line of the input, with its place. */
export interface InputLine {
  /** Its number, counted from 1. */
  line: number;
  /** Offset of its first byte in the input. */
  start: number;
  /** Offset of the first byte after its line break. */
  end: number;
  /** Its bytes without the line break, in a buffer of their own; or why there are none. */
  content: Uint8Array<ArrayBuffer> | 'blank' | 'too-long';
}

const LINE_FEED = 10;
/** Tab, line feed, carriage return and space, as in JSON. */
const isSpace = (byte: number) => byte === 32 || byte === 9 || byte === 13 || byte === LINE_FEED;

/**
 * @param from the lines and bytes before the stream.
 * @param maxBytes lines with more bytes have no content. They are never held.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  from: { line: number; offset: number },
  maxBytes: number,
): AsyncGenerator<InputLine, void, undefined> {
  let { line, offset: start } = from;
  let parts: Uint8Array[] = [];
  let length = 0;
  const made = (breakBytes: number): InputLine => {
    const content: InputLine['content'] = length > maxBytes ? 'too-long' : joined(parts, length);
    const end = start + length + breakBytes;
    const found = { line: ++line, start, end, content };
    start = end;
    parts = [];
    length = 0;
    return found;
  };
  for await (const chunk of stream) {
    for (let begin = 0; ; ) {
      const end = chunk.indexOf(LINE_FEED, begin);
      const part = chunk.subarray(begin, end < 0 ? chunk.length : end);
      length += part.length;
      if (length <= maxBytes) parts.push(part);
      else parts = [];
      if (end < 0) break;
      yield made(1);
      begin = end + 1;
    }
  }
  // The last line may have no line break.
  if (length > 0) yield made(0);
}

/** In a buffer of its own: to send a part of a buffer to a thread is to send all of it. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> | 'blank' {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.every(isSpace) ? 'blank' : bytes;
}
