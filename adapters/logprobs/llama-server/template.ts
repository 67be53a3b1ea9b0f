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
import { type Token, textsOf, tokenize, tokensOf } from './tokens.js';

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
  const settings = { parseSpecial: true, maxConcurrency: 1 };
  const { begin, lists } = await tokenize(server, [front, back], settings, signal);
  const [head, tail] = [lists.get(front) as Ids, lists.get(back) as Ids];
  const tokens = await tokensOf(server, [...head, ...tail], signal);
  const control = await controlTokens(server, tokens, signal);
  const textOf = (ids: Ids) => textsOf(ids.map((id) => tokens.get(id)?.bytes as Uint8Array)).join('');
  /** The text of tokens, if the template has it. Some tokenizers put a space before each text. */
  const textIn = (ids: Ids, isIn: (text: string) => boolean) => {
    const text = textOf(ids);
    return [text, text.replace(/^ /, '')].find(isIn) ?? '';
  };
  const isControl = (id: number) => control.has(id);
  const headEnd = head.findLastIndex(isControl) + 1;
  const tailStart = tail.findIndex(isControl);
  const tailEnd = tail.findLastIndex(isControl) + 1;
  const before = headEnd === 0 ? front : textIn(head.slice(headEnd), (text) => front.endsWith(text));
  const isPlain = tailStart === -1;
  const after = isPlain ? back : textIn(tail.slice(0, tailStart), (text) => back.startsWith(text));
  const last = isPlain ? '' : textIn(tail.slice(tailEnd), (text) => back.endsWith(text));
  const first = before === '' ? head : head.slice(0, headEnd);
  return {
    head: startsWith(first, begin) ? first : [...begin, ...first],
    before,
    after,
    middle: isPlain ? [] : tail.slice(after === '' ? 0 : tailStart, last === '' ? tail.length : tailEnd),
    last,
    endsInSpace: /\s$/.test(back),
  };
}

/** The numbers of those tokens that plain text never has, not even the text that they stand for. */
async function controlTokens(
  server: LlamaServer,
  tokens: ReadonlyMap<number, Token>,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<number>> {
  const spelled = Array.from(tokens.values(), ({ id, bytes, isWhole }) => {
    const [text = ''] = isWhole ? textsOf([bytes]) : [];
    return { id, texts: [text, text.replace(/^ /, '')].filter((each) => each !== '') };
  });
  const texts = spelled.flatMap((each) => each.texts);
  const settings = { parseSpecial: false, maxConcurrency: 1 };
  const { lists } = await tokenize(server, texts, settings, signal);
  const isControl = (id: number, own: readonly string[]) =>
    own.length > 0 && !own.some((text) => lists.get(text)?.includes(id));
  return new Set(spelled.filter(({ id, texts }) => isControl(id, texts)).map(({ id }) => id));
}

export const startsWith = (ids: Ids, begin: Ids): boolean => begin.every((id, at) => ids[at] === id);
