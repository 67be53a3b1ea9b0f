/** The body of a response: its text, up to a size limit, and the error message in it. */

const MEBIBYTES = 64;

/** The body is longer than any valid answer. */
export class TooLarge extends Error {
  constructor() {
    super(`more than ${MEBIBYTES} MiB`);
  }
}

/**
 * Reads the text of a body. Stops at 64 MiB.
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

/** A response whose status is not a success. */
export interface Refusal {
  status: number;
  /** The parsed body if it is JSON, else its text. */
  body: unknown;
  /** The error message in the body; the whole body if no message is found. */
  message: string;
}

const MOST_CHARACTERS_SHOWN = 1000;

/** The first 1,000 characters: enough for a message, too few for a whole page. */
export const excerpt = (text: string): string => text.slice(0, MOST_CHARACTERS_SHOWN);

/** The cause of an error about a refusal. */
export class Refused extends Error {
  readonly status: number;

  constructor(readonly refusal: Refusal) {
    super(excerpt(refusal.message));
    this.status = refusal.status;
  }
}

/** The refusal that an error is about, if it is about one. */
export function refusalOf(error: unknown): Refusal | undefined {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause instanceof Refused ? cause.refusal : undefined;
}

/** Gateways nest the errors of other servers, also as JSON in a text. Deeper levels hold no message. */
const DEEPEST = 3;

/** The message in an error body: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }`. */
export function messageIn(body: unknown): string {
  let found = '';
  let inner = body;
  for (let depth = 0; depth <= DEEPEST; depth++) {
    if (typeof inner === 'string') {
      found = inner;
      inner = parse(inner).value;
    }
    if (typeof inner !== 'object' || inner === null) break;
    const { error, message, detail } = inner as { error?: unknown; message?: unknown; detail?: unknown };
    inner = [message, detail].find((each) => typeof each === 'string') ?? error;
  }
  return found;
}

/** @returns the text itself, if it is not JSON. */
export function parse(text: string): { isJson: boolean; value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false, value: text };
  }
}
