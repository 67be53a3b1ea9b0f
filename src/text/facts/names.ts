import { lazyRegExp } from '../../runtime/lazily.js';
import type { Token } from './tokens.js';
import { list } from './word-lists.js';

/** A text that contains two of these words is taken for German, in which every noun has a capital. */
const GERMAN = list('und ist nicht ein eine mit für auf das wird sich wurde');
/** Particles and endings. They are never names. */
const SHORT_HIRAGANA = lazyRegExp(String.raw`^\p{sc=Hiragana}{1,2}$`, 'u');

export interface Name {
  key: string;
  weak: boolean;
  /** The parts of an identifier (`GPT4`, `3D`): runs of digits and the runs between them. */
  parts?: string[];
}

/**
 * Returns whether capitals may be those of German nouns.
 *
 * @param words all words of a text.
 */
export function isGerman(words: ReadonlyMap<string, unknown>): boolean {
  return GERMAN.filter((word) => words.has(word)).length > 1;
}

/** Returns the name, or possible name, that a token is: `Paris`, `IBM`, `max_tokens`, `北京`. */
export function nameOf(token: Token, german: boolean): Name | undefined {
  const { type, raw, folded, suffix, initial, sentence, word } = token;
  if (type === 'caseless') {
    return SHORT_HIRAGANA().test(folded) ? undefined : { key: folded, weak: true };
  }
  if (type === 'number' || word?.isIdentifier === true) {
    const key = folded + suffix;
    return { key, weak: false, parts: key.match(/\d+|\D+/g) ?? [] };
  }
  if (word?.isCapital !== true) return undefined;
  if (!word.isAcronym && (word.isCommon || (initial && word.isAdverb))) return undefined;
  const mute = german || (sentence.words > 1 && sentence.words === sentence.capitals);
  // A single letter is mostly the initial of a middle name.
  const weak = mute || raw.length === 1 || (initial && !word.isAcronym);
  return { key: folded, weak };
}
