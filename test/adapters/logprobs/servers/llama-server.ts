/**
 * The endpoints of llama.cpp's own server that the adapter uses, as in version 0.5.0, with the numbers of a real small
 * model; and the differences between versions and settings.
 */
import type { Llama } from '../../../gguf/llama.js';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';
import { goOn, grammarTokens, type SlotQuirks, type Wanted } from './llama-slot.js';

export interface LlamaServerQuirks extends SlotQuirks {
  /** Grammars consist only of characters, as before 2026. */
  isOld?: boolean;
  /** All slots share the context; `contextLength` is for all of them. */
  sharesContext?: boolean;
  /** The server breaks off its answer to every n-th request. */
  breaksOffEvery?: number;
  /** Further properties of the model that the server reports. */
  props?: object;
  meta?: object;
  /** The chat template around the text of the one message of a user. Default: ChatML with the model's control tokens. */
  template?: (text: string) => string;
  /** Puts a space before each text and after each control token, as the tokenizers of Llama 2 do. */
  prefixesSpace?: boolean;
  /** The server has several models, and needs the name of one in each request. */
  isRouter?: boolean;
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

const SLOTS = 4;

const CHAT = (text: string) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant\n`;

/** The properties of a server with several models, asked without a name. */
const ROUTER = {
  role: 'router',
  max_instances: 4,
  models_autoload: true,
  model_alias: 'llama-server',
  model_path: 'none',
  default_generation_settings: { params: null, n_ctx: 0 },
};

export async function llamaServer(llama: Llama, quirks: LlamaServerQuirks = {}): Promise<LlamaServer> {
  const { tokenizer } = llama;
  const { contextLength = llama.contextLength } = quirks;
  /** The number of requests under way. */
  let tokensUnderWay = 0;
  let count = 0;

  async function complete(body: Asked['body']): Promise<Reply> {
    if (body.prompt === undefined) {
      const message = "[json.exception.out_of_range.403] key 'prompt' not found";
      return failure(400, 'invalid_request_error', message);
    }
    const prompts: number[][] = typeof body.prompt[0] === 'number' ? [body.prompt] : body.prompt;
    const wanted = body as Wanted;
    if (wanted.grammar) {
      const refused = refusedGrammar(wanted.grammar);
      if (refused !== undefined) return refused;
    }
    const long = prompts.find(({ length }) => length >= contextLength)?.length;
    if (long !== undefined) {
      const message = `request (${long} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`;
      const about = { n_prompt_tokens: long, n_ctx: contextLength };
      return failure(400, 'exceed_context_size_error', message, about);
    }
    const atOnce = prompts.slice(0, SLOTS).reduce((sum, { length }) => sum + length + wanted.n_predict, 0);
    tokensUnderWay += atOnce;
    // Other requests arrive meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const isTooMuch = quirks.sharesContext && tokensUnderWay > contextLength;
    tokensUnderWay -= atOnce;
    if (isTooMuch) return failure(500, 'server_error', 'Context size has been exceeded.');
    const answers = prompts.map((prompt, index) => {
      const known = llama.known(prompt);
      const answer =
        prompt.length === 0
          ? { content: '', tokens: [], stop_type: 'none', truncated: false, tokens_predicted: 0 }
          : goOn(llama, prompt, wanted, { ...quirks, contextLength });
      const timings = { cache_n: known, prompt_n: prompt.length - known, prompt_ms: 1 };
      return fieldsOf({ index, ...answer, timings, model: 'tiny' }, body.response_fields);
    });
    return { json: answers.length === 1 ? answers[0] : answers };
  }

  function refusedGrammar(grammar: string): Reply | undefined {
    if (quirks.isOld) {
      const message = 'Failed to initialize samplers: failed to parse grammar';
      return failure(400, 'invalid_request_error', message);
    }
    const odd = grammarTokens(grammar).find(
      (id) => id === tokenizer.eos || !isWhole(tokenizer.pieces[id] ?? Uint8Array.of(0xff)),
    );
    const message = 'got exception: Unexpected empty grammar stack after accepting piece: \u001b (30)';
    return odd === undefined ? undefined : failure(500, 'server_error', message);
  }

  const props = {
    default_generation_settings: { params: { temperature: 0.8 }, n_ctx: contextLength },
    total_slots: SLOTS,
    model_alias: 'tiny',
    model_ftype: 'F16',
    model_path: '/models/ecs-tiny-f16.gguf',
    ...quirks.props,
  };
  const meta = { n_vocab: 769, n_params: 689408, size: 1381120, ftype: 'F16', ...quirks.meta };

  const { isRouter, template = CHAT } = quirks;
  const server = await jsonServer(({ method, path: asked, body }) => {
    if (quirks.breaksOffEvery !== undefined && ++count % quirks.breaksOffEvery === 0)
      return { brokenOff: '{' };
    const { pathname: path } = new URL(asked, 'http://localhost');
    if (isRouter && path === '/props') return { json: ROUTER };
    if (isRouter && method === 'POST')
      return failure(400, 'invalid_request_error', 'model name is missing from the request');
    if (path === '/tokenize') return tokenise(llama, body, quirks.prefixesSpace);
    if (path === '/completion') return complete(body);
    if (path === '/apply-template') {
      return { json: { prompt: body.messages.map(({ content }: Message) => template(content)).join('') } };
    }
    if (path === '/props') return { json: props };
    if (path === '/v1/models') {
      const data = [{ id: 'tiny', object: 'model', created: Date.now(), meta }];
      return { json: { object: 'list', data } };
    }
    return failure(404, 'not_found_error', 'File Not Found');
  });
  return {
    ...server,
    count: (path) => server.asked.filter((each) => each.path === path).length,
    bodies: (path) => server.asked.filter((each) => each.path === path).map(({ body }) => body),
  };
}

/** `POST /tokenize`. The content is a text, or a list of texts and token numbers, each of which is split by itself. */
export function tokenise({ tokenizer }: Llama, body: Asked['body'], prefixesSpace = false): Reply {
  const { content, add_special = false, parse_special = true, with_pieces = false } = body;
  const parts: (string | number)[] = [content].flat();
  if (parts.some((part) => typeof part === 'string' && /\p{Cs}/u.test(part))) {
    return failure(500, 'server_error', '[json.exception.parse_error.101] parse error: surrogate U+D800..');
  }
  const special = new Map(
    tokenizer.names.flatMap((name, id) => (tokenizer.pieces[id]?.length === 0 ? [[name, id] as const] : [])),
  );
  const idsOf = (text: string) => {
    const encode = (part: string) => tokenizer.encode(prefixesSpace && part !== '' ? ` ${part}` : part);
    if (!parse_special) return encode(text);
    const pieces: string[] = text.split(/(<\|[a-z_]+\|>)/);
    return pieces.flatMap((piece) => special.get(piece) ?? encode(piece));
  };
  const ids = parts.flatMap((part) => (typeof part === 'number' ? part : idsOf(part)));
  const all = add_special && typeof parts[0] === 'string' ? [tokenizer.bos, ...ids] : ids;
  if (with_pieces && all.some((id) => tokenizer.pieces[id] === undefined)) {
    return failure(500, 'server_error', 'vector::_M_range_check: __n (which is 18446744073709551615)');
  }
  const pieceOf = (id: number) => {
    const bytes = tokenizer.pieces[id] as Uint8Array;
    if (bytes.length === 0) return tokenizer.names[id];
    return isWhole(bytes) ? Buffer.from(bytes).toString() : [...bytes];
  };
  return { json: { tokens: with_pieces ? all.map((id) => ({ id, piece: pieceOf(id) })) : all } };
}

export function failure(code: number, type: string, message: string, about: object = {}): Reply {
  return { status: code, json: { error: { code, message, type, ...about } } };
}

function isWhole(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const fieldsOf = (answer: Record<string, unknown>, fields?: readonly string[]) =>
  fields === undefined
    ? answer
    : Object.fromEntries(fields.filter((field) => field in answer).map((field) => [field, answer[field]]));
