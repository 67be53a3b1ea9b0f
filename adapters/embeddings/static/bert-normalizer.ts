/**
 * The normaliser of BERT's tokenizer. Each of its steps depends on one character. (Decomposition would also reorder
 * marks, but this normaliser drops them.) So the normaliser is a table from characters to texts. It is filled on demand,
 * and takes linear time.
 *
 * Source: J. Devlin et al., "BERT", 2019; in the form of `BertNormalizer` of Hugging Face tokenizers.
 */
import type { TokenizerFile } from './tokenizer-file.js';

/** Printable ASCII: only lower-casing changes it. Most texts are, and this way is by far the fastest. */
const PLAIN = /^[ -~]*$/;
const SPACE = /\p{White_Space}/u;
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u;
/** The "Chinese characters" of BERT: ideographs, without kana and hangul. */
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

/**
 * - `clean_text` drops control characters and makes every white space a space;
 * - `handle_chinese_chars` puts spaces around ideographs;
 * - `strip_accents` decomposes and drops nonspacing marks; null: as `lowercase`;
 * - `lowercase`.
 */
export function bertNormalizer(options: TokenizerFile['normalizer']): (text: string) => string {
  const { clean_text, handle_chinese_chars, lowercase } = options;
  const stripAccents = options.strip_accents ?? lowercase;
  const table: string[] = [];

  function compute(character: string): string {
    let text = character;
    if (clean_text) {
      if (/[\t\n\r]/.test(text)) return ' ';
      if (CONTROL.test(text)) return '';
      if (SPACE.test(text)) return ' ';
    }
    if (handle_chinese_chars && IDEOGRAPH.test(text)) text = ` ${text} `;
    if (stripAccents) text = text.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowercase ? text.toLowerCase() : text;
  }

  return (text) => {
    if (PLAIN.test(text)) return lowercase ? text.toLowerCase() : text;
    let normalised = '';
    for (const character of text) {
      // A text of one character has no final sigma, so its lower case does not depend on its position.
      const code = character.codePointAt(0) as number;
      if (code > 0xffff) normalised += compute(character);
      else normalised += table[code] ??= compute(character);
    }
    return normalised;
  };
}
