/** The chat template of a model, as a server renders it around the message of a user; and messages that cannot forge it. */
import { applyEdits, controlTokensIn, digestOf } from '../../src/internal.js';

/** The text before a prompt, and after it up to the answer. */
export interface ChatFrame {
  before: string;
  after: string;
}

/** A message that templates leave as it is. */
export const SAMPLE_MESSAGE = 'context-shaping-message';

/** Days that templates write for the model: `2026-08-21`, `21 Aug 2026`, `August 21, 2026`. */
const DAYS = /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})\b/g;

/** Differs between templates, and is the same every day. */
export const digestOfFrame = ({ before, after }: ChatFrame): string =>
  digestOf(JSON.stringify([before, after].map((text) => text.replace(DAYS, '')))).slice(0, 12);

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
