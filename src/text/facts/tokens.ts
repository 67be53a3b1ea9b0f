import { lazyRegExp } from '../../runtime/lazily.js';
import { textRegExp } from '../text-regexp.js';
import { splitCaseless } from './caseless.js';
import { oneSpelling } from './spelling.js';
import { COMMON, TITLES } from './word-lists.js';

export interface Token {
  /**
   * `date`: a date in digits. `caseless`: a word of a script without capitals. `negation`: a caseless word that
   * negates. `mark`: punctuation or a sign.
   */
  type: 'date' | 'number' | 'caseless' | 'negation' | 'word' | 'mark';
  raw: string;
  /** The token in one letter case. */
  folded: string;
  /** Letters that directly follow a number: `mg` in `30mg`. */
  suffix: string;
  /** Whether it is the first word of its sentence, or of a quotation. */
  initial: boolean;
  sentence: Sentence;
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
/** Groups: date, number, its suffix, caseless, word, mark. They have no names, because names add half to the time. */
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
    String.raw`(°[CcFf]?|'[sS](?![${L}${N}])|[-/%‰$€£¥₹₽₩₺₴,:"•\n]|。|(?<![.!?])[.!?]+(?=[\s"')\]]|$))`,
  ].join('|');
}, 'gu');
const SUFFIX = 3;
/** Matches the characters that folding can change. Eight of ten English tokens have none of them. */
const CASED = /[A-Z\u0080-\uffff]/;
const CAPITAL = lazyRegExp(String.raw`^[\p{Lu}\p{Lt}]`, 'u');
const SENTENCE_BREAK = /^[.!?。:"•\n]/;

/** Splits a text into tokens. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let sentence: Sentence = { words: 0, capitals: 0 };
  let initial = true;
  const push = (type: Token['type'], raw: string, suffix = ''): void => {
    tokens.push({ type, raw, folded: fold(raw), suffix: suffix && fold(suffix), initial, sentence });
    if (type !== 'mark') initial = false;
  };
  const spelled = oneSpelling(text);
  const { regexp, form } = TOKEN(spelled);
  for (const match of form.matchAll(regexp)) {
    const [, date, number, suffix, caseless, word, mark] =
      form === spelled ? match : groupsIn(spelled, match);
    if (word !== undefined) {
      push('word', word);
      count(tokens.at(-1) as Token);
    } else if (mark !== undefined) {
      const breaks = SENTENCE_BREAK.test(mark) && !(mark === '.' && abbreviates(tokens.at(-1)));
      push('mark', mark);
      if (breaks) {
        initial = true;
        sentence = { words: 0, capitals: 0 };
      }
    } else if (number !== undefined) push('number', number, suffix);
    else if (date !== undefined) push('date', date);
    else {
      for (const { word, negates } of splitCaseless(caseless as string)) {
        push(negates ? 'negation' : 'caseless', word);
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

function count(token: Token): void {
  if (COMMON.has(token.folded)) return;
  token.sentence.words++;
  if (isCapital(token)) token.sentence.capitals++;
}

/** Whether the dot after this token belongs to an initial or a title: `J. Smith`, `Mr. Smith`. */
function abbreviates(token: Token | undefined): boolean {
  return token?.type === 'word' && (token.raw.length === 1 || TITLES.has(token.folded));
}

/** Returns whether the token begins with a capital. */
export function isCapital({ raw, folded }: Token): boolean {
  if (raw === folded) return false;
  return raw.charCodeAt(0) < 0x80 ? /^[A-Z]/.test(raw) : CAPITAL().test(raw);
}

/** Folds case. Upper case comes first, because it unifies ß and ss, ς and σ. The removed dot is a remainder of İ. */
function fold(word: string): string {
  return CASED.test(word) ? word.toUpperCase().toLowerCase().replaceAll('\u0307', '') : word;
}

/** Returns the folded token at an index, or '' beyond the ends. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.folded ?? '';
}
