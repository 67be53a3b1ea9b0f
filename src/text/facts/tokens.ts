import { textRegExp } from '../text-regexp.js';
import { splitCaseless } from './caseless.js';
import { oneSpelling } from './spelling.js';
import { fold, type Word, wordOf, wordWithin } from './word.js';
import { TITLES } from './word-lists.js';

/** A sign that carries meaning, and where it stands. */
export interface Sign {
  readonly start: number;
  readonly end: number;
  /** The sign in one form. */
  readonly key: string;
  /** The sign with its word. */
  readonly whole: string;
  /** Whether it states a fact that another sign in its place contradicts. An emoji and a dot inside a name do not. */
  readonly isFact: boolean;
}

export interface Token {
  /**
   * `date`: a date in digits. `caseless`: a word of a script without capitals. `negation`: a caseless word that
   * negates. `mark`: punctuation or a sign of a unit. `sign`: an operator, a check mark (`signs`).
   */
  type: 'date' | 'number' | 'caseless' | 'negation' | 'word' | 'mark' | 'sign';
  raw: string;
  /** The token in one letter case. */
  folded: string;
  /** Letters that directly follow a number: `mg` in `30mg`. */
  suffix: string;
  /** Whether it is the first word of its sentence, or of a quotation. */
  initial: boolean;
  sentence: Sentence;
  /** The traits of a word. Tokens of type `word` and `caseless` have them. */
  word: Word | undefined;
}

/**
 * Counts of content words. If every one has a capital (a heading, a shout, a list of names), a capital means little.
 */
interface Sentence {
  words: number;
  capitals: number;
}

