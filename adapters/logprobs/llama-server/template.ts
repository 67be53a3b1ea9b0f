/**
 * The chat template of the model: what the server puts around the message of a user, up to the start of the answer.
 *
 * Control tokens divide a text, and the parts between them are split apart. So only the control tokens of the template
 * have to be read as such. The plain text between them and the message is split together with the message, and nothing
 * in the message can become a control token.
 */

import { digestOf } from '../../../src/internal.js';
import { renderedIn } from './answers.js';
import type { LlamaServer } from './server.js';
import { type Tokenized, textsOf, tokenizeTwice, tokensOf } from './tokens.js';

type Ids = readonly number[];

export interface Template {
  /** From the start to the last control token before the message. */
  head: Ids;
  /** The plain text around the message. */
  before: string;
  after: string;
  /** From the first control token after the message to the last one; empty if there is none. */
  middle: Ids;
  /** The plain text before the answer. */
  last: string;
  /** The answer begins after white space. */
  endsInSpace: boolean;
}

/** A message that templates leave as it is. */
const MESSAGE = 'context-shaping-message';

/** A template as the server shows it. */
interface Rendered {
  front: string;
  back: string;
  /** Differs between templates. */
  digest: string;
}

export async function renderTemplate(
  server: LlamaServer,
  signal: AbortSignal | undefined,
): Promise<Rendered> {
  const endpoint = server.endpoint('POST', 'apply-template');
  const body = {
    messages: [{ role: 'user', content: MESSAGE }],
    chat_template_kwargs: { enable_thinking: false },
  };
  const rendered = renderedIn(await server.post('apply-template', body, signal), endpoint);
  const [front, back, ...more] = rendered.split(MESSAGE);
  if (front === undefined || back === undefined || more.length > 0) {
    const remedy =
      'Start the server with another chat template (--chat-template), or do without `chatTemplate`.';
    throw endpoint.malformed(rendered, 'applies a template that does not repeat the message once', {
      remedy,
    });
  }
  return { front, back, digest: digestOf(JSON.stringify([front, back])).slice(0, 8) };
}

export async function readTemplate(server: LlamaServer, signal: AbortSignal | undefined): Promise<Template> {
  const { front, back } = await renderTemplate(server, signal);
  const [special, plain] = await tokenizeTwice(server, [front, back], signal);
  const listOf = ({ lists }: Tokenized, text: string) => lists.get(text) as Ids;
  const [head, tail] = [listOf(special, front), listOf(special, back)];
  const ofHead = commonEnd(head, listOf(plain, front));
  const ofTail = commonStart(tail, listOf(plain, back));
  const ofEnd = Math.min(commonEnd(tail, listOf(plain, back)), tail.length - ofTail);
  const tokens = await tokensOf(
    server,
    [...head.slice(head.length - ofHead), ...tail.slice(0, ofTail), ...tail.slice(tail.length - ofEnd)],
    signal,
  );
  const textOf = (ids: Ids) => textsOf(ids.map((id) => tokens.get(id)?.bytes as Uint8Array)).join('');
  /** As it is in the template: some tokenizers put a space before each text. */
  const textIn = (ids: Ids, isIn: (text: string) => boolean) => {
    const text = textOf(ids);
    return [text, text.replace(/^ /, '')].find(isIn) ?? '';
  };
  const before =
    ofHead === head.length ? front : textIn(head.slice(head.length - ofHead), (text) => front.endsWith(text));
  const after =
    ofTail === tail.length ? back : textIn(tail.slice(0, ofTail), (text) => back.startsWith(text));
  const last = textIn(tail.slice(tail.length - ofEnd), (text) => back.slice(after.length).endsWith(text));
  const control = before === '' ? head : head.slice(0, head.length - ofHead);
  return {
    head: startsWith(control, special.begin) ? control : [...special.begin, ...control],
    before,
    after,
    middle: tail.slice(after === '' ? 0 : ofTail, last === '' ? tail.length : tail.length - ofEnd),
    last,
    endsInSpace: /\s$/.test(back),
  };
}

export const startsWith = (ids: Ids, begin: Ids): boolean => begin.every((id, at) => ids[at] === id);

const commonStart = (a: Ids, b: Ids) => {
  const different = a.findIndex((id, at) => id !== b[at]);
  return different === -1 ? a.length : different;
};

const commonEnd = (a: Ids, b: Ids) => commonStart(a.toReversed(), b.toReversed());
