/** The chat template of the model, as Ollama renders it around the message of a user. */
import type { ScoreRequest } from '../../../src/index.js';
import { applyEdits, controlTokensIn, digestOf } from '../../../src/internal.js';
import { readRendered, readTokenizer } from './answers.js';
import type { Connection } from './connection.js';
import { renderBody } from './requests.js';
import type { Runner } from './runner.js';

/** The text before a prompt, and after it up to the answer. */
export interface ChatFrame {
  before: string;
  after: string;
}

/** A message that templates leave as it is. */
const MESSAGE = 'context-shaping-message';

/** Texts of tokens that begin a text. Templates of Ollama have one of these, if any. */
const BEGINNINGS = [
  '<s>',
  '<bos>',
  '<BOS_TOKEN>',
  '<|begin_of_text|>',
  '<|startoftext|>',
  '<｜begin▁of▁sentence｜>',
  '〈|EOS|〉',
];

/**
 * Asks Ollama to render the template, without generating a text. It loads the model.
 *
 * @throws ContextShapingError `service`, if this Ollama cannot render templates, or if the template does not repeat the
 *   message once.
 */
export async function readFrame(
  connection: Connection,
  model: string,
  runner: Runner,
  signal: AbortSignal | undefined,
): Promise<ChatFrame> {
  const { generate, show } = connection.endpoints;
  const rendered = readRendered(
    await connection.generate(renderBody(model, MESSAGE, runner), signal),
    generate,
  );
  const [before, after, ...more] = rendered.split(MESSAGE);
  if (before === undefined || after === undefined || more.length > 0) {
    const remedy = 'Give the model another template in its Modelfile, or leave out chatTemplate.';
    throw generate.malformed(rendered, 'renders a template that does not repeat the message once', {
      remedy,
    });
  }
  const beginning = BEGINNINGS.find((each) => before.startsWith(each));
  if (beginning === undefined) return { before, after };
  const shown = await connection.show(model, signal);
  const isAdded = shown !== undefined && readTokenizer(shown, show).addsBeginning;
  return { before: isAdded ? before.slice(beginning.length) : before, after };
}

/**
 * Puts the prompt into the frame. The frame's own tokens, and control tokens of known templates, get a space where the
 * prompt contains them.
 */
export const framed = ({ before, after }: ChatFrame, prompt: string): string =>
  before + withoutControlTokens(prompt, before + after) + after;

/** A space at the start of the continuation is dropped where white space ends the frame. */
export const framedRequest = (frame: ChatFrame, { prompt, continuation }: ScoreRequest): ScoreRequest => ({
  prompt: framed(frame, prompt),
  continuation: /\s$/.test(frame.after) ? continuation.replace(/^ /, '') : continuation,
});

/** Days that templates write for the model: `2026-08-21`, `21 Aug 2026`, `August 21, 2026`. */
const DAYS = /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})\b/g;

/** Differs between templates, and is the same every day. */
export const digestOfFrame = ({ before, after }: ChatFrame): string =>
  digestOf(JSON.stringify([before, after].map((text) => text.replace(DAYS, '')))).slice(0, 12);

/** Tags, in all forms that templates use. */
const TAGS = /<[^\s<>]{1,60}>|\[[A-Z_/]{1,40}\]|〈[^\s〈〉]{1,60}〉/g;

/**
 * The text with a space inside each control token: `< |im_start|>`. Ollama reads control tokens in every raw prompt, and
 * cannot split texts into tokens.
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