const MIDDLE = String.raw`(?:-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.)`;
const DATE = String.raw`\d{4}${MIDDLE}\d{1,2}|\d{1,2}${MIDDLE}\d{4}`;
const DIGITS = String.raw`\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:/]\d+)*`;
/** Matches a token where it begins. Groups: date, number, its suffix, caseless, word, mark. They have no names, because names add half to the time. */
const TOKEN = textRegExp(({ L, LC, Lm, Lo, M, N, Georgian }) => {
  const run = `[${LC}${Lm}${M}${N}]+`;
  return [
    // 2023-05-08, also before the time: 2023-05-08T12:30.
    String.raw`(?<![${L}${N}])(${DATE})(?!\d)(?:[Tt](?=\d))?`,
    // 30, -5, 1,000, 12:30, 30mg; not 3D2 or 3_a, which are words.
    `((?:(?<![${L}${N}])-)?(?:${DIGITS}))([${LC}]*)(?![${LC}${N}]|_[${L}])`,
    // Georgian has capitals in Unicode but not in its orthography.
    String.raw`((?:[${Lo}${Georgian}][${M}${Lm}\u200c\u200d]*)+)`,
    `(${run}(?:_+${run})*)`,
    String.raw`(°[CcFf]?|'[sS](?![${L}${N}])|[-/%‰$€£¥₹₽₩₺₴,:"•\n]|。|(?<![.!?])[.!?]+(?=[\s"')\][]|$))`,
  ].join('|');
}, 'uy');
/** Letters directly behind a number that multiply it: `50k`, `3M`, not `3m`. */
const SCALES = new Map([
  ['k', 'thousand'],
  ['K', 'thousand'],
  ['M', 'million'],
]);
const SUFFIX = 3;
const SENTENCE_BREAK = /^[.!?。:"•\n]/;

/** Splits a text into tokens. */
export const tokensOf = (text: string): Token[] => tokensIn(oneSpelling(text), []);

/**
 * Splits a text in one spelling into tokens.
 *
 * @param signs the signs of the text that are tokens, in order.
 */
export function tokensIn(plain: string, signs: readonly Sign[]): Token[] {
  const tokens: Token[] = [];
  let sentence: Sentence = { words: 0, capitals: 0 };
  let initial = true;
  const push = (type: Token['type'], raw: string, suffix = ''): void => {
    tokens.push({
      type,
      raw,
      folded: fold(raw),
      suffix: SCALES.get(suffix) ?? fold(suffix),
      initial,
      sentence,
      word: undefined,
    });
    initial = false;
  };
  const pushWord = (type: 'word' | 'caseless', found: Word): void => {
    tokens.push({ type, raw: found.raw, folded: found.folded, suffix: '', initial, sentence, word: found });
    initial = false;
    if (type === 'caseless' || found.isCommon) return;
    sentence.words++;
    if (found.isCapital) sentence.capitals++;
  };
  const pushMark = (mark: string): void => {
    const breaks = SENTENCE_BREAK.test(mark) && !(mark === '.' && abbreviates(tokens.at(-1)));
    tokens.push({
      type: 'mark',
      raw: mark,
      folded: fold(mark),
      suffix: '',
      initial,
      sentence,
      word: undefined,
    });
    if (!breaks) return;
    initial = true;
    sentence = { words: 0, capitals: 0 };
  };
  const pushSign = (key: string): void => {
    tokens.push({ type: 'sign', raw: key, folded: key, suffix: '', initial, sentence, word: undefined });
  };
  const { regexp, form, isText } = TOKEN(plain);
  let nextSign = 0;
  for (let at = 0; at < plain.length; ) {
    while (nextSign < signs.length && (signs[nextSign] as Sign).start < at) nextSign++;
    const sign = signs[nextSign];
    if (sign?.start === at) {
      pushSign(sign.key);
      at = sign.end;
      continue;
    }
    const kind = kindAt(plain, at);
    if (kind === NO_TOKEN) {
      at++;
      continue;
    }
    // Most tokens are words and marks of ASCII, and need no expression.
    const end = kind === LETTER ? wordEnd(plain, at) : kind === MARK ? at + 1 : UNKNOWN;
    if (end !== UNKNOWN) {
      if (kind === LETTER) pushWord('word', wordWithin(plain, at, end));
      else pushMark(plain.slice(at, end));
      at = end;
      continue;
    }
    regexp.lastIndex = at;
    const match = regexp.exec(form);
    if (match === null) {
      at += (plain.codePointAt(at) as number) > 0xffff ? 2 : 1;
      continue;
    }
    at = regexp.lastIndex;
    const [, date, number, suffix, caseless, word, mark] = isText ? match : groupsIn(plain, match);
    if (word !== undefined) pushWord('word', wordOf(word));
    else if (mark !== undefined) pushMark(mark);
    else if (number !== undefined) push('number', number, suffix);
    else if (date !== undefined) push('date', date);
    else {
      for (const { word, negates } of splitCaseless(caseless as string)) {
        if (negates) push('negation', word);
        else pushWord('caseless', wordOf(word));
      }
    }
  }
  return tokens;
}

/** Returns the groups of a match as they are in the text. Each begins with the match, but the suffix behind a number. */
function groupsIn(text: string, match: RegExpExecArray): readonly (string | undefined)[] {
  return match.map((group: string | undefined, number) => {
    const from = match.index + (number === SUFFIX ? (match[SUFFIX - 1]?.length ?? 0) : 0);
    return group && text.slice(from, from + group.length);
  });
}

/** Kinds of ASCII characters: what begins there can be told without the expression, or may be anything. */
const NO_TOKEN = 0;
const LETTER = 1;
const MARK = 2;
const DIGIT = 3;
const ANYTHING = 4;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  if ('/%$,:"\n'.includes(character)) return MARK;
  return "-'.!?".includes(character) ? ANYTHING : NO_TOKEN;
});

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (KINDS[code] as number) : ANYTHING;
};

const UNKNOWN = -1;
const UNDERSCORE = 95;

/** Returns the end of a word that begins with a letter of ASCII, or {@link UNKNOWN} if another letter may follow. */
function wordEnd(text: string, start: number): number {
  let end = start;
  for (let at = start + 1; ; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code >= 128) return UNKNOWN;
    const kind = KINDS[code];
    if (kind === LETTER || kind === DIGIT) end = at;
    else if (code !== UNDERSCORE) return end + 1;
  }
}

/** Whether the dot after this token belongs to an initial or a title: `J. Smith`, `Mr. Smith`. */
function abbreviates(token: Token | undefined): boolean {
  return token?.type === 'word' && (token.raw.length === 1 || TITLES.has(token.folded));
}

/** Returns the folded token at an index, or '' beyond the ends. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.folded ?? '';
}
