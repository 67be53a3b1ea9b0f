/**
 * Byte-level byte-pair encoding as Llama 3 has it: a text is cut into words, each is one token if the
 * vocabulary has it whole, else its bytes are merged, the pair that was learned first before all others.
 *
 * Sources: R. Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", ACL 2016;
 * llama.cpp, `LLAMA_VOCAB_PRE_TYPE_LLAMA3` (the words).
 */
import { BYTES, LETTERS } from '../byte-letters.js';
import { malformed, unsupported } from './malformed.js';
import type { GgufFile } from './reader.js';

const WORDS =
  /'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** Kinds of tokens that are no text: unknown, control, unused. */
const NO_TEXT = new Set([2, 3, 5]);
const USER_DEFINED = 4;

export class Tokenizer {
  /** What each token adds to a text; nothing for tokens that are no text, such as the one that ends it. */
  readonly pieces: readonly Uint8Array[];
  /** Names of all tokens, as the file has them. */
  readonly names: readonly string[];
  readonly bos: number;
  readonly eos: number;
  readonly #ids = new Map<string, number>();
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #encoder = new TextEncoder();

  /** @throws ContextShapingError `invalid-input`, if the file has another tokenizer or half of one. */
  constructor(file: GgufFile) {
    const key = (name: string) => `tokenizer.ggml.${name}`;
    expect(file, key('model'), 'gpt2');
    expect(file, key('pre'), 'llama-bpe');
    this.names = file.texts(key('tokens'));
    const types = file.value(key('token_type'));
    if (!Array.isArray(types) || types.length !== this.names.length) {
      throw malformed(key('token_type'), types, `must be an array of ${this.names.length} numbers`);
    }
    this.pieces = this.names.map((name, id) => {
      const field = key(`tokens[${id}]`);
      if (types[id] === USER_DEFINED) throw unsupported(field, name, 'is defined by a user');
      if (NO_TEXT.has(types[id])) return new Uint8Array();
      this.#ids.set(name, id);
      return Uint8Array.from(name, (letter) => {
        const byte = BYTES.get(letter);
        if (byte === undefined) throw malformed(field, name, 'has letters that stand for no byte');
        return byte;
      });
    });
    for (const letter of LETTERS) {
      if (!this.#ids.has(letter)) throw malformed(key('tokens'), letter, 'must have a token for each byte');
    }
    this.#ranks = new Map(file.texts(key('merges')).map((pair, rank) => [pair, rank]));
    const id = (name: string) => {
      const value = file.count(key(name), 0);
      if (value >= this.names.length) throw malformed(key(name), value, 'is no token');
      return value;
    };
    this.bos = id('bos_token_id');
    this.eos = id('eos_token_id');
  }

  /**
   * The tokens of a text, without the one that begins every text. What looks like a special token is text.
   * Half a surrogate pair is U+FFFD.
   */
  encode(text: string): number[] {
    const tokens: number[] = [];
    for (const [word] of text.replace(/\p{Surrogate}/gu, '\uFFFD').matchAll(WORDS)) {
      const letters = Array.from(this.#encoder.encode(word), letterOf);
      const whole = this.#ids.get(letters.join(''));
      if (whole !== undefined) tokens.push(whole);
      else for (const part of this.#merged(letters)) this.#append(tokens, part);
    }
    return tokens;
  }

  /** The text of tokens; bytes that are no UTF-8 come as U+FFFD. */
  decode(tokens: readonly number[]): string {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const parts = tokens.map((token) => decoder.decode(this.pieces[token], { stream: true }));
    return parts.join('') + decoder.decode();
  }

  /** Merges the pair of lowest rank wherever it is, until no pair has a rank. */
  #merged(letters: string[]): string[] {
    let parts = letters;
    for (;;) {
      let best = Number.POSITIVE_INFINITY;
      let pair = '';
      for (let place = 1; place < parts.length; place++) {
        const candidate = `${parts[place - 1]} ${parts[place]}`;
        const rank = this.#ranks.get(candidate) ?? Number.POSITIVE_INFINITY;
        if (rank < best) [best, pair] = [rank, candidate];
      }
      if (best === Number.POSITIVE_INFINITY) return parts;
      const next: string[] = [];
      for (let place = 0; place < parts.length; place++) {
        const part = parts[place] as string;
        const isPair = `${part} ${parts[place + 1]}` === pair;
        next.push(isPair ? `${part}${parts[++place]}` : part);
      }
      parts = next;
    }
  }

  /** A merge need not be in the vocabulary; every byte is. */
  #append(tokens: number[], part: string): void {
    const id = this.#ids.get(part);
    if (id !== undefined) tokens.push(id);
    else for (const letter of part) tokens.push(this.#ids.get(letter) as number);
  }
}

const letterOf = (byte: number) => LETTERS[byte] as string;

function expect(file: GgufFile, key: string, expected: string): void {
  const value = file.value(key);
  if (value !== expected) throw unsupported(key, value, `must be ${expected}`);
}
