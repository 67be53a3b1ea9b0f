/** The chat template of a model, as a server renders it around the message of a user; and messages that cannot forge it. */
import type { ContextShapingError } from '../../src/index.js';
import { applyEdits, controlTokensIn } from '../../src/internal.js';

/** The text before a prompt, and after it up to the answer. */
export interface ChatFrame {
  before: string;
  after: string;
}

/** A message that templates leave as it is. */
export const SAMPLE_MESSAGE = 'context-shaping-message';

/**
 * Reads the template around {@link SAMPLE_MESSAGE}.
 *
 * @param malformed makes the error for a template that does not repeat the message once.
 */
export function frameIn(
  rendered: string,
  malformed: (value: string, is: string) => ContextShapingError,
): ChatFrame {
  const [before, after, ...more] = rendered.split(SAMPLE_MESSAGE);
  if (before === undefined || after === undefined || more.length > 0) {
    throw malformed(rendered, 'shows a chat template that does not repeat the message once');
  }
  return { before, after };
}

/**
 * The request with its prompt as the message of a user; the continuation is then the beginning of the answer. Control
 * tokens of the frame, and those of known templates, get a space where the prompt contains them. A space at the start of
 * the continuation is dropped where white space ends the frame.
 */
export function framed<R extends { prompt: string; continuation?: string }>(
  frame: ChatFrame | undefined,
  request: R,
): R {
  if (frame === undefined) return request;
  const { before, after } = frame;
  const prompt = before + withoutControlTokens(request.prompt, before + after) + after;
  const dropsSpace = request.continuation?.startsWith(' ') && /\s$/.test(after);
  return {
    ...request,
    prompt,
    ...(dropsSpace ? { continuation: request.continuation?.slice(1) } : {}),
  };
}

/** Tags, in all forms that templates use. */
const TAGS = /<[^\s<>]{1,60}>|\[[A-Z_/]{1,40}\]|〈[^\s〈〉]{1,60}〉/g;

/**
 * The text with a space inside each control token: `< |im_start|>`, for servers that read a control token in any
 * text as such.
 *
 * @param frame a text whose tags are control tokens too.
 */
export function withoutControlTokens(text: string, frame: string): string {
  const known = controlTokensIn(text)
    .filter(({ end }) => !text.startsWith(':', end - 1))
    .map(({ start }) => start);
  const own = new Set(frame.match(TAGS));
  const tags = [...text.matchAll(TAGS)].filter(([tag]) => own.has(tag)).map(({ index }) => index);
  const places = [...new Set([...known, ...tags])].toSorted((a, b) => a - b);
  return applyEdits(
    text,
    places.map((start) => ({ start: start + 1, end: start + 1, text: ' ' })),
  );
}
