/**
 * Byte-level byte-pair encoding of Llama 3. A text is split into words. A word in the vocabulary is one token. Otherwise
 * its bytes are merged, always the pair with the lowest rank first.
 *
 * Sources: R. Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", ACL 2016;
 * llama.cpp, `LLAMA_VOCAB_PRE_TYPE_LLAMA3` (the words).
 */
import { BYTES, LETTERS } from '../../adapters/logprobs/tokens.js';
import type { GgufFile } from './reader.js';

const WORDS =
  /'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** Token types without a text: unknown, control, unused. */
const NO_TEXT = new Set([2, 3, 5]);

export class Tokenizer {
  /** The bytes that each token adds to a text; none for tokens without a text, such as the one that ends it. */
  readonly pieces: readonly Uint8Array[];
  /** The names of all tokens, as in the file. */
  readonly names: readonly string[];
  readonly bos: number;
  readonly eos: number;
  readonly #ids = new Map<string, number>();
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #encoder = new TextEncoder();

  constructor(file: GgufFile) {
    const key = (name: string) => `tokenizer.ggml.${name}`;
    this.names = file.texts(key('tokens'));
    const types = file.metadata.get(key('token_type')) as readonly number[];
    this.pieces = this.names.map((name, id) => {
      if (NO_TEXT.has(types[id] as number)) return new Uint8Array();
      this.#ids.set(name, id);
      return Uint8Array.from(name, (letter) => BYTES.get(letter) as number);
    });
    this.#ranks = new Map(file.texts(key('merges')).map((pair, rank) => [pair, rank]));
    this.bos = file.number(key('bos_token_id'));
    this.eos = file.number(key('eos_token_id'));
  }

  /**
   * The tokens of a text, without the one that begins every text. The name of a special token in the text is plain text.
   * The single half of a surrogate pair becomes U+FFFD.
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

  /** The text of tokens; invalid UTF-8 becomes U+FFFD. */
  decode(tokens: readonly number[]): string {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const parts = tokens.map((token) => decoder.decode(this.pieces[token], { stream: true }));
    return parts.join('') + decoder.decode();
  }

  /** Merges all occurrences of the pair with the lowest rank, until no pair has a rank. */
  #merged(letters: string[]): string[] {
    let parts = letters;
    for (;;) {
      let best = Number.POSITIVE_INFINITY;
      let pair = '';
      for (let index = 1; index < parts.length; index++) {
        const candidate = `${parts[index - 1]} ${parts[index]}`;
        const rank = this.#ranks.get(candidate) ?? Number.POSITIVE_INFINITY;
        if (rank < best) [best, pair] = [rank, candidate];
      }
      if (best === Number.POSITIVE_INFINITY) return parts;
      const next: string[] = [];
      for (let index = 0; index < parts.length; index++) {
        const part = parts[index] as string;
        const isPair = `${part} ${parts[index + 1]}` === pair;
        next.push(isPair ? `${part}${parts[++index]}` : part);
      }
      parts = next;
    }
  }

  /** A merged part may be missing from the vocabulary, but each byte is in it. */
  #append(tokens: number[], part: string): void {
    const id = this.#ids.get(part);
    if (id !== undefined) tokens.push(id);
    else for (const letter of part) tokens.push(this.#ids.get(letter) as number);
  }
}

const letterOf = (byte: number) => LETTERS[byte] as string;
