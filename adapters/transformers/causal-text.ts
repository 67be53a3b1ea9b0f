/** Texts as a language model gets them: tokens, chat templates, and the bytes of tokens. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { messageOf } from '../../src/internal.js';
import { bytesOfName, invalidOption } from '../model-calls/index.js';
import type { Tokenizer } from './engine.js';
import { plainText } from './plain-text.js';

/** A prompt that no question is, to render the frame of a template. */
const SAMPLE = 'context-shaping';

/** A date for templates that write one: without it, they write that of today. */
const DATE = '26 Jul 2024';

export class CausalText {
  /** Names the chat template, if there is one. */
  readonly template: string | undefined;
  readonly #begin: readonly number[];
  /** Makes a text plain, unless control tokens are asked for. */
  readonly #plain: (text: string) => string;
  readonly #pieces: ReadonlyMap<number, Uint8Array>;

  /**
   * @throws ContextShapingError `invalid-options`, if the model has no chat template, or one that cannot be applied.
   */
  constructor(
    readonly tokenizer: Tokenizer,
    readonly options: { chatTemplate: boolean; parseSpecial: boolean },
  ) {
    this.#plain = options.parseSpecial ? (text) => text : plainText(tokenizer);
    this.#begin = beginOf(tokenizer);
    this.#pieces = piecesOf(tokenizer);
    this.template = options.chatTemplate
      ? bytesToHex(sha256(utf8ToBytes(this.#framed(SAMPLE)))).slice(0, 12)
      : undefined;
  }

  /** The tokens of a prompt and its continuation. */
  encode(prompt: string, continuation = ''): number[] {
    const { chatTemplate } = this.options;
    const before = chatTemplate ? this.#framed(prompt) : this.#plain(prompt);
    // A template that ends in a space or a line break has said the space that the continuation begins with.
    const isSaid = chatTemplate && /\s$/u.test(before);
    const after = this.#plain(isSaid ? continuation.replace(/^ /, '') : continuation);
    // A template has its own token that begins the text.
    return [...(chatTemplate ? [] : this.#begin), ...plainTokens(this.tokenizer, before + after)];
  }

  /** The bytes that a token adds to a text; none for control tokens. */
  pieceOf(id: number): Uint8Array {
    return this.#pieces.get(id) ?? new Uint8Array();
  }

  /** The prompt as the message of a user, up to the place where the answer begins. */
  #framed(prompt: string): string {
    try {
      return this.tokenizer.apply_chat_template([{ role: 'user', content: this.#plain(prompt) }], {
        tokenize: false,
        add_generation_prompt: true,
        enable_thinking: false,
        date_string: DATE,
      });
    } catch (cause) {
      throw invalidOption(
        'chatTemplate',
        messageOf(cause),
        'needs a chat template in tokenizer_config.json that takes one message of a user',
        'Give an instruct model, or leave chatTemplate out.',
        cause,
      );
    }
  }
}

function plainTokens(tokenizer: Tokenizer, text: string): readonly number[] {
  return text === '' ? [] : tokenizer(text, { add_special_tokens: false, return_tensor: false }).input_ids;
}

/** The tokens that the tokenizer puts before every text. Those that it puts after a text would end it. */
function beginOf(tokenizer: Tokenizer): readonly number[] {
  const [first] = plainTokens(tokenizer, 'a');
  const { input_ids } = tokenizer('a', { add_special_tokens: true, return_tensor: false });
  return input_ids.slice(0, first === undefined ? 0 : Math.max(0, input_ids.indexOf(first)));
}

/** The bytes of all tokens. */
function piecesOf(tokenizer: Tokenizer): Map<number, Uint8Array> {
  const { decoder, added_tokens = [] } = tokenizer._tokenizerJSON;
  const vocabulary = tokenizer.get_vocab();
  const entries = vocabulary instanceof Map ? [...vocabulary] : Object.entries(vocabulary);
  const isOfBytes = JSON.stringify(decoder ?? null).includes('"ByteLevel"');
  const pieces = new Map<number, Uint8Array>(
    entries.map(([name, id]: [string, number]) => [id, bytesOfName(name, isOfBytes)]),
  );
  for (const { id, content, special } of added_tokens) {
    pieces.set(id, special ? new Uint8Array() : new TextEncoder().encode(content));
  }
  return pieces;
}
