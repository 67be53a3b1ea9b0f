/** What a service says when it does not do what it was asked to. */

export interface Refusal {
  status: number;
  /** As JSON where it is, else as text. */
  body: unknown;
  /** The message in it, else all of it. */
  message: string;
}

const MOST_CHARACTERS_TOLD = 1000;

/** Long enough to understand it, too short for a page. */
export const excerpt = (text: string): string => text.slice(0, MOST_CHARACTERS_TOLD);

/** The cause of an error about an answer that is no success. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(excerpt(refusal.message));
  }
}

/** What was answered, if the error is about an answer that is no success. */
export function refusalOf(error: unknown): Refusal | undefined {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause instanceof Refused ? cause.refusal : undefined;
}

/** Gateways wrap what they are told, also as a text; what is deeper is no message. */
const DEEPEST = 3;

/** The message within an error's body: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }`. */
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

/** @returns the text itself, if it is no JSON. */
export function parse(text: string): { isJson: boolean; value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false, value: text };
  }
}
