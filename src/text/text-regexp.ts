/**
 * Regular expressions with Unicode classes that are compiled fast.
 *
 * A class such as `\p{L}` has hundreds of ranges. An engine compiles them anew for each occurrence: thirty milliseconds
 * for the expression that reads facts, and a new process pays for each such expression in its first call. So a text is
 * searched in a form that has few different characters: European letters and punctuation stay, and each other
 * character gives way to a private one that stands for its kind. Then a class has a dozen ranges. The form has every
 * character at its offset in the text.
 *
 * Source: Unicode Standard Annex #44 (general categories), #24 (scripts).
 */
import { lazily, lazyRegExp } from '../runtime/lazily.js';

/** The content of character classes, to be written between `[` and `]`. */
export interface Classes {
  /** Letters. */
  readonly L: string;
  /** Letters of scripts with capitals. */
  readonly LC: string;
  readonly Lm: string;
  readonly Lo: string;
  /** Marks. */
  readonly M: string;
  /** Numbers. */
  readonly N: string;
  /** Signs of currencies. */
  readonly Sc: string;
  readonly Georgian: string;
  /** Characters of scripts that put no spaces between words. */
  readonly spaceless: string;
}

/** Scripts that put no spaces between words. */
export const SPACELESS =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';

const UNICODE: Classes = {
  L: '\\p{L}',
  LC: '\\p{LC}',
  Lm: '\\p{Lm}',
  Lo: '\\p{Lo}',
  M: '\\p{M}',
  N: '\\p{N}',
  Sc: '\\p{Sc}',
  Georgian: '\\p{Script=Georgian}',
  spaceless: '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}',
};

/**
 * The characters that stay. Their blocks have no unassigned code points, so that all versions of Unicode agree on them.
 * Expressions name the last two.
 */
const STAYING = '\\0-\\u036f\\u2000-\\u2064\\u20a0-\\u20bf\\u2116\\u2122\\u212a\\u2190-\\u23ff\\u3002\\u30fc';
const OTHER = new RegExp(`[^${STAYING}]`, 'g');
/** Surrogates, and a mark that counts as a letter where case is ignored. */
const NOT_SEARCHED = /[\ud800-\udfff]|\u0345/;

/** The general categories in the order of the private characters. Each has three: no script, Georgian, spaceless. */
const CATEGORIES = ['LC', 'Lm', 'Lo', 'M', 'N', 'Sc'] as const;
const FIRST_PRIVATE = 0xe000;
const SCRIPTS = 3;
const SPACE = '\u2003';

const privates = (category: number): string =>
  [0, 1, 2].map((script) => privateOf(category, script)).join('');
const privateOf = (category: number, script: number) =>
  String.fromCharCode(FIRST_PRIVATE + SCRIPTS * category + script);
const ofScript = (script: number): string =>
  [...CATEGORIES, 'other'].map((_, category) => privateOf(category, script)).join('');

const CASED = 'A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʖ-ʯ\u212a'.concat(privates(0));
const MODIFIERS = 'ʰ-ˁˆ-ˑˠ-ˤˬˮー'.concat(privates(1));
const UNCASED = 'ªºƻǀ-ǃʔʕ'.concat(privates(2));

/** The classes among the characters of a searched form. */
const FEW: Classes = {
  L: CASED + MODIFIERS + UNCASED,
  LC: CASED,
  Lm: MODIFIERS,
  Lo: UNCASED,
  M: '\u0300-\u036f'.concat(privates(3)),
  N: '0-9²³¹¼-¾'.concat(privates(4)),
  Sc: '$¢-¥₠-₿'.concat(privates(5)),
  Georgian: ofScript(1),
  spaceless: ofScript(2),
};

/** An expression and the string that it searches: the text itself, or a form of it with the same offsets. */
export interface Search {
  readonly regexp: RegExp;
  readonly form: string;
  /** Whether `form` is the text. To compare the two anew for each match would take a time that grows with the text. */
  readonly isText: boolean;
}

/** A regular expression of {@link textRegExp}. */
export type TextRegExp = ((text: string) => Search) & { readonly full: () => RegExp };

/**
 * A regular expression over texts of all scripts that is compiled on first use.
 *
 * @param sourceOf its source. It may use no other Unicode class than those of the parameter.
 * @returns a function from the text to what finds the same matches in it at the same offsets. Matched text is to be
 *   taken from the text if `form` is another string.
 */
export function textRegExp(sourceOf: (classes: Classes) => string, flags: string): TextRegExp {
  const few = lazyRegExp(() => sourceOf(FEW), flags);
  const full = lazyRegExp(() => sourceOf(UNICODE), flags);
  const search = (text: string): Search => {
    const form = formOf(text);
    if (form === undefined) return { regexp: full(), form: text, isText: true };
    return { regexp: few(), form, isText: form === text };
  };
  return Object.assign(search, { full });
}

/** Replaces all matches, as `String.replace` does. */
export function replaceIn(
  text: string,
  expression: TextRegExp,
  to: string | ((match: string, ...groups: string[]) => string),
): string {
  const { regexp, form, isText } = expression(text);
  // One signature covers both kinds of replacement. `replace` distinguishes them itself.
  if (isText) return text.replace(regexp, to as string);
  return form.search(regexp) < 0 ? text : text.replace(expression.full(), to as string);
}

let last = { text: '', form: '' as string | undefined };

/** Returns the form in which a text is searched, or undefined if it has characters of two code units, such as emoji. */
function formOf(text: string): string | undefined {
  if (text !== last.text) {
    const form = NOT_SEARCHED.test(text) ? undefined : text.replace(OTHER, standInOf);
    last = { text, form };
  }
  return last.form;
}

const CATEGORY_TESTS = CATEGORIES.map((name) => lazyRegExp(`[${UNICODE[name]}]`, 'u'));
const GEORGIAN = lazyRegExp(`[${UNICODE.Georgian}]`, 'u');
const HAS_NO_SPACES = lazyRegExp(`[${SPACELESS}]`, 'u');
const standIns = lazily(() => new Map<string, string>());

function standInOf(character: string): string {
  const known = standIns().get(character);
  if (known !== undefined) return known;
  const category = CATEGORY_TESTS.findIndex((test) => test().test(character));
  const script = GEORGIAN().test(character) ? 1 : HAS_NO_SPACES().test(character) ? 2 : 0;
  const standIn = /\s/.test(character)
    ? SPACE
    : privateOf(category < 0 ? CATEGORIES.length : category, script);
  standIns().set(character, standIn);
  return standIn;
}
