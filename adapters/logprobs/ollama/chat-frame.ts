/** The chat template of the model, as Ollama renders it around the message of a user. */
import type { ScoreRequest } from '../../../src/index.js';
import { type ChatFrame, SAMPLE_MESSAGE, withoutControlTokens } from '../chat-template.js';
import { readRendered, readTokenizer } from './answers.js';
import type { Connection } from './connection.js';
import { renderBody } from './requests.js';
import type { Runner } from './runner.js';

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
    await connection.generate(renderBody(model, SAMPLE_MESSAGE, runner), signal),
    generate,
  );
  const [before, after, ...more] = rendered.split(SAMPLE_MESSAGE);
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
