import { lazyRegExp } from '../../runtime/lazily.js';
import { isCapital, type Token } from './tokens.js';
import { COMMON, list, setOf } from './word-lists.js';

/** A text that contains two of these words is taken for German, in which every noun has a capital. */
const GERMAN = list('und ist nicht ein eine mit für auf das wird sich wurde');
/** Names that end in -ly, as adverbs do. */
const NAMES_IN_LY = setOf('sicily kimberly beverly connolly donnelly connelly');
const IDENTIFIER = /[0-9_]|[a-z][A-Z]/;
const FOREIGN_IDENTIFIER = lazyRegExp(String.raw`[\p{N}_]|\p{Ll}\p{Lu}`, 'u');
const NOT_ASCII = /[\u0080-\uffff]/;
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
  const { type, raw, folded, suffix, initial, sentence } = token;
  if (type === 'caseless') {
    return SHORT_HIRAGANA().test(folded) ? undefined : { key: folded, weak: true };
  }
  if (type === 'number' || isIdentifier(raw)) {
    const key = folded + suffix;
    return { key, weak: false, parts: key.match(/\d+|\D+/g) ?? [] };
  }
  if (!isCapital(token)) return undefined;
  const acronym = raw.length > 1 && raw === raw.toUpperCase();
  if (!acronym && (COMMON.has(folded) || (initial && isAdverb(folded)))) return undefined;
  const mute = german || (sentence.words > 1 && sentence.words === sentence.capitals);
  // A single letter is mostly the initial of a middle name.
  const weak = mute || raw.length === 1 || (initial && !acronym);
  return { key: folded, weak };
}

const isIdentifier = (word: string): boolean =>
  IDENTIFIER.test(word) || (NOT_ASCII.test(word) && FOREIGN_IDENTIFIER().test(word));

/** An adverb at the start of a sentence has a capital only because of that. */
const isAdverb = (word: string): boolean => word.length > 5 && word.endsWith('ly') && !NAMES_IN_LY.has(word);
