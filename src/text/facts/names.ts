import { lazyRegExp } from '../../runtime/lazily.js';
import { isCapital, type Token } from './tokens.js';
import { COMMON, list, setOf } from './word-lists.js';

/** Two of these make a text German, where every noun has a capital. */
const GERMAN = list('und ist nicht ein eine mit für auf das wird sich wurde');
/** Adverbs end in -ly, and so do these. */
const NAMES_IN_LY = setOf('sicily kimberly beverly connolly donnelly connelly');
const IDENTIFIER = lazyRegExp(String.raw`[\p{N}_]|\p{Ll}\p{Lu}`, 'u');
/** Particles and endings, never names. */
const SHORT_HIRAGANA = lazyRegExp(String.raw`^\p{sc=Hiragana}{1,2}$`, 'u');

export interface Name {
  key: string;
  weak: boolean;
  /** Of an identifier (`GPT4`, `3D`): digits and what is between them. */
  parts?: string[];
}

/** Whether capitals may be those of German nouns, given all words of a text. */
export function isGerman(words: ReadonlyMap<string, unknown>): boolean {
  return GERMAN.filter((word) => words.has(word)).length > 1;
}

/** The name, or what may be one, that a token is: `Paris`, `IBM`, `max_tokens`, `北京`. */
export function nameOf(token: Token, german: boolean): Name | undefined {
  const { type, raw, folded, suffix, initial, sentence } = token;
  if (type === 'caseless') {
    return SHORT_HIRAGANA().test(folded) ? undefined : { key: folded, weak: true };
  }
  if (type === 'number' || IDENTIFIER().test(raw)) {
    const key = folded + suffix;
    return { key, weak: false, parts: key.match(/\d+|\D+/g) ?? [] };
  }
  if (!isCapital(token)) return undefined;
  const acronym = raw.length > 1 && raw === raw.toUpperCase();
  if (!acronym && (COMMON.has(folded) || (initial && isAdverb(folded)))) return undefined;
  const mute = german || (sentence.words > 1 && sentence.words === sentence.capitals);
  // A single letter is mostly the initial of a second name.
  const weak = mute || raw.length === 1 || (initial && !acronym);
  return { key: folded, weak };
}

/** Such a word has a capital only because it opens a sentence. */
const isAdverb = (word: string): boolean => word.length > 5 && word.endsWith('ly') && !NAMES_IN_LY.has(word);
