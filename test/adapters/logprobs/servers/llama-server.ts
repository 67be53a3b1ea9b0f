/**
 * The endpoints of llama.cpp's own server that the adapter uses, as in version 0.5.0, with the numbers of a real small
 * model; and the differences between settings.
 */
import type { Llama } from '../../../gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { goOn, type SlotQuirks, type Wanted } from './llama-slot.js';

export interface LlamaServerQuirks extends SlotQuirks {
  /** The server breaks off its answer to every n-th request. */
  breaksOffEvery?: number;
  /** Further properties of the model that the server reports. */
  props?: object;
  /** The chat template around the text of the one message of a user. Default: ChatML with the model's control tokens. */
  template?: (text: string) => string;
}

export interface LlamaServer extends JsonServer {
  /** The number of requests of a path. */
  count(path: string): number;
  /** The bodies of the requests of a path. */
  bodies(path: string): Asked['body'][];
}

interface Message {
  role: string;
  content: string;
}

const CHAT = (text: string) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant\n`;

export async function llamaServer(llama: Llama, quirks: LlamaServerQuirks = {}): Promise<LlamaServer> {
  const { contextLength = llama.contextLength } = quirks;
  const { total_slots = 4 } = (quirks.props ?? {}) as { total_slots?: number };
  // All slots share a memory of computed prompts (`--cache-ram`).
  const computed: number[][] = [];
  let busy = 0;
  let count = 0;

  async function complete(body: Asked['body']): Promise<Reply> {
    const { prompt } = body;
    const wanted = body as Wanted;
    if (prompt.length >= contextLength) {
      const message = `request (${prompt.length} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`;
      const about = { n_prompt_tokens: prompt.length, n_ctx: contextLength };
      return failure(400, 'exceed_context_size_error', message, about);
    }
    while (busy === total_slots) await new Promise((resolve) => setTimeout(resolve, 1));
    busy++;
    const known = computed.reduce((most, tokens) => {
      const different = prompt.findIndex((id: number, at: number) => id !== tokens[at]);
      // The last token is always computed.
      return Math.max(most, different === -1 ? prompt.length - 1 : different);
    }, 0);
    // Other requests arrive meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const answer = goOn(llama, prompt, wanted, quirks);
    computed.push([...prompt]);
    busy--;
    const timings = { cache_n: known, prompt_n: prompt.length - known, prompt_ms: 1 };
    return { json: fieldsOf({ index: 0, ...answer, timings, model: 'tiny' }, body.response_fields) };
  }

  const props = {
    default_generation_settings: { params: { temperature: 0.8 }, n_ctx: contextLength },
    total_slots,
    model_alias: 'tiny',
    model_ftype: 'F16',
    model_path: '/models/ecs-tiny-f16.gguf',
    ...quirks.props,
  };
  const { template = CHAT } = quirks;
  const server = await jsonServer(({ path: asked, body }) => {
    if (quirks.breaksOffEvery !== undefined && ++count % quirks.breaksOffEvery === 0)
      return { brokenOff: '{' };
    const { pathname: path } = new URL(asked, 'http://localhost');
    if (path === '/tokenize') return tokenise(llama, body);
    if (path === '/completion') return complete(body);
    if (path === '/apply-template') {
      return { json: { prompt: body.messages.map(({ content }: Message) => template(content)).join('') } };
    }
    if (path === '/props') return { json: props };
    return failure(404, 'not_found_error', 'File Not Found');
  });
  return {
    ...server,
    count: (path) => server.asked.filter((each) => each.path === path).length,
    bodies: (path) => server.asked.filter((each) => each.path === path).map(({ body }) => body),
  };
}

/** `POST /tokenize`. The content is a text, or a list of texts and token numbers, each of which is split by itself. */
export function tokenise({ tokenizer }: Llama, body: Asked['body']): Reply {
  const { content, add_special = false, parse_special = true } = body;
  const parts: (string | number)[] = [content].flat();
  if (parts.some((part) => typeof part === 'string' && /\p{Cs}/u.test(part))) {
    return failure(500, 'server_error', '[json.exception.parse_error.101] parse error: surrogate U+D800..');
  }
  const special = new Map(
    tokenizer.names.flatMap((name, id) => (tokenizer.pieces[id]?.length === 0 ? [[name, id] as const] : [])),
  );
  const idsOf = (text: string) => {
    if (!parse_special) return tokenizer.encode(text);
    const pieces: string[] = text.split(/(<\|[a-z_]+\|>)/);
    return pieces.flatMap((piece) => special.get(piece) ?? tokenizer.encode(piece));
  };
  const ids = parts.flatMap((part) => (typeof part === 'number' ? part : idsOf(part)));
  return { json: { tokens: add_special ? [tokenizer.bos, ...ids] : ids } };
}

export function failure(code: number, type: string, message: string, about: object = {}): Reply {
  return { status: code, json: { error: { code, message, type, ...about } } };
}

const fieldsOf = (answer: Record<string, unknown>, fields?: readonly string[]) =>
  fields === undefined
    ? answer
    : Object.fromEntries(fields.filter((field) => field in answer).map((field) => [field, answer[field]]));
